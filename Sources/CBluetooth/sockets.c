#include "CBluetooth.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/l2cap.h>

/* Bluetooth Core, volume 3, part A, section 2.1. */
#define ATT_CHANNEL 0x0004

static int closing(int opened) {
    int error = errno;
    close(opened);
    errno = error;
    return -1;
}

int cbluetooth_open_management(void) {
    int opened =
        socket(AF_BLUETOOTH, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, BTPROTO_HCI);
    if (opened < 0) return -1;
    struct sockaddr_hci address = {
        .hci_family = AF_BLUETOOTH,
        .hci_dev = HCI_DEV_NONE,
        .hci_channel = HCI_CHANNEL_CONTROL,
    };
    if (bind(opened, (const struct sockaddr *)&address, sizeof address) != 0)
        return closing(opened);
    return opened;
}

static struct sockaddr_l2 channel(const uint8_t address[6], uint8_t type) {
    struct sockaddr_l2 result = {
        .l2_family = AF_BLUETOOTH,
        .l2_cid = htobs(ATT_CHANNEL),
        .l2_bdaddr_type = type,
    };
    memcpy(result.l2_bdaddr.b, address, sizeof result.l2_bdaddr.b);
    return result;
}

int cbluetooth_connect(const uint8_t adapter[6], const uint8_t peer[6], int is_random) {
    int opened =
        socket(AF_BLUETOOTH, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, BTPROTO_L2CAP);
    if (opened < 0) return -1;
    struct sockaddr_l2 own = channel(adapter, BDADDR_LE_PUBLIC);
    if (bind(opened, (const struct sockaddr *)&own, sizeof own) != 0) return closing(opened);
    /* Commissioning does not pair: Matter has a secure channel of its own. */
    struct bt_security security = {.level = BT_SECURITY_LOW};
    if (setsockopt(opened, SOL_BLUETOOTH, BT_SECURITY, &security, sizeof security) != 0)
        return closing(opened);
    struct sockaddr_l2 other = channel(peer, is_random ? BDADDR_LE_RANDOM : BDADDR_LE_PUBLIC);
    if (connect(opened, (const struct sockaddr *)&other, sizeof other) != 0 &&
        errno != EINPROGRESS)
        return closing(opened);
    return opened;
}
