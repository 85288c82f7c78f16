#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer with a program's arguments; it calls `take` for each input until it has done.
int cfuzzer_run(int count, char **arguments, int (*take)(const uint8_t *bytes, size_t count));

#endif
