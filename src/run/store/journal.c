/* How a journal is written:
 *
 *   1. journal_open() creates the file under a free name WORKER-K and locks it. Without the lock,
 *      another process that starts would take this file for the journal of a killed worker, and
 *      recover it.
 *   2. journal_add() appends each finished game (a header with a checksum, the SGF line and the
 *      packed rows) and flushes the file. If a game cannot be written whole, it is cut off again.
 *   3. The games and rows are also kept in memory. journal_publish() writes them from memory to a
 *      row file and a game file, with a note, and then removes the journal.
 *   4. All these files share the name WORKER-K. At whatever moment a process is killed,
 *      journal_recover() writes files with the same names and contents. So no game that is in the
 *      journal is lost or counted twice. */
#include "run/store/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/log.h"
#include "data/rows/row_file.h"
#include "run/store/journal_private.h"
#include "run/store/run_lock.h"

static Status set_path(Path *out, const Path *folder, const char *name, const char *suffix,
                       Error *err) {
    char full[96];
    snprintf(full, sizeof full, "%.80s%s", name, suffix);
    return path_join(out, folder->text, full, err);
}

Status journal_set_name(Journal *journal, const char *name, Error *err) {
    Status status = set_path(&journal->path, &journal->rows_folder, name, ".journal", err);
    if (!status) status = set_path(&journal->rows_path, &journal->rows_folder, name, ".npz", err);
    if (!status) status = set_path(&journal->note_path, &journal->rows_folder, name, ".count", err);
    return status ? status
                  : set_path(&journal->games_path, &journal->games_folder, name, ".sgfs", err);
}

Status journal_new(const RunDirectory *run, const char *folder, int length, Journal **out,
                   Error *err) {
    Journal *journal;
    *out = NULL;
    Status status = mem_new(1, sizeof *journal, &journal, err);
    if (status) return status;
    status = path_join(&journal->rows_folder, run->rows.text, folder, err);
    if (!status) status = path_join(&journal->games_folder, run->games.text, folder, err);
    if (!status) status = rows_init(&journal->rows, length, err);
    if (status) {
        free(journal);
        return status;
    }
    *out = journal;
    return OK;
}

void journal_free(Journal *journal) {
    if (!journal) return;
    if (journal->stream) fclose(journal->stream);
    rows_clear(&journal->rows);
    strbuf_clear(&journal->games);
    free(journal);
}

/* Creates the journal's file and locks it. Sets `*made` to false if another process was faster,
 * that is, if it created the file first or already recovers the new file. */
