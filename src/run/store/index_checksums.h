/* index_checksums.h - checksums of the rows of run.db, since a damaged number is still a number and
 * SQLite checks only the structure of a database. Facts have theirs in a column. The nets, games
 * and metrics have theirs in the table "checksums", so that versions of this program that know none
 * can still write the other tables: a trigger removes the checksum of a row that changes, and a row
 * without one is believed. Used by run_index.c alone. Threading: confined. */
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
/* Gives the rows of a table that fulfil `condition`, in SQL, their checksums. Failures do not
 * matter, because rows without checksum are believed. */
void index_checksums_note(sqlite3 *database, const char *table, const char *condition);
/* Compares all checksums. ERR_SYNTAX: one is wrong, or its row is gone; the message says in which
 * table. */
MUST_USE Status index_checksums_verify(sqlite3 *database, Error *err);
/* Logs a warning if the journal PATH-wal, which SQLite has not read yet, is damaged: SQLite reads
 * it up to the first wrong byte, and drops the rest in silence. */
void index_journal_check(const char *path);
