#define OPENSSL_SUPPRESS_DEPRECATED
#include "seeded_random.h"

#include <openssl/rand.h>
#include <pthread.h>

static _Thread_local int is_seeded;
static _Thread_local uint64_t state;

// SplitMix64.
static uint64_t next_number(void)
{
    state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t value = state;
    value = (value ^ (value >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94D049BB133111EB);
    return value ^ (value >> 31);
}

static int draw(unsigned char *bytes, int count)
{
    if (!is_seeded)
        return RAND_OpenSSL()->bytes(bytes, count);
    for (int index = 0; index < count; index++)
        bytes[index] = (unsigned char)next_number();
    return 1;
}

static int status(void)
{
    return 1;
}

static const RAND_METHOD method = { NULL, draw, NULL, NULL, draw, status };

static void install(void)
{
    RAND_set_rand_method(&method);
}

void seeded_random_begin(uint64_t seed)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    state = seed;
    is_seeded = 1;
}

void seeded_random_end(void)
{
    is_seeded = 0;
}
