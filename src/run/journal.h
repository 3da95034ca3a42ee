/* journal.h - finished games and their rows, kept from the moment a game ends: appended to one file
 * a worker, and turned into a row file and a game file from time to time. After a kill, the next
 * start recovers what was whole. Threading: confined. */
#pragma once
#include "data/row.h"
#include "run/run_directory.h"

typedef struct Journal Journal;
/* Opens rows/NNNNNN/WORKER-K.journal, K the first that is free where there are no gaps, and locks
 * it. `length` of rows. */
MUST_USE Status journal_open(const RunDirectory *run, int net, const char *worker, int length,
                             Journal **out, Error *err);
MUST_USE Status journal_add(Journal *journal, const char *sgf_line, const Rows *rows, Error *err);
/* Writes rows/NNNNNN/WORKER-K.npz and games/NNNNNN/WORKER-K.sgfs, then removes the journal and
 * frees. Nothing is written for no games. Killed in between, the next start writes the same files
 * again. On failure the journal is as before: the caller tries again, or frees it. */
MUST_USE Status journal_publish(Journal *journal, Error *err);
const char *
journal_name(const Journal *journal); /* WORKER-K.journal: no other of this net has it */
int64_t journal_games(const Journal *journal);

/* What a process that does not write the index tells the one that does, beside the row file, as
 * WORKER-K.count. */
typedef struct {
    int64_t games; /* those of the files */
    int64_t evaluations;
    double multiply_adds;
} WorkNote;
/* Adds to the note that is published with the games. */
void journal_note(Journal *journal, int64_t evaluations, double multiply_adds);
/* The note beside a row file; zeros: there is none. */
WorkNote work_note_read(const char *rows_path);

/* Leaves the file to the next start. NULL is fine. */
void journal_free(Journal *journal);
/* Every journal left by a killed worker becomes row and game files, and a note of its games; what
 * was cut off at its end is dropped with a line in the log. Journals that someone has open are
 * theirs. */
MUST_USE Status journal_recover(const RunDirectory *run, int *recovered_games, Error *err);
