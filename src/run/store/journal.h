/* journal.h - keeps finished games and their rows from the moment a game ends: each worker appends
 * them to a file of its own, its journal, which from time to time becomes a row file and a game
 * file. After a kill, the next start recovers all games that were written whole.
 * Use: journal_open(), then journal_add() for each game, then journal_publish().
 * Threading: confined. */
#pragma once
#include "data/row.h"
#include "run/store/run_directory.h"

typedef struct Journal Journal;
/* Creates rows/NNNNNN/WORKER-K.journal and locks it. K is a free number, the first one if the
 * numbers in use have no gaps. `length`: the largest board side that the rows have room for. */
MUST_USE Status journal_open(const RunDirectory *run, int net, const char *worker, int length,
                             Journal **out, Error *err);
/* Appends a game. ERR_ARGUMENT: the game has too many rows or too much text. ERR_IO: it cannot be
 * written, and the journal is as before. */
MUST_USE Status journal_add(Journal *journal, const char *sgf_line, const Rows *rows, Error *err);
/* Syncs the journal to disk if its oldest unsynced game is older than JOURNAL_SYNC_SECONDS, so that
 * a loss of power costs no older game. Cheap if there is nothing to do: to be called often. ERR_IO:
 * it could not be synced; that is tried again as long later. */
MUST_USE Status journal_sync_if_due(Journal *journal, Error *err);
#define JOURNAL_SYNC_SECONDS 5.0
/* Whether this journal has no room for a game with this many rows. The game then goes into the next
 * journal, so that memory and files stay small. */
bool journal_is_full(const Journal *journal, size_t rows);
/* The maximum number of bytes of rows in a journal. It is also full when its games have more bytes
 * of text than this. */
#define JOURNAL_BYTES ((size_t)64 << 20)
/* Reserves the name of this journal: no later journal gets it, even if no game of this one is
 * finished. The seeds of a worker depend on the name of its first journal. */
void journal_keep_name(Journal *journal);
/* Writes rows/NNNNNN/WORKER-K.npz and games/NNNNNN/WORKER-K.sgfs with a note beside them, then
 * removes the journal and frees it. A journal without games leaves no files, only a note if its
 * name is reserved. After a kill in between, the next start writes the same files again. On failure
 * the journal is as before: the caller tries again, or frees it. */
MUST_USE Status journal_publish(Journal *journal, Error *err);
/* WORKER-K.journal; no other journal of this net has the same name. */
const char *journal_name(const Journal *journal);
int64_t journal_games(const Journal *journal);

/* The note beside a row file, WORKER-K.count. The process that writes the index counts games by
 * these notes alone. */
typedef struct {
    int64_t games;        /* in the game file */
    int64_t evaluations;  /* what they cost, if their process does not write the index; else 0 */
    double multiply_adds; /* the same */
} WorkNote;
/* Adds to the note that is published with the games. */
void journal_note(Journal *journal, int64_t evaluations, double multiply_adds);
/* The note beside a row file; all zeros if there is none. */
WorkNote work_note_read(const char *rows_path);

/* Frees the journal and leaves its file for the next start to recover. NULL is fine. */
void journal_free(Journal *journal);
/* Turns every journal that a killed worker left into row and game files with a note. An incomplete
 * game at the end of a journal is dropped with a line in the log. If other bytes of a journal are
 * damaged, its whole games are recovered, and the journal stays as NAME.journal.bad. Journals that
 * another process has open, that were written by a newer version, or that this user may not open
 * are left alone. ERR_MEMORY, ERR_IO: a journal stays as it is. */
MUST_USE Status journal_recover(const RunDirectory *run, int *recovered_games, Error *err);
