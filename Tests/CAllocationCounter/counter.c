/* Counts heap allocations per thread. glibc lets a program bring its own malloc and keeps its
   real one under these names. */
#include "CAllocationCounter.h"
#include <errno.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static _Thread_local uint64_t calls;

uint64_t allocation_count(void) { return calls; }

void *malloc(size_t size) {
    calls++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    calls++;
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    calls++;
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    calls++;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    calls++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    calls++;
    *result = __libc_memalign(alignment, size);
    return *result ? 0 : ENOMEM;
}

void free(void *memory) { __libc_free(memory); }
