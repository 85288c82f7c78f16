/* libgpiod 2. */
#include "version.h"

#if CGPIOD_VERSION == 2

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { EDGES = 16 };

struct cgpiod_line {
    struct gpiod_chip *chip;
    struct gpiod_line_request *request;
    struct gpiod_edge_event_buffer *buffer;
    unsigned int offset;
    enum cgpiod_use use;
};

static void copy_name(char target[CGPIOD_NAME], const char *name) {
    target[0] = '\0';
    if (name != NULL) strncat(target, name, CGPIOD_NAME - 1);
}

int cgpiod_label(struct gpiod_chip *chip, char label[CGPIOD_NAME]) {
    struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
    if (info == NULL) return -1;
    copy_name(label, gpiod_chip_info_get_label(info));
    gpiod_chip_info_free(info);
    return 0;
}

int cgpiod_find(struct gpiod_chip *chip, const char *name) {
    return gpiod_chip_get_line_offset_from_name(chip, name);
}

size_t cgpiod_count(struct gpiod_chip *chip) {
    struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
    if (info == NULL) return 0;
    size_t count = gpiod_chip_info_get_num_lines(info);
    gpiod_chip_info_free(info);
    return count;
}

void cgpiod_consumer(struct gpiod_chip *chip, unsigned int offset, char consumer[CGPIOD_NAME]) {
    consumer[0] = '\0';
    struct gpiod_line_info *info = gpiod_chip_get_line_info(chip, offset);
    if (info == NULL) return;
    copy_name(consumer, gpiod_line_info_get_consumer(info));
    gpiod_line_info_free(info);
}

static enum gpiod_line_bias bias_of(const struct cgpiod_request *request) {
    switch (request->bias) {
    case CGPIOD_BIAS_AS_IS: return GPIOD_LINE_BIAS_AS_IS;
    case CGPIOD_BIAS_DISABLED: return GPIOD_LINE_BIAS_DISABLED;
    case CGPIOD_BIAS_PULL_UP: return GPIOD_LINE_BIAS_PULL_UP;
    case CGPIOD_BIAS_PULL_DOWN: return GPIOD_LINE_BIAS_PULL_DOWN;
    }
    return GPIOD_LINE_BIAS_AS_IS;
}

static void set(struct gpiod_line_settings *settings, const struct cgpiod_request *request) {
    int is_output = request->use == CGPIOD_USE_OUTPUT;
    /* Each value is one of the enumeration's, which is all that could fail. */
    (void)gpiod_line_settings_set_direction(
        settings, is_output ? GPIOD_LINE_DIRECTION_OUTPUT : GPIOD_LINE_DIRECTION_INPUT);
    if (!is_output)
        (void)gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
    (void)gpiod_line_settings_set_bias(settings, bias_of(request));
    gpiod_line_settings_set_active_low(settings, request->is_active_low);
    (void)gpiod_line_settings_set_output_value(settings, GPIOD_LINE_VALUE_INACTIVE);
}

static struct gpiod_line_request *request_of(
    struct gpiod_chip *chip, const struct cgpiod_request *request) {
    struct gpiod_line_request *result = NULL;
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    struct gpiod_line_config *lines = gpiod_line_config_new();
    struct gpiod_request_config *config = gpiod_request_config_new();
    int error = ENOMEM;
    if (settings != NULL && lines != NULL && config != NULL) {
        set(settings, request);
        gpiod_request_config_set_consumer(config, CGPIOD_CONSUMER);
        if (gpiod_line_config_add_line_settings(lines, &request->offset, 1, settings) == 0)
            result = gpiod_chip_request_lines(chip, config, lines);
        error = errno;
    }
    if (config != NULL) gpiod_request_config_free(config);
    if (lines != NULL) gpiod_line_config_free(lines);
    if (settings != NULL) gpiod_line_settings_free(settings);
    errno = error;
    return result;
}

struct cgpiod_line *cgpiod_request(
    struct gpiod_chip *chip, const struct cgpiod_request *request) {
    struct cgpiod_line *line = calloc(1, sizeof *line);
    struct gpiod_edge_event_buffer *buffer = gpiod_edge_event_buffer_new(EDGES);
    struct gpiod_line_request *result = NULL;
    if (line != NULL && buffer != NULL) result = request_of(chip, request);
    if (result == NULL) {
        int error = errno;
        if (buffer != NULL) gpiod_edge_event_buffer_free(buffer);
        free(line);
        errno = error;
        return NULL;
    }
    *line = (struct cgpiod_line){
        .chip = chip,
        .request = result,
        .buffer = buffer,
        .offset = request->offset,
        .use = request->use,
    };
    return line;
}

void cgpiod_close(struct cgpiod_line *line) {
    gpiod_line_request_release(line->request);
    gpiod_edge_event_buffer_free(line->buffer);
    gpiod_chip_close(line->chip);
    free(line);
}

int cgpiod_descriptor(const struct cgpiod_line *line) {
    return line->use == CGPIOD_USE_INPUT ? gpiod_line_request_get_fd(line->request) : -1;
}

int cgpiod_value(const struct cgpiod_line *line) {
    return (int)gpiod_line_request_get_value(line->request, line->offset);
}

int cgpiod_set(const struct cgpiod_line *line, int is_active) {
    return gpiod_line_request_set_value(
        line->request, line->offset,
        is_active ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
}

int cgpiod_take_edges(const struct cgpiod_line *line, struct cgpiod_edge *edges, int capacity) {
    size_t wanted = capacity < EDGES ? (size_t)capacity : EDGES;
    int count = gpiod_line_request_read_edge_events(line->request, line->buffer, wanted);
    if (count < 0) return errno == EAGAIN ? 0 : -1;
    for (int i = 0; i < count; i++) {
        struct gpiod_edge_event *event =
            gpiod_edge_event_buffer_get_event(line->buffer, (unsigned long)i);
        edges[i].nanoseconds = (int64_t)gpiod_edge_event_get_timestamp_ns(event);
        edges[i].is_active =
            gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
    }
    return count;
}

#endif
