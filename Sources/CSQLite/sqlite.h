/* SQLite, and the one call of it that Swift cannot make: its arguments vary in number. */
#pragma once
#include <sqlite3.h>

/* Shrinks the connection's lookaside memory, which is 48 to 120 kB otherwise. */
static inline int csqlite_shrink_lookaside(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_LOOKASIDE, (void *)0, 128, 64);
}
