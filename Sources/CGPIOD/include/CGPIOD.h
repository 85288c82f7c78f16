/* One line of a GPIO chip, through libgpiod 1.6 (Debian 12) or 2 (Debian 13), whichever this is
 * compiled with. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* A line that was requested. */
struct cgpiod_line;

/* Room for a name, as in linux/gpio.h, and its end. */
#define CGPIOD_NAME 33

enum cgpiod_use { CGPIOD_USE_INPUT, CGPIOD_USE_OUTPUT };
enum cgpiod_bias {
    CGPIOD_BIAS_AS_IS,
    CGPIOD_BIAS_DISABLED,
    CGPIOD_BIAS_PULL_UP,
    CGPIOD_BIAS_PULL_DOWN,
};

enum cgpiod_fault {
    CGPIOD_FAULT_NONE,
    /* No chip of that label, name or path; or none at all. */
    CGPIOD_FAULT_NO_CHIP,
    CGPIOD_FAULT_NO_LINE,
    /* Somebody has it, who is in `consumer` when the kernel tells. */
    CGPIOD_FAULT_IN_USE,
    /* Not found where we may look, and there is where we may not. */
    CGPIOD_FAULT_DENIED,
    /* What errno says. */
    CGPIOD_FAULT_SYSTEM,
};

struct cgpiod_request {
    unsigned int offset;
    enum cgpiod_use use;
    enum cgpiod_bias bias;
    int is_active_low;
};

/* Requests a line: an input whose edges are reported, or an output that is inactive.
 * `chip` is a label, a name or a path; NULL looks into all. `name` is the line's; NULL takes the
 * offset. On success `*line` is to be given back to cgpiod_close. */
enum cgpiod_fault cgpiod_open(
    const char *chip, const char *name, const struct cgpiod_request *request,
    struct cgpiod_line **line, char consumer[CGPIOD_NAME]);

void cgpiod_close(struct cgpiod_line *line);

/* Readable when edges wait. */
int cgpiod_descriptor(const struct cgpiod_line *line);

/* 1 when active, 0 when not, -1 and errno. */
int cgpiod_value(const struct cgpiod_line *line);
int cgpiod_set(const struct cgpiod_line *line, int is_active);

struct cgpiod_edge {
    /* CLOCK_MONOTONIC, as the kernel took it. */
    int64_t nanoseconds;
    int is_active;
};

/* Takes edges that wait. Never blocks.
 * Returns how many, 0 when none wait, -1 and errno. */
int cgpiod_take_edges(const struct cgpiod_line *line, struct cgpiod_edge *edges, int capacity);
