/* How the journals of killed workers are recovered:
 *   1. Each journal that no process has locked is synced and read game by game. A game is whole if
 *      its header has possible values and its checksum is right. If the rows or the text of a whole
 *      game cannot be right, the game is dropped, and the log says so.
 *   2. If bytes are no whole game, the next game after them is searched for, because a disk may
 *      have lost a part in the middle of the journal.
 *   3. The games are written to a row file and a game file under the journal's own name. A journal
 *      that is larger than the present limit (JOURNAL_BYTES) becomes several pairs of files. A file
 *      that exists already and holds at least as much is left as it is.
 *   4. If all bytes of the journal are whole games, the journal is removed. It is also removed if
 *      only the game at its end is incomplete. If it is damaged elsewhere, it is renamed to .bad.
 *      If the process is killed before this, the next start writes the same files again. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/log.h"
#include "data/rows/row_check.h"
#include "run/store/journal_private.h"
#include "run/store/run_lock.h"

typedef struct {
    const RunDirectory *run;
    const char *folder; /* "000042" */
    const char *stem;   /* "WORKER-K" */
    Path path;
    int file; /* open and locked */
    int64_t size;
    Journal *journal; /* has the games of the present part; NULL before the first game */
    int part;         /* number of the present part, from 0; a part becomes a pair of files */
    int64_t games;    /* number of games recovered so far */
    int64_t skipped;  /* bytes before the last whole game that belong to no whole game */
    int64_t tail;     /* bytes after the last whole game */
    bool tail_is_cut; /* the tail is an incomplete game, or zeros in the place of lost bytes */
    Rows rows;        /* the rows of the game that is being recovered */
} Recovery;

/* Reads `count` bytes at the offset `at`. The file must have them. */
static Status read_at(const Recovery *recovery, int64_t at, size_t count, void *out, Error *err) {
    char *to = out;
    while (count) {
        ssize_t got = pread(recovery->file, to, count, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0)
            return fail(err, ERR_IO, "cannot read %s: %s", recovery->path.text,
                        got ? strerror(errno) : "it became shorter");
        to += got;
        at += got;
        count -= (size_t)got;
    }
    return OK;
}

static bool is_possible(const JournalHeader *header) {
    const Rows like = {.length = header->length, .point_columns = header->point_columns};
    char version = header->point_columns ? JOURNAL_VERSION_POINTS : JOURNAL_VERSION_PLAIN;
    return memcmp(header->magic, JOURNAL_MAGIC_STEM, JOURNAL_MAGIC_STEM_BYTES) == 0 &&
           header->magic[JOURNAL_MAGIC_STEM_BYTES] == version && header->length >= 2 &&
           header->length <= BOARD_SIDE_MAX && header->point_columns >> ROW_POINT_COLUMNS == 0 &&
           header->rows <= GAME_ROWS_MAX && header->sgf_bytes <= GAME_TEXT_MAX &&
           header->bytes >= header->sgf_bytes &&
           rows_fit_bytes(&like, header->rows, header->bytes - header->sgf_bytes);
}

/* Writes the files of the present part and begins the next one. More than one part is needed for
 * journals of earlier versions, which may be of any size. The division into parts depends only on
 * the journal, so a repeated recovery writes the same files. */
static Status begin_part(Recovery *recovery, Error *err) {
    Journal *journal = recovery->journal;
    char name[96];
    Status status = journal_write_files(journal, err);
    if (status) return status;
    journal->rows.count = 0;
    journal->game_count = 0;
    journal->note = (WorkNote){0};
    strbuf_reset(&journal->games);
    snprintf(name, sizeof name, "%.76s.%03d", recovery->stem, ++recovery->part);
    return journal_set_name(journal, name, err);
}

/* Begins the first part. `length` is the board side that the rows of the journal have room for. */
static Status begin_journal(Recovery *recovery, int length, Error *err) {
    Status status = journal_new(recovery->run, recovery->folder, length, &recovery->journal, err);
    if (!status) status = rows_init(&recovery->rows, length, err);
    if (!status) status = journal_set_name(recovery->journal, recovery->stem, err);
    if (status) return status;
    /* If the worker was killed while it published the journal, a note has the cost of the games. */
    WorkNote note = work_note_read(recovery->journal->rows_path.text);
    journal_note(recovery->journal, note.evaluations, note.multiply_adds);
    return OK;
}

