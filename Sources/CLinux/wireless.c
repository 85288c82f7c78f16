/* The name of the Wi-Fi network that an interface is on. */
#include "CLinux.h"

#include <errno.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/wireless.h>

int clinux_network_name(const char *interface, uint8_t name[CLINUX_SSID]) {
    struct iwreq request;
    memset(&request, 0, sizeof request);
    strncpy(request.ifr_name, interface, sizeof request.ifr_name - 1);
    /* Some drivers end the name with a zero. */
    char buffer[IW_ESSID_MAX_SIZE + 1] = {0};
    request.u.essid.pointer = buffer;
    request.u.essid.length = sizeof buffer;
    int end = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (end < 0) return -1;
    int result = ioctl(end, SIOCGIWESSID, &request);
    int error = errno;
    close(end);
    errno = error;
    if (result < 0) return -1;
    if (request.u.essid.length > CLINUX_SSID) return 0;
    memcpy(name, buffer, request.u.essid.length);
    return request.u.essid.length;
}
