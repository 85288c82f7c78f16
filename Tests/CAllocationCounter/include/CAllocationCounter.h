#pragma once
#include <stdint.h>

/* Calls of malloc and its kin by this thread since it began. */
uint64_t allocation_count(void);
