/* Datagrams with the interface they came in on: the control message macros of cmsg(3). */
#define _GNU_SOURCE
#include "CLinux.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

/* Room for one packet information of either family. */
union control {
    struct cmsghdr align;
    uint8_t bytes[CMSG_SPACE(sizeof(struct in6_pktinfo)) + CMSG_SPACE(sizeof(struct in_pktinfo))];
};

static const uint8_t mapped_prefix[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};

static uint32_t arrival_interface(struct msghdr *message) {
    for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header != NULL;
         header = CMSG_NXTHDR(message, header)) {
        if (header->cmsg_level == IPPROTO_IPV6 && header->cmsg_type == IPV6_PKTINFO) {
            struct in6_pktinfo info;
            memcpy(&info, CMSG_DATA(header), sizeof info);
            return info.ipi6_ifindex;
        }
        if (header->cmsg_level == IPPROTO_IP && header->cmsg_type == IP_PKTINFO) {
            struct in_pktinfo info;
            memcpy(&info, CMSG_DATA(header), sizeof info);
            return (uint32_t)info.ipi_ifindex;
        }
    }
    return 0;
}

ssize_t clinux_receive(int socket, uint8_t *buffer, size_t size, struct clinux_peer *sender) {
    struct sockaddr_storage from;
    union control control;
    struct iovec vector = {.iov_base = buffer, .iov_len = size};
    struct msghdr message = {
        .msg_name = &from,
        .msg_namelen = sizeof from,
        .msg_iov = &vector,
        .msg_iovlen = 1,
        .msg_control = &control,
        .msg_controllen = sizeof control,
    };
    memset(&from, 0, sizeof from);
    memset(sender, 0, sizeof *sender);
    ssize_t count = recvmsg(socket, &message, 0);
    if (count < 0) return count;
    if (from.ss_family == AF_INET6) {
        struct sockaddr_in6 address;
        memcpy(&address, &from, sizeof address);
        memcpy(sender->address, &address.sin6_addr, sizeof sender->address);
        sender->scope = address.sin6_scope_id;
        sender->port = ntohs(address.sin6_port);
    } else if (from.ss_family == AF_INET) {
        struct sockaddr_in address;
        memcpy(&address, &from, sizeof address);
        memcpy(sender->address, mapped_prefix, sizeof mapped_prefix);
        memcpy(sender->address + sizeof mapped_prefix, &address.sin_addr, 4);
        sender->port = ntohs(address.sin_port);
    }
    sender->interface = arrival_interface(&message);
    return count;
}

static ssize_t send_ipv6(int socket, struct iovec *vector, const struct clinux_peer *peer) {
    struct sockaddr_in6 to = {
        .sin6_family = AF_INET6,
        .sin6_port = htons(peer->port),
        .sin6_scope_id = peer->scope,
    };
    memcpy(&to.sin6_addr, peer->address, sizeof to.sin6_addr);
    union control control;
    struct msghdr message = {
        .msg_name = &to, .msg_namelen = sizeof to, .msg_iov = vector, .msg_iovlen = 1};
    if (peer->interface != 0) {
        struct in6_pktinfo info = {.ipi6_ifindex = peer->interface};
        memset(&control, 0, sizeof control);
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(sizeof info);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = IPPROTO_IPV6;
        header->cmsg_type = IPV6_PKTINFO;
        header->cmsg_len = CMSG_LEN(sizeof info);
        memcpy(CMSG_DATA(header), &info, sizeof info);
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

static ssize_t send_ipv4(int socket, struct iovec *vector, const struct clinux_peer *peer) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(peer->port)};
    memcpy(&to.sin_addr, peer->address + sizeof mapped_prefix, sizeof to.sin_addr);
    union control control;
    struct msghdr message = {
        .msg_name = &to, .msg_namelen = sizeof to, .msg_iov = vector, .msg_iovlen = 1};
    if (peer->interface != 0) {
        struct in_pktinfo info = {.ipi_ifindex = (int)peer->interface};
        memset(&control, 0, sizeof control);
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(sizeof info);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = IPPROTO_IP;
        header->cmsg_type = IP_PKTINFO;
        header->cmsg_len = CMSG_LEN(sizeof info);
        memcpy(CMSG_DATA(header), &info, sizeof info);
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

ssize_t clinux_send(
    int socket, int family, const uint8_t *bytes, size_t size, const struct clinux_peer *peer) {
    struct iovec vector = {.iov_base = (void *)(uintptr_t)bytes, .iov_len = size};
    return family == AF_INET6 ? send_ipv6(socket, &vector, peer) : send_ipv4(socket, &vector, peer);
}
