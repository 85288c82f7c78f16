/* The names of Unicode's characters ("LATIN SMALL LETTER A") are half a megabyte in Swift's library,
   and no function here asks for one. The linker turns the only call for them to this one
   (Package.swift, `--wrap`), so that the tables are referred to by nobody and left out. */
#include <stdint.h>

intptr_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *buffer, intptr_t capacity);

intptr_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *buffer, intptr_t capacity) {
  (void)scalar;
  (void)buffer;
  (void)capacity;
  return 0;
}
