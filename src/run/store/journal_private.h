/* journal_private.h - what writing a journal and recovering one share. */
#pragma once
#include "base/strbuf.h"
#include "run/store/journal.h"

/* A game in a journal is this header, then the SGF line, then the packed rows. All numbers are
 * little-endian. */
typedef struct {
    char magic[8];
    uint16_t length;        /* the board side that the rows have room for (Rows.length) */
    uint16_t point_columns; /* Rows.point_columns */
    uint32_t rows, sgf_bytes;
    uint32_t crc;   /* CRC-32 of everything after the header */
    uint64_t bytes; /* number of bytes after the header */
} JournalHeader;
_Static_assert(ROW_POINT_COLUMNS <= 16, "a journal has 16 bits for the set of columns");
/* The magic is the stem and a digit for the version. Games have version 1 if their rows have no
 * point columns, so that older versions of this program can recover them, and otherwise version
 * 2. */
#define JOURNAL_MAGIC_STEM "AJIGAME"
enum { JOURNAL_MAGIC_STEM_BYTES = sizeof JOURNAL_MAGIC_STEM - 1 };
enum { JOURNAL_VERSION_PLAIN = '1', JOURNAL_VERSION_POINTS = '2' };
enum { GAME_ROWS_MAX = 100000, GAME_TEXT_MAX = 64 << 20 };

struct Journal {
    Path rows_folder, games_folder;
    Path path;                             /* path of the journal itself */
    Path rows_path, games_path, note_path; /* paths of the files that it becomes */
    bool name_kept;                        /* set by journal_keep_name() */
    WorkNote note;                         /* its field `games` is not used; see game_count */
    FILE *stream;
    double unsynced_since; /* when the oldest unsynced game was added; 0 if there is none */
    Rows rows;             /* of all games so far */
    StrBuf games;          /* their SGF lines */
    int64_t game_count;
};

/* Makes a journal in memory, without a name and a file. */
MUST_USE Status journal_new(const RunDirectory *run, const char *folder, int length, Journal **out,
                            Error *err);
/* Names the journal and the files that it becomes. */
MUST_USE Status journal_set_name(Journal *journal, const char *name, Error *err);
/* Adds a game in memory. On failure the journal's games and rows are unchanged. */
MUST_USE Status journal_remember(Journal *journal, const char *sgf, size_t sgf_bytes,
                                 const Rows *rows, Error *err);
/* Syncs the games in the open file of a journal to disk. Call this before the games are written to
 * other files. The reason: if the power fails before the removal of the journal is on disk, the
 * journal comes back, and then it must have all games. */
MUST_USE Status journal_sync_file(int file, const char *path, Error *err);
/* Writes the row file, the game file and the note. The journal's own file stays. If a row file or
 * game file exists already, can be read and has at least as many rows or games, it is not
 * replaced. */
MUST_USE Status journal_write_files(const Journal *journal, Error *err);
