#include "data/shards/row_shards.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/thread.h"
#include "data/rows/row_file.h"
#include "data/rows/row_pack.h"

const SettingsField ROW_SHARDS_FIELDS[] = {
    FIELD_DOUBLE(RowShardsSettings, validation, 0.05, 0, 1,
                 "fraction of the games that are kept for validation, chosen by the hash of their "
                 "moves",
                 .source = "GoNN, cpp/write.cpp"),
    FIELD_INT(
        RowShardsSettings, size, 0, 0, BOARD_SIDE_MAX,
        "height and width of the frames in which boards lie; larger boards are dropped; 0: as "
        "the largest board that is kept"),
    FIELD_INT(RowShardsSettings, shard_rows, 10000, 1, 100000, "maximum number of rows in a file"),
    FIELD_INT(RowShardsSettings, pool_rows, 200000, 1, 1 << 30,
              "rows that are shuffled together and spread over files; about 1.4 KB of memory each",
              .source = "GoNN, cpp/write.cpp"),
    FIELD_INT64(RowShardsSettings, seed, 1, 0, 9e15, "seed of the order of the rows"),
    FIELD_INT(RowShardsSettings, threads, 0, 0, 4096,
              "threads; 0: one per processor that this process may use; the rows are the same with "
              "any number"),
    {0},
};

/* write_pool() makes one pool after the other:
 *   1. The index of the games (game_index.h) has the number of rows of each game. So the shards of
 *      a pool, and the place of each row in them, are known before any row is made. A pool whose
 *      shards all exist is left out.
 *   2. make_rows() runs on each thread. It takes the next game, makes its rows, and keeps them
 *      packed.
 *   3. write_shards() runs on each thread. It takes the next shard that is missing, unpacks its
 *      rows in a random order, and writes them.
 * The rows and files do not depend on which thread does what. */

typedef struct {
    const GameIndexEntry *entry;
    char *bytes;    /* its packed rows, one after the other */
    uint32_t *ends; /* [rows]: where each row ends in `bytes` */
} PoolGame;

/* A row of the pool: its game, and its number in this game. */
typedef struct {
    uint32_t game, row;
} PoolRow;

typedef struct {
    const RowShardsSetup *setup;
    RowShardsState *state;
    int file; /* descriptor of the file of games */
    int length, threads;
    PoolGame *games;
    size_t game_count, game_capacity;
    PoolRow *rows; /* in the order in which they are written */
    size_t row_count, row_capacity;
    int number, first_shard, shards; /* the pool's number, its first shard, how many it has */
    atomic_int next;                 /* the next game, or shard, that a thread takes */
    pthread_mutex_t lock;
    Status status; /* guarded by lock: the first failure; `error` has its message */
    Error error;
    atomic_bool failed;
    int64_t made, written; /* guarded by lock: rows of this pool */
} Work;

static void note_failure(Work *work, Status status, const Error *fault) {
    pthread_mutex_lock(&work->lock);
    if (!work->status) {
        work->status = status;
        work->error = *fault;
    }
    pthread_mutex_unlock(&work->lock);
    atomic_store(&work->failed, true);
}

/* Counts rows that were made or written. Thread 0, which is the caller's thread, also calls the
 * watch. */
static void tell(Work *work, int index, int64_t made, int64_t written, int shards) {
    const RowShardsWatch *watch = work->setup->watch;
    Error fault = {0};
    pthread_mutex_lock(&work->lock);
    work->made += made;
    work->written += written;
    work->state->shards_done += shards;
    RowShardsState state = *work->state;
    state.rows_done += (work->made + work->written) / 2;
    pthread_mutex_unlock(&work->lock);
    Status status = index == 0 && watch ? watch->report(watch->context, &state, &fault) : OK;
    if (status) note_failure(work, status, &fault);
}

/* Reads the bytes of a game from the file of games. The caller frees `*out`. */
static Status read_game(const Work *work, const GameIndexEntry *entry, char **out, Error *err) {
    Status status = mem_new((size_t)entry->bytes + 1, 1, out, err);
    size_t at = 0;
    while (!status && at < entry->bytes) {
        ssize_t got = pread(work->file, *out + at, entry->bytes - at, (off_t)(entry->offset + at));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0)
            status = fail(err, got ? ERR_IO : ERR_SYNTAX, "cannot read %s: %s",
                          work->setup->games_path, got ? strerror(errno) : "it is cut short");
        else
            at += (size_t)got;
    }
    return status;
}

