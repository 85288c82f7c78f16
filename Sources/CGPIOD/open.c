/* Finding a line among the chips: the same for both versions of libgpiod. */
#include "version.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

/* A board has a dozen chips, which are numbered with gaps. */
enum { CHIPS = 64, PATH = 32 };

static int is_wanted(struct gpiod_chip *chip, const char *path, const char *wanted) {
    char label[CGPIOD_NAME];
    if (wanted == NULL || strcmp(path, wanted) == 0) return 1;
    if (strcmp(path + strlen("/dev/"), wanted) == 0) return 1;
    return cgpiod_label(chip, label) == 0 && strcmp(label, wanted) == 0;
}

static int is_refused(int error) { return error == EACCES || error == EPERM; }

/* Requests the line of an open chip, which is closed when that fails. */
static enum cgpiod_fault request_line(
    struct gpiod_chip *chip, const struct cgpiod_request *request, struct cgpiod_line **line,
    char consumer[CGPIOD_NAME]) {
    *line = cgpiod_request(chip, request);
    if (*line != NULL) {
        int descriptor = cgpiod_descriptor(*line);
        int flags = descriptor < 0 ? -1 : fcntl(descriptor, F_GETFL);
        if (flags >= 0) (void)fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
        return CGPIOD_FAULT_NONE;
    }
    int error = errno;
    if (error == EBUSY) cgpiod_consumer(chip, request->offset, consumer);
    gpiod_chip_close(chip);
    errno = error;
    return error == EBUSY ? CGPIOD_FAULT_IN_USE : CGPIOD_FAULT_SYSTEM;
}

enum cgpiod_fault cgpiod_open(
    const char *chip_name, const char *name, const struct cgpiod_request *request,
    struct cgpiod_line **line, char consumer[CGPIOD_NAME]) {
    enum cgpiod_fault fault = CGPIOD_FAULT_NO_CHIP;
    int was_refused = 0;
    consumer[0] = '\0';
    for (int number = 0; number < CHIPS; number++) {
        char path[PATH];
        snprintf(path, sizeof path, "/dev/gpiochip%d", number);
        struct gpiod_chip *chip = gpiod_chip_open(path);
        if (chip == NULL) {
            was_refused |= is_refused(errno);
            continue;
        }
        if (is_wanted(chip, path, chip_name)) {
            struct cgpiod_request found = *request;
            int offset = name == NULL ? -1 : cgpiod_find(chip, name);
            if (offset >= 0) found.offset = (unsigned int)offset;
            if (name == NULL ? found.offset < cgpiod_count(chip) : offset >= 0)
                return request_line(chip, &found, line, consumer);
            fault = CGPIOD_FAULT_NO_LINE;
        }
        gpiod_chip_close(chip);
    }
    return was_refused ? CGPIOD_FAULT_DENIED : fault;
}
