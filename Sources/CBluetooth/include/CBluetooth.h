/* The kernel's Bluetooth sockets, by libbluetooth's definitions. Nothing of that library is
 * called, so it is not linked; its headers are not for Swift, which would take the constants of
 * sockets for theirs. Results are those of the system calls: -1 and errno on failure. */
#pragma once

#include <stdint.h>

/* A socket for management: commands to all adapters, and their events. It does not block. */
int cbluetooth_open_management(void);

/* Begins to connect ATT's fixed channel. Addresses have the least significant octet first.
 * Returns a socket that does not block and becomes writable once the connection is there or has
 * failed, which SO_ERROR tells. */
int cbluetooth_connect(const uint8_t adapter[6], const uint8_t peer[6], int is_random);
