#include "run/journal.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "data/row_file.h"
#include "run/run_lock.h"

/* One game: this header, the SGF line, then the columns of its rows. All little-endian. */
typedef struct {
    char magic[8];
    uint32_t length, rows, sgf_bytes, crc; /* crc of what follows the header */
    uint64_t bytes;                        /* of what follows the header */
} Header;
static const char MAGIC[8] = {'A', 'J', 'I', 'G', 'A', 'M', 'E', '1'};

typedef struct {
    void *values;
    size_t bytes;
} Column;
enum { COLUMNS = 7 };

struct Journal {
    Path rows_folder, games_folder, path; /* of the journal */
    Path rows_path, games_path;           /* what it becomes: WORKER-K, as the journal is called */
    Path note_path;
    bool noted;
    WorkNote note;
    FILE *stream;
    Rows rows;
    StrBuf games;
    int64_t game_count;
};

static void columns_of(const Rows *rows, Column out[COLUMNS]) {
    size_t area = (size_t)rows->length * (size_t)rows->length, n = rows->count;
    out[0] = (Column){rows->planes, n * FEATURE_PLANES * ((area + 7) / 8)};
    out[1] = (Column){rows->globals, n * FEATURE_GLOBALS * sizeof(float)};
    out[2] = (Column){rows->policy, n * 2 * (area + 1) * sizeof(int16_t)};
    out[3] = (Column){rows->targets, n * ROW_GLOBAL_TARGETS * sizeof(float)};
    out[4] = (Column){rows->score, n * (2 * area + 120)};
    out[5] = (Column){rows->values, n * 5 * area};
    out[6] = (Column){rows->q_values, n * 3 * (area + 1) * sizeof(int16_t)};
}

static Status place(Path *out, const Path *folder, const char *name, const char *suffix,
                    Error *err) {
    char full[96];
    snprintf(full, sizeof full, "%.80s%s", name, suffix);
    return path_join(out, folder->text, full, err);
}

/* The journal and the files that it becomes share the name WORKER-K: whatever moment a kill hits,
 * publishing again writes the same files once more, and no game is there twice. */
static Status name_all(Journal *journal, const char *name, Error *err) {
    Status status = place(&journal->path, &journal->rows_folder, name, ".journal", err);
    if (!status) status = place(&journal->rows_path, &journal->rows_folder, name, ".npz", err);
    if (!status) status = place(&journal->note_path, &journal->rows_folder, name, ".count", err);
    return status ? status
                  : place(&journal->games_path, &journal->games_folder, name, ".sgfs", err);
}

