#pragma once
#include <stdint.h>

/* Octets that malloc has given out and not been given back, in the whole process. */
uint64_t heap_size(void);