/* Initialises `rows` with the columns that are wanted. */
static Status begin_rows(const Work *work, Rows *rows, Error *err) {
    Status status = rows_init(rows, work->length, err);
    if (!status && work->setup->maker.players) status = rows_add_players(rows, err);
    if (!status) status = rows_add_points(rows, work->setup->maker.point_columns, err);
    return status;
}

/* Packs the rows of a game. */
static Status pack_rows(PoolGame *game, const Rows *rows, Error *err) {
    StrBuf packed = {0};
    Status status = mem_new(rows->count, sizeof *game->ends, &game->ends, err);
    for (size_t i = 0; i < rows->count && !status; i++) {
        row_pack(rows, i, &packed);
        status = strbuf_status(&packed, err);
        game->ends[i] = (uint32_t)packed.length;
    }
    if (!status) status = mem_new(packed.length + 1, 1, &game->bytes, err);
    if (!status) memcpy(game->bytes, packed.text, packed.length);
    strbuf_clear(&packed);
    return status;
}

static Status make_game(const Work *work, PoolGame *game, Rows *rows, Error *err) {
    const RowShardsSetup *setup = work->setup;
    const GameIndexEntry *entry = game->entry;
    const RowMaker *maker = &setup->maker;
    char *bytes = NULL;
    Status status = read_game(work, entry, &bytes, err);
    Rng rng = rng_seeded(entry->hash[1] ^ (uint64_t)setup->settings->seed);
    rows->count = 0;
    if (!status) status = maker->make(maker->context, bytes, entry, &rng, rows, err);
    if (!status && rows->count != entry->rows)
        status =
            fail(err, ERR_SYNTAX, "%s: the game at byte %llu has %zu rows, wanted %u",
                 setup->games_path, (unsigned long long)entry->offset, rows->count, entry->rows);
    if (!status) status = pack_rows(game, rows, err);
    free(bytes);
    return status;
}

/* Takes games and makes their rows. Runs on each thread. */
static void make_rows(void *argument, int index) {
    Work *work = argument;
    Rows rows;
    Error fault = {0};
    Status status = begin_rows(work, &rows, &fault);
    while (!status && !atomic_load(&work->failed)) {
        int next = atomic_fetch_add(&work->next, 1);
        if (next >= (int)work->game_count) break;
        status = make_game(work, &work->games[next], &rows, &fault);
        if (!status) tell(work, index, work->games[next].entry->rows, 0, 0);
    }
    if (status) note_failure(work, status, &fault);
    rows_clear(&rows);
}

static Status shard_path(const Work *work, int shard, Path *out, Error *err) {
    char name[32];
    snprintf(name, sizeof name, "%06d.npz", work->first_shard + shard);
    return path_join(out, work->setup->folder, name, err);
}

/* Returns where the rows of a shard begin in work->rows. They end where the next shard begins. */
static size_t shard_begin(const Work *work, int shard) {
    return work->row_count * (size_t)shard / (size_t)work->shards;
}

static Status write_shard(const Work *work, int shard, Rows *rows, Error *err) {
    Path path;
    Status status = shard_path(work, shard, &path, err);
    rows->count = 0;
    for (size_t i = shard_begin(work, shard); i < shard_begin(work, shard + 1) && !status; i++) {
        const PoolRow *row = &work->rows[i];
        const PoolGame *game = &work->games[row->game];
        uint32_t begin = row->row ? game->ends[row->row - 1] : 0;
        status = row_unpack(rows, game->bytes + begin, game->ends[row->row] - begin, err);
    }
    return status ? status : row_file_write(path.text, rows, err);
}

static bool shard_exists(const Work *work, int shard) {
    Path path;
    return !shard_path(work, shard, &path, NULL) && file_exists(path.text);
}

/* Takes shards and writes them. Runs on each thread. */
static void write_shards(void *argument, int index) {
    Work *work = argument;
    Rows rows;
    Error fault = {0};
    Status status = begin_rows(work, &rows, &fault);
    while (!status && !atomic_load(&work->failed)) {
        int shard = atomic_fetch_add(&work->next, 1);
        if (shard >= work->shards) break;
        int64_t count = (int64_t)(shard_begin(work, shard + 1) - shard_begin(work, shard));
        if (!shard_exists(work, shard)) status = write_shard(work, shard, &rows, &fault);
        if (!status) tell(work, index, 0, count, 1);
    }
    if (status) note_failure(work, status, &fault);
    rows_clear(&rows);
}

