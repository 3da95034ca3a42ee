/* index_checksums.h - checksums of the rows of the tables in run.db. SQLite itself checks only the
 * structure of a database; the checksums find damaged values, too. The table "facts", which holds
 * single numbers of the run under keys, has a column of checksums. The checksums of the tables
 * "nets", "pairings" (results of games) and "metrics" are in another table, "checksums". Earlier
 * versions of this program do not know checksums, but can still write run.db. When they change a
 * row, a trigger removes the checksum of the row. A row without a checksum counts as good. Used
 * only by run_index.c.
 * Threading: confined. */
#pragma once
#include "base/error.h"
#include <sqlite3.h>
#include <stdbool.h>

/* Defines the SQL functions fact_checksum(key, value) and row_checksum(...) for a connection.
 * Returns SQLITE_OK or SQLite's error code. */
int index_checksums_functions(sqlite3 *database);
/* Adds the column, table and triggers of checksums to an index that lacks them. The rows that the
 * tables "nets", "pairings" and "metrics" already have get their checksums immediately. A fact gets
 * its checksum when it is written next. Does nothing in a read-only database. */
void index_checksums_add(sqlite3 *database);
/* Returns whether the table "facts" has the column of checksums. */
bool index_checksums_of_facts(sqlite3 *database);
/* Computes and stores the checksums of those rows of a table that fulfil `condition`, an expression
 * of SQL. Failures do not matter, because rows without a checksum count as good. */
void index_checksums_note(sqlite3 *database, const char *table, const char *condition);
/* Compares all checksums. ERR_SYNTAX: a checksum is wrong or its row is gone (the message names the
 * table), or SQLite finds that the database is damaged. */
MUST_USE Status index_checksums_verify(sqlite3 *database, Error *err);
/* Logs a warning if SQLite's write-ahead log PATH-wal is damaged. Call this before SQLite opens the
 * database, because SQLite reads the log only up to the first damaged page and drops the rest
 * without an error. */
void index_journal_check(const char *path);
