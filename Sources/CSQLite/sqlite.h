/* SQLite, and the settings of it that Swift cannot make: their arguments vary in number. */
#pragma once
#include <sqlite3.h>

/* Shrinks the connection's lookaside memory, which is 48 to 120 kB otherwise. */
static inline int csqlite_shrink_lookaside(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_LOOKASIDE, (void *)0, 128, 64);
}

/* Whether closing leaves the write-ahead log as it is instead of moving it into the file. */
static inline int csqlite_keep_log_on_close(sqlite3 *database, int keeps) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, (int *)0);
}
