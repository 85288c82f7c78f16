#include "heap_size.h"

#include <malloc.h>
#include <sqlite3.h>

uint64_t heap_size(void)
{
    struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

uint64_t heap_size_of_sqlite(void)
{
    return sqlite3_memory_used();
}