static Status journal_new(const RunDirectory *run, const char *folder, int length, Journal **out,
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

/* Makes the journal's file and locks it, so that no start of another process recovers it. Not made:
 * another process was there first. */
static Status create(Journal *journal, bool *made, Error *err) {
    *made = false;
    int file = open(journal->path.text, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return file_exists(journal->path.text)
                   ? OK
                   : fail(err, ERR_IO, "cannot write %s", journal->path.text);
    if (run_lock_take(file)) journal->stream = fdopen(file, "wb");
    *made = journal->stream != NULL;
    if (!*made) close(file);
    return OK;
}

enum { NAMES_MOST = 1000000 };

/* Names the journal WORKER-K; `*taken`: something of that name is there. */
static Status name_number(Journal *journal, const char *worker, int k, bool *taken, Error *err) {
    char name[96];
    snprintf(name, sizeof name, "%.64s-%04d", worker, k);
    Status status = name_all(journal, name, err);
    *taken = !status && (file_exists(journal->path.text) || file_exists(journal->rows_path.text) ||
                         file_exists(journal->games_path.text));
    return status;
}

/* A K of which nothing is there, the first where they have no gaps: by steps that double, then
 * halves, as a folder may have thousands. */
static Status find_free(Journal *journal, const char *worker, int *out, Error *err) {
    int taken_to = -1, free_from = 0; /* known as taken; later, and free */
    bool taken;
    Status status = name_number(journal, worker, free_from, &taken, err);
    for (int step = 1; !status && taken && free_from < NAMES_MOST; step *= 2) {
        taken_to = free_from;
        free_from += step;
        status = name_number(journal, worker, free_from, &taken, err);
    }
    while (!status && free_from - taken_to > 1) {
        int middle = taken_to + (free_from - taken_to) / 2;
        status = name_number(journal, worker, middle, &taken, err);
        if (taken)
            taken_to = middle;
        else
            free_from = middle;
    }
    *out = free_from;
    return status;
}

/* Of names that are free. Another process may take them meanwhile. */
static Status create_anew(Journal *journal, const char *worker, Error *err) {
    bool made = false, taken;
    int first;
    Status status = find_free(journal, worker, &first, err);
    for (int k = first; !status && k < NAMES_MOST && !made; k++) {
        status = name_number(journal, worker, k, &taken, err);
        if (!status && !taken) status = create(journal, &made, err);
    }
    if (status) return status;
    return made ? OK : fail(err, ERR_IO, "%s is full of files", journal->rows_folder.text);
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

/* On failure the journal's games and rows are as before. */
static Status remember(Journal *journal, const char *sgf, size_t sgf_bytes, const Rows *rows,
                       Error *err) {
    size_t before = journal->games.length;
    strbuf_add_bytes(&journal->games, sgf, sgf_bytes);
    strbuf_add(&journal->games, "\n");
    Status status = strbuf_status(&journal->games, err);
    if (!status) status = rows_append(&journal->rows, rows, 0, rows->count, err);
    if (status && journal->games.text) {
        journal->games.length = before;
        journal->games.text[before] = 0;
    }
    if (!status) journal->game_count++;
    return status;
}

static Status write_game(Journal *journal, const char *sgf, size_t sgf_bytes, const Rows *rows,
                         Error *err) {
    Column columns[COLUMNS];
    columns_of(rows, columns);
    StrBuf body = {0};
    strbuf_add_bytes(&body, sgf, sgf_bytes);
    for (int i = 0; i < COLUMNS; i++) {
        if (columns[i].bytes) strbuf_add_bytes(&body, columns[i].values, columns[i].bytes);
    }
    Status status = strbuf_status(&body, err);
    if (!status) {
        Header header = {.length = (uint32_t)rows->length,
                         .rows = (uint32_t)rows->count,
                         .sgf_bytes = (uint32_t)sgf_bytes,
                         .crc = hash_crc32(body.text, body.length),
                         .bytes = body.length};
        memcpy(header.magic, MAGIC, sizeof MAGIC);
        long start = ftell(journal->stream);
        bool written = fwrite(&header, sizeof header, 1, journal->stream) == 1 &&
                       fwrite(body.text, 1, body.length, journal->stream) == body.length &&
                       fflush(journal->stream) == 0;
        if (!written) {
            clearerr(journal->stream);
            if (start >= 0 && !ftruncate(fileno(journal->stream), start))
                fseek(journal->stream, start, SEEK_SET);
            status = fail(err, ERR_IO, "cannot add a game to %s (disk full?)", journal->path.text);
        }
    }
    strbuf_clear(&body);
    return status;
}

Status journal_add(Journal *journal, const char *sgf_line, const Rows *rows, Error *err) {
    size_t bytes = strlen(sgf_line);
    while (bytes && sgf_line[bytes - 1] == '\n')
        bytes--;
    Status status = write_game(journal, sgf_line, bytes, rows, err);
    return status ? status : remember(journal, sgf_line, bytes, rows, err);
}

const char *journal_name(const Journal *journal) {
    return path_name(journal->path.text);
}

int64_t journal_games(const Journal *journal) {
    return journal->game_count;
}

void journal_note(Journal *journal, int64_t evaluations, double multiply_adds) {
    journal->noted = true;
    journal->note.evaluations += evaluations;
    journal->note.multiply_adds += multiply_adds;
}

static Status write_note(const Journal *journal, Error *err) {
    char text[160];
    int length = snprintf(text, sizeof text, "games %lld\nevaluations %lld\nmultiply_adds %.17g\n",
                          (long long)journal->game_count, (long long)journal->note.evaluations,
                          journal->note.multiply_adds);
    return file_write(journal->note_path.text, text, (size_t)length, err);
}

/* The number after `word` at the start of a line; 0: none that can be. */
static double noted(const char *text, const char *word) {
    const char *at = strstr(text, word);
    double value = at ? strtod(at + strlen(word), NULL) : 0;
    return value > 0 && value < 1e30 ? value : 0;
}

WorkNote work_note_read(const char *rows_path) {
    Arena arena = {0};
    WorkNote note = {0};
    Path path;
    char *text;
    size_t length, stem = strlen(rows_path);
    if (path_has_ending(rows_path, ".npz")) stem -= strlen(".npz");
    if (stem + sizeof ".count" > sizeof path.text) return note;
    snprintf(path.text, sizeof path.text, "%.*s.count", (int)stem, rows_path);
    if (file_exists(path.text) && !file_read(path.text, 4096, &arena, &text, &length, NULL))
        note = (WorkNote){.games = (int64_t)fmin(noted(text, "games "), 1e15),
                          .evaluations = (int64_t)fmin(noted(text, "evaluations "), 1e18),
                          .multiply_adds = noted(text, "multiply_adds ")};
    arena_clear(&arena);
    return note;
}

Status journal_publish(Journal *journal, Error *err) {
    Status status = OK;
    if (journal->game_count) {
        status = directory_make(journal->games_folder.text, err);
        if (!status && journal->noted) status = write_note(journal, err);
        if (!status && journal->rows.count)
            status = row_file_write(journal->rows_path.text, &journal->rows, err);
        if (!status)
            status = file_write(journal->games_path.text, journal->games.text,
                                journal->games.length, err);
    }
    if (status)
        return status; /* the journal stays: the caller tries again, or the next start recovers it
                        */
    Error fault = {0};
    if (file_remove(journal->path.text, &fault)) /* the next start writes the same files again */
        log_warning("%s", fault.message);
    journal_free(journal);
    return OK;
}

/* One game from the text of a journal; false: what is there is not whole. */
static bool read_game(Journal *journal, const char *text, size_t left, size_t *used) {
    Header header;
    if (left < sizeof header) return false;
    memcpy(&header, text, sizeof header);
    const char *body = text + sizeof header;
    if (memcmp(header.magic, MAGIC, sizeof MAGIC) != 0 || header.bytes > left - sizeof header ||
        header.sgf_bytes > header.bytes || (int)header.length != journal->rows.length ||
        header.rows > 100000)
        return false;
    if (hash_crc32(body, header.bytes) != header.crc) return false;
    Rows view = {.length = (int)header.length, .count = header.rows, .capacity = header.rows};
    Column columns[COLUMNS];
    columns_of(&view, columns);
    size_t bytes = header.sgf_bytes;
    for (int i = 0; i < COLUMNS; i++)
        bytes += columns[i].bytes;
    if (bytes != header.bytes) return false;
    /* Copied, as columns inside the text are not aligned. */
    char *copy = malloc(bytes + 64 * COLUMNS);
    if (!copy) return false;
    void *places[COLUMNS];
    size_t from = header.sgf_bytes, to = 0;
    for (int i = 0; i < COLUMNS; i++) {
        memcpy(copy + to, body + from, columns[i].bytes);
        places[i] = copy + to;
        from += columns[i].bytes;
        to += (columns[i].bytes + 63) / 64 * 64;
    }
    view.planes = places[0], view.globals = places[1], view.policy = places[2],
    view.targets = places[3];
    view.score = places[4], view.values = places[5], view.q_values = places[6];
    bool good = !rows_check(&view, NULL) && !remember(journal, body, header.sgf_bytes, &view, NULL);
    free(copy);
    *used = sizeof header + header.bytes;
    return good;
}

/* The games of `text`, up to the first that is not whole, into a journal of that name. */
static Status read_games(Journal *journal, const char *stem, const char *text, size_t length,
                         Error *err) {
    size_t at = 0, used = 0;
    Status status = name_all(journal, stem, err);
    while (!status && at < length && read_game(journal, text + at, length - at, &used))
        at += used;
    if (!status && at < length)
        log_warning("%s: the last %zu bytes were cut off and are dropped", journal->path.text,
                    length - at);
    return status;
}

/* `file` is the journal, open and locked; it is closed here. */
static Status recover_locked(const RunDirectory *run, const char *folder, const char *name,
                             const Path *path, int file, int *games, Error *err) {
    Arena arena = {0};
    char stem[81], *text;
    size_t length = 0;
    snprintf(stem, sizeof stem, "%.*s", (int)(strlen(name) - strlen(".journal")), name);
    Status status = file_read(path->text, (size_t)4 << 30, &arena, &text, &length, err);
    Header first = {0};
    if (!status && length >= sizeof first) memcpy(&first, text, sizeof first);
    bool sound = first.length >= 2 && first.length <= BOARD_EDGE_MAX;
    Journal *journal = NULL;
    if (!status && sound) status = journal_new(run, folder, (int)first.length, &journal, err);
    if (!status && journal) status = read_games(journal, stem, text, length, err);
    if (!status && journal) {
        int count = (int)journal->game_count;
        journal_note(journal, 0, 0); /* what the games cost is not known */
        status = journal_publish(journal, err);
        if (!status) *games += count;
        if (!status) journal = NULL;
    } else if (!status) {
        status = file_remove(path->text, err);
    }
    journal_free(journal);
    close(file);
    arena_clear(&arena);
    return status;
}

static Status recover_one(const RunDirectory *run, const char *folder, const char *name, int *games,
                          Error *err) {
    Path path, parent;
    Status status = path_join(&parent, run->rows.text, folder, err);
    if (!status) status = path_join(&path, parent.text, name, err);
    if (status) return status;
    int file = open(path.text, O_RDWR | O_CLOEXEC); /* as some systems' locks want it */
    if (file < 0)
        return file_exists(path.text) ? fail(err, ERR_IO, "cannot open %s", path.text) : OK;
    if (run_lock_take(file)) return recover_locked(run, folder, name, &path, file, games, err);
    close(file);
    return OK;
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
            size_t length = strlen(names[k]);
            if (length > 8 && strcmp(names[k] + length - 8, ".journal") == 0)
                status = recover_one(run, folders[i], names[k], recovered_games, err);
        }
    }
    arena_clear(&arena);
    return status;
}
