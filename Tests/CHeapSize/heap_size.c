#include "heap_size.h"

#include <malloc.h>

uint64_t heap_size(void)
{
    struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}
