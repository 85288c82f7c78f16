#include "CFuzzer.h"

// The compiler's runtime has it where -sanitize=fuzzer is given.
extern int LLVMFuzzerRunDriver(int *, char ***, int (*)(const uint8_t *, size_t));

// The runtime's own main, which is not run, wants it.
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    (void)bytes, (void)count;
    return -1;
}

int cfuzzer_run(int count, char **arguments, int (*take)(const uint8_t *, size_t)) {
    return LLVMFuzzerRunDriver(&count, &arguments, take);
}
