/* What Swift cannot see of the kernel and the C library: control messages, calls with a variable
 * number of arguments, and headers outside its Glibc module. Everything else is called from
 * Swift directly. Results are those of the system calls: -1 and errno on failure. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/signalfd.h>
#include <sys/types.h>

/* The other end of a datagram. */
struct clinux_peer {
    /* IPv6, or IPv4 in its mapped form. */
    uint8_t address[16];
    /* The interface that gives a link-local address its meaning, else 0. */
    uint32_t scope;
    /* Receiving: the interface it came in on. Sending: the one to use, or 0 for the route's. */
    uint32_t interface;
    /* In host order. */
    uint16_t port;
};

/* recvmsg(2) on a socket of either family with packet information switched on. */
ssize_t clinux_receive(int socket, uint8_t *buffer, size_t size, struct clinux_peer *sender);

/* sendmsg(2); `family` is the socket's, AF_INET or AF_INET6. */
ssize_t clinux_send(
    int socket, int family, const uint8_t *bytes, size_t size, const struct clinux_peer *peer);

/* A netlink socket that is readable when an interface or an address of one has changed. */
int clinux_open_interface_changes(void);

/* Columns and rows of a terminal, TIOCGWINSZ. */
int clinux_terminal_size(int terminal, uint16_t *columns, uint16_t *rows);

/* Octets of the name of a Wi-Fi network, at most. */
#define CLINUX_SSID 32

/* The name of the Wi-Fi network that an interface is on, SIOCGIWESSID. Returns how many octets,
 * 0 when it is on none. */
int clinux_network_name(const char *interface, uint8_t name[CLINUX_SSID]);

/* The next connection of a listener, without blocking, for this program alone. */
int clinux_accept(int listener);

/* The user at the other end of a local socket, SO_PEERCRED. */
int clinux_peer_user(int socket, uint32_t *user);

/* Neither a core file nor a debugger of the same user shows this process's memory. */
int clinux_forbid_dumps(void);

/* Large pieces of memory go back to the system when they are freed, now and later: the C library
 * would keep the second of a size. */
void clinux_return_memory(void);

/* The date on which this file was compiled: "Mmm dd yyyy". */
const char *clinux_build_date(void);

/* Keeps a terminal from others, TIOCEXCL and flock(2). EBUSY when somebody has it. */
int clinux_own_terminal(int terminal);
void clinux_disown_terminal(int terminal);

/* What a keyboard says goes to this descriptor alone, EVIOCGRAB. EBUSY when somebody has it. */
int clinux_grab_keys(int device);

/* A key of linux/input-event-codes.h. */
struct clinux_key {
    uint16_t code;
    /* 0 released, 1 pressed, 2 held. */
    int32_t value;
};

/* Stands for keys that the kernel had to drop. */
#define CLINUX_KEYS_LOST 0xFFFF
/* Events taken at once. */
#define CLINUX_KEYS 64

/* Takes keys that wait at an input device, which does not block.
 * Returns how many, also 0 when something else was taken; -1 and errno, EAGAIN when nothing
 * waits. */
int clinux_take_keys(int device, struct clinux_key *keys, int capacity);

/* Addresses of one name that are tried. */
#define CLINUX_FOUND 8

/* What a lookup writes into its pipe, at once. */
struct clinux_lookup {
    /* getaddrinfo(3)'s. */
    int32_t error;
    uint32_t count;
    /* Ports are 0. */
    struct clinux_peer found[CLINUX_FOUND];
};

/* Looks a name up in a child process that lives for so many seconds at most: the C library's
 * lookup blocks, for as long as it likes. Returns the pipe's end to read, which does not block;
 * `*child` is to be given to clinux_end_lookup. */
int clinux_begin_lookup(const char *host, unsigned int seconds, pid_t *child);

/* Ends the child if it lives, and waits for that for 10 ms at most. Returns 0 when the system needs
 * longer: ask again. */
int clinux_end_lookup(pid_t child);
