/* Changes of the network interfaces: the constants of rtnetlink(7). */
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <unistd.h>

int clinux_open_interface_changes(void) {
    int changes = socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (changes < 0) return -1;
    struct sockaddr_nl address = {
        .nl_family = AF_NETLINK,
        .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR,
    };
    if (bind(changes, (const struct sockaddr *)&address, sizeof address) == 0) return changes;
    int error = errno;
    close(changes);
    errno = error;
    return -1;
}