/* Lists the rows of the pool's games in a random order. */
static Status order_rows(Work *work, Error *err) {
    Status status =
        mem_grow(&work->rows, &work->row_capacity, work->row_count, sizeof *work->rows, err);
    if (status) return status;
    size_t at = 0;
    for (size_t g = 0; g < work->game_count; g++) {
        for (uint32_t r = 0; r < work->games[g].entry->rows; r++)
            work->rows[at++] = (PoolRow){(uint32_t)g, r};
    }
    uint64_t seed = hash_mix((uint64_t)work->setup->settings->seed + (uint64_t)work->number);
    Rng rng = rng_seeded(seed);
    rng_shuffle(&rng, work->rows, work->row_count, sizeof *work->rows);
    return OK;
}

static Status run_threads(Work *work, void (*body)(void *argument, int index), Error *err) {
    atomic_store(&work->next, 0);
    Status status = thread_parallel(work->threads, body, work, err);
    if (status || !work->status) return status;
    return fail(err, work->status, "%s", work->error.message);
}

static Status write_pool(Work *work, Error *err) {
    bool complete = true;
    for (int i = 0; i < work->shards && complete; i++)
        complete = shard_exists(work, i);
    if (complete) {
        work->state->shards_done += work->shards;
        work->state->rows_found += (int64_t)work->row_count;
    } else {
        work->made = work->written = 0;
        Status status = order_rows(work, err);
        if (!status) status = run_threads(work, make_rows, err);
        if (!status) status = run_threads(work, write_shards, err);
        if (status) return status;
    }
    work->state->rows_done += (int64_t)work->row_count;
    return OK;
}

static void clear_pool(Work *work) {
    for (size_t i = 0; i < work->game_count; i++) {
        free(work->games[i].bytes);
        free(work->games[i].ends);
    }
    work->first_shard += work->shards;
    work->number++;
    work->game_count = work->row_count = 0;
}

/* Returns how many shards a pool with this number of rows has. */
static int count_shards(const RowShardsSettings *settings, size_t rows) {
    size_t each = (size_t)settings->shard_rows;
    return (int)((rows + each - 1) / each);
}

/* Adds games to the pool until it is full, beginning at entry `*at` of the index. */
static Status fill_pool(Work *work, const GameIndex *index, size_t *at, Error *err) {
    const RowShardsSetup *setup = work->setup;
    for (; *at < index->count && work->row_count < (size_t)setup->settings->pool_rows; ++*at) {
        const GameIndexEntry *entry = &index->entries[*at];
        if ((entry->validation != 0) != setup->validation) continue;
        Status status = mem_grow(&work->games, &work->game_capacity, work->game_count + 1,
                                 sizeof *work->games, err);
        if (status) return status;
        work->games[work->game_count++] = (PoolGame){.entry = entry};
        work->row_count += entry->rows;
    }
    work->shards = count_shards(setup->settings, work->row_count);
    return OK;
}

/* Sets the total numbers of rows and shards. */
static void count_all(const Work *work, const GameIndex *index) {
    const RowShardsSettings *settings = work->setup->settings;
    size_t pool = 0;
    for (size_t i = 0; i < index->count; i++) {
        if ((index->entries[i].validation != 0) != work->setup->validation) continue;
        pool += index->entries[i].rows;
        work->state->rows += index->entries[i].rows;
        if (pool < (size_t)settings->pool_rows) continue;
        work->state->shards += count_shards(settings, pool);
        pool = 0;
    }
    work->state->shards += count_shards(settings, pool);
}

static Status write_all(Work *work, const GameIndex *index, Error *err) {
    for (size_t at = 0; at < index->count;) {
        Status status = fill_pool(work, index, &at, err);
        if (!status && work->row_count) status = write_pool(work, err);
        clear_pool(work);
        if (status) return status;
    }
    return OK;
}

Status row_shards_write(const RowShardsSetup *setup, const GameIndex *index, RowShardsState *state,
                        Error *err) {
    int threads = setup->settings->threads;
    Work work = {.setup = setup,
                 .state = state,
                 .length = index->length,
                 .threads = threads ? threads : thread_processors()};
    *state = (RowShardsState){0};
    count_all(&work, index);
    if (!state->rows) return OK;
    work.file = open(setup->games_path, O_RDONLY | O_CLOEXEC);
    if (work.file < 0)
        return fail(err, ERR_IO, "cannot read %s: %s", setup->games_path, strerror(errno));
    pthread_mutex_init(&work.lock, NULL);
    Status status = write_all(&work, index, err);
    pthread_mutex_destroy(&work.lock);
    close(work.file);
    free(work.games);
    free(work.rows);
    return status;
}