static Status keep(Recovery *recovery, const JournalHeader *header, const char *body, Error *err) {
    Rows *rows = &recovery->rows;
    Error fault = {0};
    Status status = recovery->journal ? OK : begin_journal(recovery, (int)header->length, err);
    if (!status && rows->point_columns != header->point_columns) {
        rows_clear(rows);
        status = rows_add_points(rows, header->point_columns, err);
    }
    if (status) return status;
    rows->count = 0;
    status = rows_from_bytes(rows, body + header->sgf_bytes, header->bytes - header->sgf_bytes,
                             header->rows, err);
    if (status) return status;
    /* The text must be one line, because the lines of a game file are counted as games. */
    Status check = memchr(body, '\n', header->sgf_bytes)
                       ? fail(&fault, ERR_SYNTAX, "its text is not one line")
                       : rows_check(rows, &fault);
    if (check) {
        log_error("%s: a game is dropped: %s", recovery->path.text, fault.message);
        return OK;
    }
    if (journal_is_full(recovery->journal, header->rows)) status = begin_part(recovery, err);
    if (!status) status = journal_remember(recovery->journal, body, header->sgf_bytes, rows, err);
    if (!status) recovery->games++;
    return status;
}

/* Describes what begins at an offset of the journal. Both flags are false if this is no game. */
typedef struct {
    bool whole; /* it is a whole game, of `bytes` bytes */
    bool cut;   /* it is a game whose end is missing */
    int64_t bytes;
} Piece;

/* Finds out what begins at the offset `at`, and keeps it if it is a whole game. */
static Status take_game(Recovery *recovery, int64_t at, Piece *piece, Error *err) {
    JournalHeader header = {0};
    int64_t left = recovery->size - at;
    *piece = (Piece){0};
    Status status = read_at(
        recovery, at, left < (int64_t)sizeof header ? (size_t)left : sizeof header, &header, err);
    if (status) return status;
    if (left < (int64_t)sizeof header) {
        size_t stem = left < JOURNAL_MAGIC_STEM_BYTES ? (size_t)left : JOURNAL_MAGIC_STEM_BYTES;
        char version = header.magic[JOURNAL_MAGIC_STEM_BYTES];
        bool known = left <= JOURNAL_MAGIC_STEM_BYTES || version == JOURNAL_VERSION_PLAIN ||
                     version == JOURNAL_VERSION_POINTS;
        piece->cut = known && memcmp(header.magic, JOURNAL_MAGIC_STEM, stem) == 0;
        return OK;
    }
    bool fits = !recovery->journal || (int)header.length == recovery->rows.length;
    if (!is_possible(&header) || !fits) return OK;
    piece->cut = header.bytes > (uint64_t)(left - (int64_t)sizeof header);
    if (piece->cut) return OK;
    char *body;
    status = mem_new(header.bytes + 1, 1, &body, err);
    if (!status) status = read_at(recovery, at + (int64_t)sizeof header, header.bytes, body, err);
    piece->whole = !status && hash_crc32(body, header.bytes) == header.crc;
    piece->bytes = (int64_t)(sizeof header + header.bytes);
    if (piece->whole) status = keep(recovery, &header, body, err);
    free(body);
    return status;
}

/* Sets `*next` to the next offset after `at` that may be the beginning of a game, or to the end of
 * the file. If a byte in between is not zero, sets `*zeros` to false. */
static Status find_next(const Recovery *recovery, int64_t at, int64_t *next, bool *zeros,
                        Error *err) {
    enum { MAGIC = JOURNAL_MAGIC_STEM_BYTES, STEP = 1 << 16 };
    char bytes[STEP + MAGIC];
    for (int64_t from = at; from < recovery->size; from += STEP) {
        int64_t left = recovery->size - from;
        size_t count = left < (int64_t)sizeof bytes ? (size_t)left : sizeof bytes;
        Status status = read_at(recovery, from, count, bytes, err);
        if (status) return status;
        for (size_t i = 0; i < count && i < STEP; i++) {
            bool magic = i + MAGIC <= count && memcmp(bytes + i, JOURNAL_MAGIC_STEM, MAGIC) == 0;
            if (magic && from + (int64_t)i > at) {
                *next = from + (int64_t)i;
                return OK;
            }
            *zeros &= !bytes[i];
        }
    }
    *next = recovery->size;
    return OK;
}

/* Writes all whole games to files. The journal stays. */
static Status recover_games(Recovery *recovery, Error *err) {
    Status status = OK;
    for (int64_t at = 0; at < recovery->size && !status;) {
        Piece piece;
        bool zeros = true;
        int64_t next = at;
        status = take_game(recovery, at, &piece, err);
        if (!status && piece.whole) {
            at += piece.bytes;
            recovery->skipped += recovery->tail;
            recovery->tail = 0;
            continue;
        }
        if (!status) status = find_next(recovery, at, &next, &zeros, err);
        recovery->tail_is_cut = !recovery->tail && (piece.cut || zeros);
        recovery->tail += next - at;
        at = next;
    }
    return status || !recovery->journal ? status : journal_write_files(recovery->journal, err);
}

