#ifndef SEEDED_RANDOM_H
#define SEEDED_RANDOM_H

#include <stdint.h>

// From now on all that libcrypto draws on this thread comes from `seed`, the nonces of its
// signatures among it: a simulation takes the same course again. For tests alone.
void seeded_random_begin(uint64_t seed);

// This thread draws from the system again.
void seeded_random_end(void);

#endif
