#pragma once
#include <stdint.h>

/* Octets that malloc has given out and not been given back, in the whole process. */
uint64_t heap_size(void);

/* What SQLite has of it: pages of its files above all, up to the bounds that they are opened with. */
uint64_t heap_size_of_sqlite(void);
