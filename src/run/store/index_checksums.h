/* index_checksums.h - checksums of the rows of run.db. They find damaged values, because SQLite
 * checks only the structure of a database. The table of facts has a column of checksums; a fact is
 * a single number of the run under a key. The checksums of nets, games and metrics are in a table
 * of their own, "checksums". Earlier versions of this program, which do not know checksums, can
 * still write all other tables: a trigger removes the checksum of a row that changes, and a row
 * without a checksum counts as good. Used by run_index.c alone. Threading: confined. */
#pragma once
#include "base/error.h"
#include <sqlite3.h>
#include <stdbool.h>

/* Makes the SQL functions fact_checksum(key, value) and row_checksum(...) known to a connection. */
int index_checksums_functions(sqlite3 *database);
/* Creates what an index of an earlier version lacks, and gives its rows checksums. Does nothing in
 * a read-only database. */
void index_checksums_add(sqlite3 *database);
/* Whether facts have the column of checksums. */
bool index_checksums_of_facts(sqlite3 *database);
/* Gives their checksums to the rows of a table that fulfil `condition`, an expression of SQL.
 * Failures do not matter, because rows without a checksum count as good. */
void index_checksums_note(sqlite3 *database, const char *table, const char *condition);
/* Compares all checksums. ERR_SYNTAX: one is wrong, or its row is gone; the message says in which
 * table. */
MUST_USE Status index_checksums_verify(sqlite3 *database, Error *err);
/* Logs a warning if the journal PATH-wal, which SQLite has not read yet, is damaged: SQLite reads
 * it up to the first damaged page, and drops the rest in silence. */
void index_journal_check(const char *path);
