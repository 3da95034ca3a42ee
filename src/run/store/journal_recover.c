/* Recovering the journals of killed workers:
 *   1. Each journal that no process has locked is read game by game, as long as headers and
 *      checksums are right; the first incomplete game ends it.
 *   2. Its games become a row file and a game file under the journal's own name. A journal that is
 *      larger than the present limit (JOURNAL_BYTES) becomes several files.
 *   3. Then the journal is removed. After a kill in between, the same files are written again. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/log.h"
#include "data/row_check.h"
#include "run/store/journal_private.h"
#include "run/store/run_lock.h"

typedef struct {
    FileReader reader;
    const char *stem;     /* "WORKER-K" */
    Journal *journal;     /* collects the games of the present part */
    int part;             /* counted from 0 */
    int64_t games, bytes; /* recovered so far */
    Rows rows;            /* of one game */
} Recovery;

/* Reads the next `count` bytes; the caller frees `*out` by free(). `*out` is NULL if there are
 * fewer. */
static Status read_bytes(Recovery *recovery, size_t count, char **out, Error *err) {
    size_t length;
    Status status = file_reader_take(&recovery->reader, count, out, &length, err);
    if (status || length == count) return status;
    free(*out);
    *out = NULL;
    return OK;
}

/* Reads the next header. Its length is 0 if there is no valid one. */
static Status read_header(Recovery *recovery, JournalHeader *out, Error *err) {
    char *bytes;
    Status status = read_bytes(recovery, sizeof *out, &bytes, err);
    *out = (JournalHeader){0};
    if (status || !bytes) return status;
    memcpy(out, bytes, sizeof *out);
    free(bytes);
    if (memcmp(out->magic, JOURNAL_MAGIC, sizeof out->magic) != 0 || out->length < 2 ||
        out->length > BOARD_SIDE_MAX || out->rows > GAME_ROWS_MAX ||
        out->sgf_bytes > GAME_TEXT_MAX || out->bytes < out->sgf_bytes ||
        !rows_fit_bytes((int)out->length, out->rows, out->bytes - out->sgf_bytes))
        out->length = 0;
    return OK;
}

/* Writes the files of the present part and begins the next one. Journals of earlier versions may be
 * of any size. The division into parts depends on the journal alone, so repeating the recovery
 * writes the same files. */
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

static Status keep(Recovery *recovery, const JournalHeader *header, const char *body, Error *err) {
    Rows *rows = &recovery->rows;
    Error fault = {0};
    rows->count = 0;
    Status status = rows_from_bytes(rows, body + header->sgf_bytes,
                                    header->bytes - header->sgf_bytes, header->rows, err);
    if (!status && rows_check(rows, &fault)) {
        log_error("%s: a game is dropped: %s", recovery->reader.path, fault.message);
        return OK;
    }
    if (!status && journal_is_full(recovery->journal, header->rows))
        status = begin_part(recovery, err);
    if (!status) status = journal_remember(recovery->journal, body, header->sgf_bytes, rows, err);
    if (!status) recovery->games++;
    return status;
}

/* Reads the game after `header`. `*whole` is false if it is incomplete or damaged. */
static Status read_game(Recovery *recovery, const JournalHeader *header, bool *whole, Error *err) {
    char *body = NULL;
    Status status = OK;
    *whole = false;
    if ((int)header->length == recovery->rows.length)
        status = read_bytes(recovery, header->bytes, &body, err);
    *whole = !status && body && hash_crc32(body, header->bytes) == header->crc;
    if (*whole) status = keep(recovery, header, body, err);
    if (*whole) recovery->bytes += (int64_t)(sizeof *header + header->bytes);
    free(body);
    return status;
}

/* Writes the games up to the first incomplete one to files; the journal stays. */
static Status recover_games(Recovery *recovery, const RunDirectory *run, const char *folder,
                            Error *err) {
    JournalHeader header;
    bool whole = true;
    Status status = read_header(recovery, &header, err);
    if (status || !header.length) return status;
    status = journal_new(run, folder, (int)header.length, &recovery->journal, err);
    if (!status) status = rows_init(&recovery->rows, (int)header.length, err);
    if (!status) status = journal_set_name(recovery->journal, recovery->stem, err);
    if (status) return status;
    /* A note with the cost of the games exists if their worker was killed while publishing. */
    WorkNote note = work_note_read(recovery->journal->rows_path.text);
    journal_note(recovery->journal, note.evaluations, note.multiply_adds);
    while (!status && whole) {
        status = read_game(recovery, &header, &whole, err);
        if (!status && whole) status = read_header(recovery, &header, err);
        whole = whole && header.length;
    }
    return status ? status : journal_write_files(recovery->journal, err);
}

/* Recovers a journal that the caller has opened and locked. */
static Status recover_locked(const RunDirectory *run, const char *folder, const char *name,
                             const Path *path, int *games, Error *err) {
    char stem[81];
    Recovery recovery = {.stem = stem};
    snprintf(stem, sizeof stem, "%.*s", (int)(strlen(name) - strlen(".journal")), name);
    Status status = file_reader_open(path->text, &recovery.reader, err);
    if (!status) status = recover_games(&recovery, run, folder, err);
    int64_t left = file_bytes(path->text) - recovery.bytes;
    if (!status && left > 0)
        log_warning("%s: the last %lld bytes are not a whole game and are dropped", path->text,
                    (long long)left);
    if (!status) status = file_remove(path->text, err);
    if (!status) *games += (int)recovery.games;
    file_reader_close(&recovery.reader);
    rows_clear(&recovery.rows);
    journal_free(recovery.journal);
    return status;
}

static Status recover_one(const RunDirectory *run, const char *folder, const char *name, int *games,
                          Error *err) {
    Path path, parent;
    Status status = path_join(&parent, run->rows.text, folder, err);
    if (!status) status = path_join(&path, parent.text, name, err);
    if (status) return status;
    int file = open(path.text, O_RDWR | O_CLOEXEC); /* NFS locks only files open for writing */
    if (file < 0)
        return file_exists(path.text) ? fail(err, ERR_IO, "cannot open %s", path.text) : OK;
    if (run_lock_try(file)) status = recover_locked(run, folder, name, &path, games, err);
    close(file);
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
