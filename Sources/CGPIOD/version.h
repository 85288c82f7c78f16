/* What the two versions of libgpiod have different functions for. */
#pragma once

#include "CGPIOD.h"

#include <gpiod.h>

/* Version 2 has neither this macro nor one that tells its number. */
#ifdef GPIOD_BIT
#define CGPIOD_VERSION 1
#else
#define CGPIOD_VERSION 2
#endif

#define CGPIOD_CONSUMER "matter-gateway"

/* 0, or -1. */
int cgpiod_label(struct gpiod_chip *chip, char label[CGPIOD_NAME]);

/* The line's offset, or -1 when the chip has none of this name. */
int cgpiod_find(struct gpiod_chip *chip, const char *name);

/* How many lines the chip has. */
size_t cgpiod_count(struct gpiod_chip *chip);

/* Who has the line; empty when nobody has it, or the kernel does not tell. */
void cgpiod_consumer(struct gpiod_chip *chip, unsigned int offset, char consumer[CGPIOD_NAME]);

/* The chip is the line's from now on. NULL and errno on failure. */
struct cgpiod_line *cgpiod_request(
    struct gpiod_chip *chip, const struct cgpiod_request *request);