/* Removes the journal. If it is damaged, and not only by an incomplete game at its end, renames it
 * instead. */
static Status put_away(const Recovery *recovery, Error *err) {
    const char *path = recovery->path.text;
    if (recovery->skipped || (recovery->tail && !recovery->tail_is_cut)) {
        char reason[160];
        snprintf(reason, sizeof reason,
                 "%lld of its %lld bytes belong to no whole game; %lld games were recovered",
                 (long long)(recovery->skipped + recovery->tail), (long long)recovery->size,
                 (long long)recovery->games);
        run_directory_set_aside(path, reason);
        return OK;
    }
    if (!recovery->size) log_info("%s has no game and is removed", path);
    if (recovery->tail)
        log_warning("%s: the last %lld bytes are not a whole game and are dropped", path,
                    (long long)recovery->tail);
    return file_remove(path, err);
}

/* Returns whether a later version of this program wrote the journal. */
static bool is_newer(const Recovery *recovery) {
    JournalHeader first = {0};
    const size_t needed = offsetof(JournalHeader, rows);
    if (recovery->size < (int64_t)needed || read_at(recovery, 0, needed, &first, NULL) ||
        memcmp(first.magic, JOURNAL_MAGIC_STEM, JOURNAL_MAGIC_STEM_BYTES) != 0)
        return false;
    char version = first.magic[JOURNAL_MAGIC_STEM_BYTES];
    bool has_newer_columns = first.point_columns >> ROW_POINT_COLUMNS != 0;
    return version == JOURNAL_VERSION_POINTS ? has_newer_columns
                                             : version > JOURNAL_VERSION_POINTS && version <= '9';
}

/* Recovers a journal that the caller has opened and locked. */
static Status recover_locked(Recovery *recovery, int *games, Error *err) {
    recovery->size = file_bytes(recovery->path.text);
    if (is_newer(recovery)) {
        log_warning("%s was written by a newer version of aji and is left for it",
                    recovery->path.text);
        return OK;
    }
    Status status = journal_sync_file(recovery->file, recovery->path.text, err);
    if (!status) status = recover_games(recovery, err);
    if (!status) status = put_away(recovery, err);
    if (!status) *games += (int)recovery->games;
    rows_clear(&recovery->rows);
    journal_free(recovery->journal);
    return status;
}

static Status recover_one(const RunDirectory *run, const char *folder, const char *name, int *games,
                          Error *err) {
    char stem[81];
    Path parent;
    Recovery recovery = {.run = run, .folder = folder, .stem = stem};
    snprintf(stem, sizeof stem, "%.*s", (int)(strlen(name) - strlen(".journal")), name);
    Status status = path_join(&parent, run->rows.text, folder, err);
    if (!status) status = path_join(&recovery.path, parent.text, name, err);
    if (status) return status;
    const char *path = recovery.path.text;
    recovery.file = open(path, O_RDWR | O_CLOEXEC); /* NFS locks only files open for writing */
    if (recovery.file < 0 && errno == ENOENT) return OK;
    if (recovery.file < 0 && (errno == EACCES || errno == EPERM)) {
        log_warning("%s belongs to another user and is left alone: %s", path, strerror(errno));
        return OK;
    }
    if (recovery.file < 0) return fail(err, ERR_IO, "cannot open %s: %s", path, strerror(errno));
    bool locked;
    status = run_lock_try(recovery.file, path, &locked, err);
    if (!status && locked) status = recover_locked(&recovery, games, err);
    close(recovery.file);
    return status;
}

Status journal_recover(const RunDirectory *run, int *recovered_games, Error *err) {
    Arena arena = {0};
    char **folders, **names;
    int folder_count, name_count;
    *recovered_games = 0;
    Status status = directory_list(run->rows.text, &arena, &folders, &folder_count, err);
    for (int i = 0; i < folder_count && !status; i++) {
        Path folder;
        status = path_join(&folder, run->rows.text, folders[i], err);
        if (!status) status = directory_list(folder.text, &arena, &names, &name_count, err);
        for (int k = 0; !status && k < name_count; k++) {
            if (path_has_ending(names[k], ".journal") && strlen(names[k]) > strlen(".journal"))
                status = recover_one(run, folders[i], names[k], recovered_games, err);
        }
    }
    arena_clear(&arena);
    return status;
}