static Status create(Journal *journal, bool *made, Error *err) {
    *made = false;
    int file = open(journal->path.text, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return errno == EEXIST
                   ? OK
                   : fail(err, ERR_IO, "cannot write %s: %s", journal->path.text, strerror(errno));
    bool locked;
    Status status = run_lock_try(file, journal->path.text, &locked, err);
    if (status) (void)!unlink(journal->path.text);
    if (!status && locked) journal->stream = fdopen(file, "wb");
    *made = journal->stream != NULL;
    if (*made)
        file_sync_name(journal->path.text); /* syncing the file later does not sync its name */
    else
        close(file);
    return status;
}

enum { NAMES_MAX = 1000000 };

/* Names the journal WORKER-K. Sets `*taken` to whether a file of that name exists already. */
static Status set_number(Journal *journal, const char *worker, int k, bool *taken, Error *err) {
    char name[96];
    snprintf(name, sizeof name, "%.64s-%04d", worker, k);
    Status status = journal_set_name(journal, name, err);
    *taken =
        !status && (file_exists(journal->path.text) || file_exists(journal->rows_path.text) ||
                    file_exists(journal->games_path.text) || file_exists(journal->note_path.text));
    return status;
}

/* Finds a free number K. It is the lowest free number if the numbers in use have no gaps. A folder
 * may have thousands of files. So the search doubles its step until it finds a free number, and
 * then bisects. */
static Status find_free(Journal *journal, const char *worker, int *out, Error *err) {
    int last_taken = -1, first_free = 0; /* bounds of the bisection */
    bool taken;
    Status status = set_number(journal, worker, first_free, &taken, err);
    for (int step = 1; !status && taken && first_free < NAMES_MAX; step *= 2) {
        last_taken = first_free;
        first_free += step;
        status = set_number(journal, worker, first_free, &taken, err);
    }
    while (!status && first_free - last_taken > 1) {
        int middle = last_taken + (first_free - last_taken) / 2;
        status = set_number(journal, worker, middle, &taken, err);
        if (taken)
            last_taken = middle;
        else
            first_free = middle;
    }
    *out = first_free;
    return status;
}

/* Creates the journal under a free name. If another process takes this name in the meantime, tries
 * the next free name. */
static Status create_anew(Journal *journal, const char *worker, Error *err) {
    bool made = false, taken;
    int first;
    Status status = find_free(journal, worker, &first, err);
    for (int k = first; !status && k < NAMES_MAX && !made; k++) {
        status = set_number(journal, worker, k, &taken, err);
        if (!status && !taken) status = create(journal, &made, err);
    }
    if (status) return status;
    return made ? OK
                : fail(err, ERR_IO, "%s: the names %s-0000 to %s-%d are all in use",
                       journal->rows_folder.text, worker, worker, NAMES_MAX - 1);
}

Status journal_open(const RunDirectory *run, int net, const char *worker, int length, Journal **out,
                    Error *err) {
    Status status = journal_new(run, net_number(net).text, length, out, err);
    if (status) return status;
    Journal *journal = *out;
    status = directory_make(journal->rows_folder.text, err);
    if (!status) status = directory_make(journal->games_folder.text, err);
    if (!status) status = create_anew(journal, worker, err);
    if (status) {
        journal_free(journal);
        *out = NULL;
    }
    return status;
}

Status journal_remember(Journal *journal, const char *sgf, size_t sgf_bytes, const Rows *rows,
                        Error *err) {
    size_t before = journal->games.length;
    strbuf_add_bytes(&journal->games, sgf, sgf_bytes);
    strbuf_add(&journal->games, "\n");
    Status status = strbuf_status(&journal->games, err);
    if (!status) status = rows_add_points(&journal->rows, rows->point_columns, err);
    if (!status) status = rows_append(&journal->rows, rows, 0, rows->count, err);
    if (status && journal->games.text) {
        journal->games.length = before;
        journal->games.text[before] = 0;
        journal->games.failed = false;
    }
    if (!status) journal->game_count++;
    return status;
}

static Status write_game(Journal *journal, const char *sgf, size_t sgf_bytes, const Rows *rows,
                         Error *err) {
    StrBuf body = {0};
    strbuf_add_bytes(&body, sgf, sgf_bytes);
    rows_to_bytes(rows, &body);
    Status status = strbuf_status(&body, err);
    if (!status) {
        JournalHeader header = {.length = (uint16_t)rows->length,
                                .point_columns = (uint16_t)rows->point_columns,
                                .rows = (uint32_t)rows->count,
                                .sgf_bytes = (uint32_t)sgf_bytes,
                                .crc = hash_crc32(body.text, body.length),
                                .bytes = body.length};
        memcpy(header.magic, JOURNAL_MAGIC_STEM, JOURNAL_MAGIC_STEM_BYTES);
        header.magic[JOURNAL_MAGIC_STEM_BYTES] =
            rows->point_columns ? JOURNAL_VERSION_POINTS : JOURNAL_VERSION_PLAIN;
        long start = ftell(journal->stream);
        errno = 0;
        bool written = fwrite(&header, sizeof header, 1, journal->stream) == 1 &&
                       fwrite(body.text, 1, body.length, journal->stream) == body.length &&
                       fflush(journal->stream) == 0;
        if (!written) {
            status = fail(err, ERR_IO, "cannot add a game to %s: %s", journal->path.text,
                          strerror(errno ? errno : EIO));
            clearerr(journal->stream);
            if (start >= 0 && !ftruncate(fileno(journal->stream), start))
                fseek(journal->stream, start, SEEK_SET);
        }
    }
    strbuf_clear(&body);
    return status;
}

/* Undoes journal_remember() for the newest game. */
static void forget_game(Journal *journal, size_t text_before, size_t rows_before) {
    journal->games.length = text_before;
    journal->games.text[text_before] = 0;
    journal->rows.count = rows_before;
    journal->game_count--;
}

Status journal_add(Journal *journal, const char *sgf_line, const Rows *rows, Error *err) {
    size_t bytes = strlen(sgf_line);
    while (bytes && sgf_line[bytes - 1] == '\n')
        bytes--;
    if (rows->count > GAME_ROWS_MAX || bytes > GAME_TEXT_MAX)
        return fail(err, ERR_ARGUMENT,
                    "a game has %zu rows and %zu bytes of SGF; at most %d rows and %d bytes are "
                    "allowed",
                    rows->count, bytes, GAME_ROWS_MAX, GAME_TEXT_MAX);
    if (memchr(sgf_line, '\n', bytes))
        return fail(err, ERR_ARGUMENT, "the SGF of a game has several lines; one is wanted");
    size_t text_before = journal->games.length, rows_before = journal->rows.count;
    Status status = journal_remember(journal, sgf_line, bytes, rows, err);
    if (status) return status;
    status = write_game(journal, sgf_line, bytes, rows, err);
    if (status) {
        forget_game(journal, text_before, rows_before);
        return status;
    }
    if (journal->unsynced_since == 0) journal->unsynced_since = clock_seconds();
    return OK;
}

Status journal_sync_file(int file, const char *path, Error *err) {
    /* EINVAL and ENOSYS mean that the file system cannot sync. Nothing more can be done then. */
    if (fdatasync(file) && errno != EINVAL && errno != ENOSYS)
        return fail(err, ERR_IO, "cannot sync %s: %s", path, strerror(errno));
    return OK;
}

static Status sync_games(Journal *journal, Error *err) {
    if (journal->unsynced_since == 0) return OK;
    Status status = journal_sync_file(fileno(journal->stream), journal->path.text, err);
    if (!status) journal->unsynced_since = 0;
    return status;
}

Status journal_sync_if_due(Journal *journal, Error *err) {
    if (journal->unsynced_since == 0) return OK;
    double now = clock_seconds();
    if (now - journal->unsynced_since < JOURNAL_SYNC_SECONDS) return OK;
    Status status = sync_games(journal, err);
    if (status) journal->unsynced_since = now;
    return status;
}

bool journal_is_full(const Journal *journal, size_t rows) {
    size_t max = JOURNAL_BYTES / rows_bytes(journal->rows.length);
    return journal->game_count &&
           (journal->rows.count + rows > max || journal->games.length > JOURNAL_BYTES);
}

void journal_keep_name(Journal *journal) {
    journal->name_kept = true;
}

const char *journal_name(const Journal *journal) {
    return path_name(journal->path.text);
}

int64_t journal_games(const Journal *journal) {
    return journal->game_count;
}

void journal_note(Journal *journal, int64_t evaluations, double multiply_adds) {
    journal->note.evaluations += evaluations;
    journal->note.multiply_adds += multiply_adds;
}

/* The beginning of the first line of a note. This line has the CRC-32 of the lines after it. */
#define NOTE_CRC "crc32 "

static Status write_note(const Journal *journal, Error *err) {
    char text[192], all[256];
    int length =
        snprintf(text, sizeof text, "games %lld\nrows %zu\nevaluations %lld\nmultiply_adds %.17g\n",
                 (long long)journal->game_count, journal->rows.count,
                 (long long)journal->note.evaluations, journal->note.multiply_adds);
    length = snprintf(all, sizeof all, NOTE_CRC "%08x\n%s",
                      (unsigned)hash_crc32(text, (size_t)length), text);
    return file_write(journal->note_path.text, all, (size_t)length, err);
}

/* Returns the number after `word` in the text of a note, or 0 if it is missing or impossible. */
static double number_after(const char *text, const char *word) {
    const char *at = strstr(text, word);
    double value = at ? strtod(at + strlen(word), NULL) : 0;
    return value > 0 && value < 1e30 ? value : 0;
}

/* Counts the lines of a game file. Their number is 0 if there is no such file. */
static Status count_lines(const char *path, int64_t *lines, Error *err) {
    FileReader reader;
    *lines = 0;
    if (!file_exists(path)) return OK;
    Status status = file_reader_open(path, &reader, err);
    if (status) return status;
    for (size_t length = 1; !status && length;) {
        char *bytes;
        status = file_reader_take(&reader, 1 << 16, &bytes, &length, err);
        if (status) break;
        for (size_t i = 0; i < length; i++)
            *lines += bytes[i] == '\n';
        free(bytes);
    }
    file_reader_close(&reader);
    return status;
}

/* Returns whether the text of a note is undamaged. Notes of earlier versions have no checksum. */
static bool note_is_sound(const char *text, size_t length) {
    enum { CRC_LINE = sizeof NOTE_CRC - 1 + 8 + 1 };
    char first[CRC_LINE + 1];
    if (strlen(text) != length) return false;
    if (strncmp(text, "games ", 6) == 0) return text[length - 1] == '\n';
    if (length < CRC_LINE) return false;
    snprintf(first, sizeof first, NOTE_CRC "%08x\n",
             (unsigned)hash_crc32(text + CRC_LINE, length - CRC_LINE));
    return memcmp(text, first, CRC_LINE) == 0;
}

/* Counts the games of a row file whose note is damaged. The games of RUN/rows/NNNNNN/NAME.npz are
 * in RUN/games/NNNNNN/NAME.sgfs. Returns 0 if there is no such file. */
static int64_t games_beside(const char *rows_path, size_t stem) {
    static const char ROWS[] = "/rows/";
    int64_t games = 0;
    Path path;
    size_t at = stem;
    while (at > 0 && strncmp(rows_path + at, ROWS, strlen(ROWS)) != 0)
        at--;
    int length = snprintf(path.text, sizeof path.text, "%.*s/games/%.*s.sgfs", (int)at, rows_path,
                          (int)(stem - at - strlen(ROWS)), rows_path + at + strlen(ROWS));
    bool found = at > 0 && length > 0 && (size_t)length < sizeof path.text;
    return found && !count_lines(path.text, &games, NULL) ? games : 0;
}

WorkNote work_note_read(const char *rows_path) {
    Arena arena = {0};
    WorkNote note = {.rows = -1};
    Path path;
    char *text;
    size_t length, stem = strlen(rows_path);
    if (path_has_ending(rows_path, ".npz")) stem -= strlen(".npz");
    if (stem + sizeof ".count" > sizeof path.text) return note;
    snprintf(path.text, sizeof path.text, "%.*s.count", (int)stem, rows_path);
    bool read = file_exists(path.text) && !file_read(path.text, 4096, &arena, &text, &length, NULL);
    if (read && note_is_sound(text, length)) {
        note = (WorkNote){.games = (int64_t)fmin(number_after(text, "games "), 1e15),
                          .rows = strstr(text, "\nrows ")
                                      ? (int64_t)fmin(number_after(text, "\nrows "), 1e15)
                                      : -1,
                          .evaluations = (int64_t)fmin(number_after(text, "evaluations "), 1e18),
                          .multiply_adds = number_after(text, "multiply_adds ")};
    } else if (read) {
        note.games = games_beside(rows_path, stem);
        log_warning("%s is damaged: the game file has %lld games, and their evaluations are not "
                    "counted, unless the index has them",
                    path.text, (long long)note.games);
    }
    arena_clear(&arena);
    return note;
}

/* Counts the rows of a row file. Their number is -1 if there is no such file or it is damaged. */
static Status count_rows(const char *path, int64_t *rows, Error *err) {
    RowFileSize size;
    *rows = -1;
    if (!file_exists(path)) return OK;
    Status status = row_file_size(path, &size, err);
    if (!status) *rows = size.rows;
    return status == ERR_SYNTAX ? OK : status;
}

/* Writes the row file. If there is already a row file of this name with at least as many rows, only
 * syncs its name, because the process that wrote the file may have been killed before it could sync
 * the name. */
static Status write_rows(const Journal *journal, Error *err) {
    int64_t rows;
    Status status = count_rows(journal->rows_path.text, &rows, err);
    if (status) return status;
    if (rows < (int64_t)journal->rows.count)
        return row_file_write(journal->rows_path.text, &journal->rows, err);
    file_sync_name(journal->rows_path.text);
    return OK;
}

/* Does the same with the game file, by the number of games. */
static Status write_games(const Journal *journal, Error *err) {
    int64_t games;
    Status status = count_lines(journal->games_path.text, &games, err);
    if (status) return status;
    if (games < journal->game_count)
        return file_write(journal->games_path.text, journal->games.text, journal->games.length,
                          err);
    file_sync_name(journal->games_path.text);
    return OK;
}

/* The note is written first, then the row file, and last the game file. So if a game file exists,
 * its row file and its note exist, too. A row file is written even if no game has rows, because the
 * games of a journal are counted when its row file is found. */
Status journal_write_files(const Journal *journal, Error *err) {
    Status status = OK;
    bool note = journal->game_count || journal->name_kept;
    if (note && work_note_read(journal->rows_path.text).games <= journal->game_count)
        status = write_note(journal, err);
    if (status || !journal->game_count) return status;
    status = directory_make(journal->games_folder.text, err);
    if (!status) status = write_rows(journal, err);
    return status ? status : write_games(journal, err);
}

Status journal_publish(Journal *journal, Error *err) {
    /* If the power fails before the removal of the journal is on disk, the journal comes back. Its
     * games are synced first, so that the journal has all games if it comes back. */
    Status status = sync_games(journal, err);
    if (!status) status = journal_write_files(journal, err);
    if (status) return status; /* the caller tries again, or the next start recovers it */
    Error fault = {0};
    if (file_remove(journal->path.text, &fault)) /* the next start writes the same files again */
        log_warning("%s", fault.message);
    journal_free(journal);
    return OK;
}
