/* libgpiod 1.6. */
#include "version.h"

#if CGPIOD_VERSION == 1

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { EDGES = 16 };

struct cgpiod_line {
    struct gpiod_chip *chip;
    struct gpiod_line *line;
};

static void copy_name(char target[CGPIOD_NAME], const char *name) {
    target[0] = '\0';
    if (name != NULL) strncat(target, name, CGPIOD_NAME - 1);
}

int cgpiod_label(struct gpiod_chip *chip, char label[CGPIOD_NAME]) {
    copy_name(label, gpiod_chip_label(chip));
    return 0;
}

int cgpiod_find(struct gpiod_chip *chip, const char *name) {
    struct gpiod_line *line = gpiod_chip_find_line(chip, name);
    return line == NULL ? -1 : (int)gpiod_line_offset(line);
}

size_t cgpiod_count(struct gpiod_chip *chip) { return gpiod_chip_num_lines(chip); }

void cgpiod_consumer(struct gpiod_chip *chip, unsigned int offset, char consumer[CGPIOD_NAME]) {
    struct gpiod_line *line = gpiod_chip_get_line(chip, offset);
    copy_name(consumer, line == NULL ? NULL : gpiod_line_consumer(line));
}

static int flags_of(const struct cgpiod_request *request) {
    int flags = request->is_active_low ? (int)GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0;
    switch (request->bias) {
    case CGPIOD_BIAS_AS_IS: return flags;
    case CGPIOD_BIAS_DISABLED: return flags | (int)GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE;
    case CGPIOD_BIAS_PULL_UP: return flags | (int)GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP;
    case CGPIOD_BIAS_PULL_DOWN: return flags | (int)GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN;
    }
    return flags;
}

struct cgpiod_line *cgpiod_request(
    struct gpiod_chip *chip, const struct cgpiod_request *request) {
    struct gpiod_line *line = gpiod_chip_get_line(chip, request->offset);
    if (line == NULL) return NULL;
    struct gpiod_line_request_config config = {
        .consumer = CGPIOD_CONSUMER,
        .request_type = request->use == CGPIOD_USE_OUTPUT
                            ? GPIOD_LINE_REQUEST_DIRECTION_OUTPUT
                            : GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES,
        .flags = flags_of(request),
    };
    if (gpiod_line_request(line, &config, 0) != 0) return NULL;
    struct cgpiod_line *result = malloc(sizeof *result);
    if (result == NULL) {
        gpiod_line_release(line);
        errno = ENOMEM;
        return NULL;
    }
    *result = (struct cgpiod_line){.chip = chip, .line = line};
    return result;
}

void cgpiod_close(struct cgpiod_line *line) {
    gpiod_line_release(line->line);
    gpiod_chip_close(line->chip);
    free(line);
}

int cgpiod_descriptor(const struct cgpiod_line *line) {
    return gpiod_line_event_get_fd(line->line);
}

int cgpiod_value(const struct cgpiod_line *line) { return gpiod_line_get_value(line->line); }

int cgpiod_set(const struct cgpiod_line *line, int is_active) {
    return gpiod_line_set_value(line->line, is_active);
}

int cgpiod_take_edges(const struct cgpiod_line *line, struct cgpiod_edge *edges, int capacity) {
    struct gpiod_line_event taken[EDGES];
    int wanted = capacity < EDGES ? capacity : EDGES;
    int count = gpiod_line_event_read_multiple(line->line, taken, (unsigned int)wanted);
    if (count < 0) return errno == EAGAIN ? 0 : -1;
    for (int i = 0; i < count; i++) {
        edges[i].nanoseconds = (int64_t)taken[i].ts.tv_sec * 1000000000 + taken[i].ts.tv_nsec;
        edges[i].is_active = taken[i].event_type == GPIOD_LINE_EVENT_RISING_EDGE;
    }
    return count;
}

#endif
