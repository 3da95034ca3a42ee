/* journal.h - finished games and their rows, kept from the moment a game ends: they are appended to
 * one file a worker, which becomes a row file and a game file from time to time. After a kill, the
 * next start recovers all games that were whole.
 *
 * journal_open(), then journal_add() for each game, then journal_publish(). Threading: confined. */
#pragma once
#include "data/row.h"
#include "run/store/run_directory.h"

typedef struct Journal Journal;
/* Opens rows/NNNNNN/WORKER-K.journal and locks it; K is the first free number, where the numbers
 * have no gaps. `length`: the edge of the boards that rows have room for. */
MUST_USE Status journal_open(const RunDirectory *run, int net, const char *worker, int length,
                             Journal **out, Error *err);
/* Appends a game. ERR_ARGUMENT: it has more rows than a game may have. ERR_IO: it is not there. */
MUST_USE Status journal_add(Journal *journal, const char *sgf_line, const Rows *rows, Error *err);
/* Whether a game with this many rows is one too many for this journal. It then goes into the next
 * one, so that memory and files stay small. */
bool journal_is_full(const Journal *journal, size_t rows);
/* A journal has at most this many bytes of rows; with more bytes of games than this it is full. */
#define JOURNAL_BYTES ((size_t)64 << 20)
/* The name of this journal is used elsewhere: no other journal gets it, even if no game of this one
 * is finished. */
void journal_keep_name(Journal *journal);
/* Writes rows/NNNNNN/WORKER-K.npz and games/NNNNNN/WORKER-K.sgfs with a note beside them, then
 * removes the journal and frees it. A journal without games leaves no files, but a note if its name
 * is kept. After a kill in between, the next start writes the same files again. On failure the
 * journal is as before: the caller tries again, or frees it. */
MUST_USE Status journal_publish(Journal *journal, Error *err);
/* WORKER-K.journal, which no other journal of this net has. */
const char *journal_name(const Journal *journal);
int64_t journal_games(const Journal *journal);

/* What a journal tells the process that writes the index: WORKER-K.count, beside the row file. That
 * process knows games from these notes alone. */
typedef struct {
    int64_t games;        /* in the files */
    int64_t evaluations;  /* by a process that does not write the index; else 0 */
    double multiply_adds; /* the same */
} WorkNote;
/* Adds to the note that is published with the games. */
void journal_note(Journal *journal, int64_t evaluations, double multiply_adds);
/* The note beside a row file; all zeros where there is none. */
WorkNote work_note_read(const char *rows_path);

/* Frees the journal and leaves its file to the next start. NULL is fine. */
void journal_free(Journal *journal);
/* Turns every journal that a killed worker left into row and game files with a note. What was cut
 * off at its end is dropped with a line in the log. Journals that another process has open are left
 * alone. ERR_MEMORY, ERR_IO: a journal stays as it is. */
MUST_USE Status journal_recover(const RunDirectory *run, int *recovered_games, Error *err);
