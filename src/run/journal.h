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
/* ERR_ARGUMENT: more rows than a game may have. */
MUST_USE Status journal_add(Journal *journal, const char *sgf_line, const Rows *rows, Error *err);
/* Whether a game of so many rows is one too many for this journal: it goes into the next one, that
 * memory and files stay small. */
bool journal_is_full(const Journal *journal, size_t rows);
#define JOURNAL_BYTES ((size_t)64 << 20) /* of rows, and of games, until then */
/* Its name is known elsewhere: no other journal gets it, even if no game is finished. */
void journal_keep_name(Journal *journal);
/* Writes rows/NNNNNN/WORKER-K.npz and games/NNNNNN/WORKER-K.sgfs with a note beside, then removes
 * the journal and frees. Nothing is written for no games, but a note if its name is kept. Killed in
 * between, the next start writes the same files again. On failure the journal is as before: the
 * caller tries again, or frees it. */
MUST_USE Status journal_publish(Journal *journal, Error *err);
const char *
journal_name(const Journal *journal); /* WORKER-K.journal: no other of this net has it */
int64_t journal_games(const Journal *journal);

/* What the files of a journal tell the process that writes the index, beside the row file, as
 * WORKER-K.count: all that it knows of games comes from there. */
typedef struct {
    int64_t games;       /* those of the files */
    int64_t evaluations; /* of a process that does not keep them itself */
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
 * theirs. ERR_MEMORY, ERR_IO: a journal stays as it is. */
MUST_USE Status journal_recover(const RunDirectory *run, int *recovered_games, Error *err);
