/* The terminal and the process itself: calls with a variable number of arguments. */
#define _GNU_SOURCE
#include "CLinux.h"

#include <malloc.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>

int clinux_terminal_size(int terminal, uint16_t *columns, uint16_t *rows) {
    struct winsize size;
    if (ioctl(terminal, TIOCGWINSZ, &size) != 0) return -1;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return 0;
}

int clinux_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

void clinux_return_memory(void) { mallopt(M_MMAP_THRESHOLD, 128 << 10); }

const char *clinux_build_date(void) { return __DATE__; }
