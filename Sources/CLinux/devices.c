/* Serial lines and input devices: ioctl(2) has a variable number of arguments. */
#include "CLinux.h"

#include <errno.h>
#include <linux/input.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <unistd.h>

int clinux_own_terminal(int terminal) {
    /* The first keeps others out from now on, the second is for those who are root. */
    if (ioctl(terminal, TIOCEXCL) != 0) return -1;
    if (flock(terminal, LOCK_EX | LOCK_NB) == 0) return 0;
    if (errno == EWOULDBLOCK) errno = EBUSY;
    return -1;
}

void clinux_disown_terminal(int terminal) { (void)ioctl(terminal, TIOCNXCL); }

int clinux_grab_keys(int device) { return ioctl(device, EVIOCGRAB, 1); }

int clinux_take_keys(int device, struct clinux_key *keys, int capacity) {
    struct input_event events[CLINUX_KEYS];
    size_t wanted = (size_t)(capacity < CLINUX_KEYS ? capacity : CLINUX_KEYS);
    ssize_t size = read(device, events, wanted * sizeof events[0]);
    if (size < 0) return -1;
    if (size == 0) {
        errno = ENODEV;
        return -1;
    }
    int count = 0;
    for (size_t i = 0; i < (size_t)size / sizeof events[0]; i++) {
        const struct input_event *event = &events[i];
        if (event->type == EV_KEY) {
            keys[count++] = (struct clinux_key){.code = event->code, .value = event->value};
        } else if (event->type == EV_SYN && event->code == SYN_DROPPED) {
            keys[count++] = (struct clinux_key){.code = CLINUX_KEYS_LOST};
        }
    }
    return count;
}
