/* journal.h - keeps finished games of self-play and their rows safe from the moment a game ends.
 * Each worker (thread of self-play) appends its games to a file of its own, its journal. From time
 * to time a row file and a game file replace the journal. If a process is killed, the next start
 * recovers all games that were written completely. Use: journal_open(), then journal_add() for each
 * game, then journal_publish(). Threading: confined. */
#pragma once
#include "data/rows/row.h"
#include "run/store/run_directory.h"

typedef struct Journal Journal;
/* Creates the journal rows/NNNNNN/WORKER-K.journal of net NNNNNN and locks it. K is a free number.
 * It is the lowest free number if the numbers in use have no gaps. `length` is the largest board
 * side that the rows have room for. */
MUST_USE Status journal_open(const RunDirectory *run, int net, const char *worker, int length,
                             Journal **out, Error *err);
/* Appends a game. ERR_ARGUMENT: the game has too many rows or too much text, or its text has more
 * than one line. ERR_IO: the game cannot be written. ERR_MEMORY: there is no room for it in memory.
 * After a failure the journal is unchanged. */
MUST_USE Status journal_add(Journal *journal, const char *sgf_line, const Rows *rows, Error *err);
/* Syncs the journal to disk if its oldest unsynced game is older than JOURNAL_SYNC_SECONDS. Then a
 * loss of power costs no older games. Call this often; it is cheap if there is nothing to do.
 * ERR_IO: the journal could not be synced; the next attempt comes JOURNAL_SYNC_SECONDS later. */
MUST_USE Status journal_sync_if_due(Journal *journal, Error *err);
#define JOURNAL_SYNC_SECONDS 5.0
/* Returns whether this journal has no room for a game with this many rows. If it has none, the
 * caller publishes it and opens another journal. So memory and files stay small. A journal without
 * games is never full. */
bool journal_is_full(const Journal *journal, size_t rows);
/* The maximum number of bytes of rows in a journal of several games. A journal is also full when
 * its games have more bytes of text than this. */
#define JOURNAL_BYTES ((size_t)64 << 20)
/* Reserves the name of this journal. No later journal gets this name, even if this journal stays
 * without games. The reason is that the seeds of a worker depend on the name of its first
 * journal. */
void journal_keep_name(Journal *journal);
/* Writes rows/NNNNNN/WORKER-K.npz and games/NNNNNN/WORKER-K.sgfs with a note (WorkNote), then
 * removes the journal and frees it. A journal without games leaves no files. Only if its name
 * is reserved, it leaves a note. If the process is killed meanwhile, the next start writes the same
 * files again. On failure the journal is unchanged, and the caller tries again or frees it. */
MUST_USE Status journal_publish(Journal *journal, Error *err);
/* The name WORKER-K.journal, which no other journal of this net has. */
const char *journal_name(const Journal *journal);
int64_t journal_games(const Journal *journal);

/* The note WORKER-K.count beside a row file. It says how many games are in the game file and how
 * many rows are in the row file. If the games come from a process that does not write the index
 * (run_index.h), it also says what they cost. The process that writes the index counts games by
 * only these notes. A note begins with a checksum of its text. */
typedef struct {
    int64_t games;
    int64_t rows;         /* -1 if an earlier version wrote the note, which does not say it */
    int64_t evaluations;  /* 0 if the games come from the process that writes the index */
    double multiply_adds; /* of these evaluations */
} WorkNote;
/* Adds this cost to the note that is published with the games later. */
void journal_note(Journal *journal, int64_t evaluations, double multiply_adds);
/* Reads the note beside a row file. If there is no note, `rows` is -1 and all other fields are 0.
 * If the note is damaged, this is logged, `games` is counted in the game file, and the other fields
 * are as if there was no note. */
WorkNote work_note_read(const char *rows_path);

/* Frees the journal and leaves its file for the next start to recover. NULL is fine. */
void journal_free(Journal *journal);
/* Turns every journal that a killed worker left into row and game files with a note. Sets
 * `*recovered_games` to the number of games. An incomplete game at the end of a journal is dropped
 * with a line in the log. If other bytes of a journal are damaged, its games that are not damaged
 * are recovered, and the journal stays as NAME.journal.bad. A journal is left alone if another
 * process has it open, if a newer version wrote it, or if this user may not open it. ERR_MEMORY,
 * ERR_IO: a journal could not be recovered and stays as it is. ERR_UNSUPPORTED: this file system
 * has no locks. */
MUST_USE Status journal_recover(const RunDirectory *run, int *recovered_games, Error *err);
