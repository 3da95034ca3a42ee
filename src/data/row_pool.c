#include "data/row_pool.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "data/row_file.h"

enum {
    FIRST_SHARE = 16, /* of the memory is read at once */
    READ_AHEAD = 4    /* rows read for each that is used, until all that fits is there */
};

typedef struct {
    char *path;
    int64_t count; /* rows, as listed or read */
    size_t bytes;  /* of them unpacked */
    int64_t pass;  /* the last that took it, where the window is read in turns */
    bool read;
    Rows rows; /* where the window fits */
} WindowFile;

typedef struct {
    Rows *blocks;
    size_t count, capacity, bytes;
    bool full;
} Turn;

typedef struct {
    uint32_t block, row;
} Place;

struct RowPool {
    RowPoolSetup config;
    WindowFile *files; /* oldest first */
    size_t file_count, file_capacity;
    int64_t rows, added, changes;
    size_t bytes, memory; /* of the window; of rows in memory */
    bool settled;         /* `in_turns` and the allowance are those of the files of now */
    bool in_turns;        /* the window is larger than the memory */
    size_t unread;        /* files to be read, where it fits ... */
    size_t allowance;     /* ... of which so many bytes may be read now */
    int64_t pass;         /* over the files, in turns */
    Turn now, ahead;
    Place *order; /* of the rows in memory that are for training */
    size_t order_count, order_next, order_capacity;
    bool order_stale;
    BadFile *bad;
    size_t bad_count, bad_capacity;
};

static void turn_clear(RowPool *pool, Turn *turn) {
    for (size_t i = 0; i < turn->count; i++)
        rows_clear(&turn->blocks[i]);
    pool->memory -= turn->bytes;
    turn->count = turn->bytes = 0;
    turn->full = false;
}

static void forget_rows(RowPool *pool, WindowFile *file) {
    if (!file->read) return;
    pool->memory -= file->bytes;
    rows_clear(&file->rows);
    file->rows = (Rows){0};
    file->read = false;
    pool->unread++;
}

Status row_pool_new(const RowPoolSetup *config, RowPool **out, Error *err) {
    *out = NULL;
    Status status = mem_new(1, sizeof **out, out, err);
    if (status) return status;
    (*out)->config = *config;
    (*out)->pass = 1;
    return OK;
}

void row_pool_free(RowPool *pool) {
    if (!pool) return;
    for (size_t i = 0; i < pool->file_count; i++) {
        forget_rows(pool, &pool->files[i]);
        free(pool->files[i].path);
    }
    turn_clear(pool, &pool->now);
    turn_clear(pool, &pool->ahead);
    for (size_t i = 0; i < pool->bad_count; i++)
        free(pool->bad[i].path);
    free(pool->now.blocks);
    free(pool->ahead.blocks);
    free(pool->files);
    free(pool->order);
    free(pool->bad);
    free(pool);
}

bool row_pool_is_held(const RowPool *pool, const Rows *rows, size_t row) {
    if (pool->config.validation <= 0) return false;
    const float *hash = rows->targets + row * ROW_GLOBAL_TARGETS + TARGET_HASH;
    double share = ((double)hash[0] + (double)hash[1] / 0x400000) / 0x400000;
    return share < (double)pool->config.validation;
}

/* `count` files of the window from `first` on are in it no more. */
static void drop_files(RowPool *pool, size_t first, size_t count) {
    if (!count) return;
    WindowFile *files = &pool->files[first];
    for (size_t i = 0; i < count; i++) {
        forget_rows(pool, &files[i]);
        pool->rows -= files[i].count;
        pool->bytes -= files[i].bytes;
        free(files[i].path);
    }
    pool->unread -= count;
    pool->file_count -= count;
    memmove(files, files + count, (pool->file_count - first) * sizeof *files);
    pool->settled = false;
    if (!pool->in_turns) pool->order_stale = true; /* places name files */
    pool->changes++;
}

/* Tells the owner, and drops it. Without room for the tale the file is dropped all the same. */
static void drop_bad(RowPool *pool, size_t index, const char *reason) {
    WindowFile *file = &pool->files[index];
    if (!mem_grow(&pool->bad, &pool->bad_capacity, pool->bad_count + 1, sizeof *pool->bad, NULL)) {
        BadFile *bad = &pool->bad[pool->bad_count++];
        *bad = (BadFile){.path = file->path, .rows = file->count};
        size_t length = strlen(reason);
        if (length >= sizeof bad->reason) length = sizeof bad->reason - 1;
        memcpy(bad->reason, reason, length);
        file->path = NULL;
    }
    drop_files(pool, index, 1);
}

bool row_pool_take_bad(RowPool *pool, BadFile *out) {
    if (!pool->bad_count) return false;
    *out = pool->bad[--pool->bad_count];
    return true;
}

/* Boards of a larger frame than the tensors may still fit. */
static Status check_fit(const Rows *rows, int length, Error *err) {
    for (size_t n = 0; rows->length > length && n < rows->count; n++) {
        RowBoard board = rows_board(rows, n);
        if (board.width > length || board.height > length)
            return fail(err, ERR_SYNTAX, "row %zu has a %dx%d board, the trainer's edge is %d", n,
                        board.width, board.height, length);
    }
    return OK;
}

static Status read_rows(const RowPool *pool, const char *path, Rows *out, Error *err) {
    Status status = row_file_read(path, out, err);
    if (status) return status;
    status = check_fit(out, pool->config.length, err);
    if (status) {
        fail_within(err, status, "%s", path);
        rows_clear(out);
    }
    return status;
}

/* A file of `count` rows at the end of the window, not read. */
static Status append(RowPool *pool, const char *path, int64_t count, int length, Error *err) {
    Status status = mem_grow(&pool->files, &pool->file_capacity, pool->file_count + 1,
                             sizeof *pool->files, err);
    if (status) return status;
    WindowFile *file = &pool->files[pool->file_count];
    *file = (WindowFile){.count = count, .bytes = (size_t)count * rows_bytes(length)};
    size_t bytes = strlen(path) + 1;
    status = mem_new(bytes, 1, &file->path, err);
    if (status) return status;
    memcpy(file->path, path, bytes);
    pool->file_count++;
    pool->unread++;
    pool->rows += count;
    pool->added += count;
    pool->bytes += file->bytes;
    pool->settled = false;
    return OK;
}

/* Takes the rows of the window's file `index`, which may have other numbers of them than was said.
 */
static void keep_rows(RowPool *pool, WindowFile *file, const Rows *rows) {
    size_t bytes = rows->count * rows_bytes(rows->length);
    pool->rows += (int64_t)rows->count - file->count;
    pool->bytes += bytes - file->bytes; /* modulo 2^64, as it may shrink */
    pool->memory += bytes;
    pool->unread--;
    pool->changes++;
    if (bytes != file->bytes) pool->settled = false;
    file->count = (int64_t)rows->count;
    file->bytes = bytes;
    file->rows = *rows;
    file->read = true;
}

Status row_pool_list(RowPool *pool, const char *path, int64_t count, Error *err) {
    return count > 0 ? append(pool, path, count, pool->config.length, err) : OK;
}

Status row_pool_add(RowPool *pool, const char *path, Error *err) {
    Rows rows;
    Status status = read_rows(pool, path, &rows, err);
    if (status) return status;
    bool keeps = rows.count && !pool->in_turns; /* in turns it waits for its own */
    if (rows.count) status = append(pool, path, (int64_t)rows.count, rows.length, err);
    if (status || !keeps) {
        rows_clear(&rows);
        return status;
    }
    keep_rows(pool, &pool->files[pool->file_count - 1], &rows);
    pool->order_stale = true;
    return OK;
}

void row_pool_set_window(RowPool *pool, int64_t rows) {
    int64_t left = pool->rows;
    size_t count = 0;
    while (count + 1 < pool->file_count && left - pool->files[count].count >= rows)
        left -= pool->files[count++].count;
    drop_files(pool, 0, count);
}

int64_t row_pool_rows(const RowPool *pool) {
    return pool->rows;
}

int64_t row_pool_added(const RowPool *pool) {
    return pool->added;
}

int64_t row_pool_changes(const RowPool *pool) {
    return pool->changes;
}

size_t row_pool_memory(const RowPool *pool) {
    return pool->memory;
}

size_t row_pool_blocks(const RowPool *pool) {
    return pool->in_turns ? pool->now.count : pool->file_count;
}

const Rows *row_pool_block(const RowPool *pool, size_t index) {
    return pool->in_turns ? &pool->now.blocks[index] : &pool->files[index].rows;
}

/* Whether the window is kept or read in turns, and how much of what is new may be read at once. */
static void settle(RowPool *pool) {
    bool in_turns = pool->bytes > pool->config.memory_bytes && pool->file_count > 1;
    pool->settled = true;
    pool->allowance = pool->config.memory_bytes / FIRST_SHARE;
    if (in_turns == pool->in_turns) return;
    for (size_t i = 0; i < pool->file_count; i++)
        forget_rows(pool, &pool->files[i]);
    turn_clear(pool, &pool->now);
    turn_clear(pool, &pool->ahead);
    pool->in_turns = in_turns;
    pool->order_stale = true;
    pool->changes++;
}

/* All rows in memory in a new order. */
static Status shuffle(RowPool *pool, Rng *rng, Error *err) {
    size_t most = 0, count = 0;
    for (size_t b = 0; b < row_pool_blocks(pool); b++)
        most += row_pool_block(pool, b)->count;
    Status status = mem_grow(&pool->order, &pool->order_capacity, most, sizeof *pool->order, err);
    if (status) return status;
    for (size_t b = 0; b < row_pool_blocks(pool); b++) {
        const Rows *rows = row_pool_block(pool, b);
        for (size_t r = 0; r < rows->count; r++) {
            if (!row_pool_is_held(pool, rows, r))
                pool->order[count++] = (Place){(uint32_t)b, (uint32_t)r};
        }
    }
    rng_shuffle(rng, pool->order, count, sizeof *pool->order);
    pool->order_count = count;
    pool->order_next = 0;
    pool->order_stale = false;
    return OK;
}

/* Reads the window's file `index`. `*good` false: it was bad or is gone, and is dropped. */
static Status read_file(RowPool *pool, size_t index, Rows *rows, bool *good, Error *err) {
    const char *path = pool->files[index].path;
    Error fault = {0};
    Status status = read_rows(pool, path, rows, &fault);
    *good = !status;
    if (!status) return OK;
    if (status != ERR_SYNTAX && file_exists(path)) return fail(err, status, "%s", fault.message);
    drop_bad(pool, index, fault.message);
    return OK;
}

/* Where the window fits: what may be read now of what is missing, the newest first. */
static Status read_missing(RowPool *pool, Error *err) {
    while (pool->unread && pool->allowance) {
        size_t i = pool->file_count;
        while (pool->files[i - 1].read)
            i--;
        Rows rows;
        bool good;
        Status status = read_file(pool, i - 1, &rows, &good, err);
        if (status) return status;
        if (good) keep_rows(pool, &pool->files[i - 1], &rows);
        size_t used = good ? pool->files[i - 1].bytes : 0;
        pool->allowance -= used < pool->allowance ? used : pool->allowance;
        if (!pool->unread) pool->order_stale = true;
    }
    return OK;
}

/* One of the files that this pass has not had, by chance; file_count: there is none. */
static size_t draw_file(const RowPool *pool, Rng *rng) {
    size_t left = 0, i = 0;
    for (size_t k = 0; k < pool->file_count; k++)
        left += pool->files[k].pass < pool->pass;
    if (!left) return pool->file_count;
    for (size_t drawn = rng_next(rng) % left;; i++) {
        if (pool->files[i].pass < pool->pass && drawn-- == 0) return i;
    }
}

/* Adds a file of this pass, or of the next where this one has no more, to a turn of at most
 * `most_bytes`, or makes it full; the turn that is used now takes one of any size. */
static Status add_to_turn(RowPool *pool, Turn *turn, size_t most_bytes, Rng *rng, Error *err) {
    Rows rows;
    bool good = false, any = turn == &pool->now && !turn->count;
    while (!good && pool->file_count) {
        size_t i = draw_file(pool, rng);
        if (i == pool->file_count) {
            pool->pass++;
            continue;
        }
        turn->full = !any && turn->bytes + pool->files[i].bytes > most_bytes;
        if (turn->full) return OK;
        Status status =
            mem_grow(&turn->blocks, &turn->capacity, turn->count + 1, sizeof *turn->blocks, err);
        if (!status) status = read_file(pool, i, &rows, &good, err);
        if (status) return status;
        if (good) pool->files[i].pass = pool->pass;
    }
    if (!good) return fail(err, ERR_ARGUMENT, "no file of rows of the window can be read");
    turn->blocks[turn->count++] = rows;
    turn->bytes += rows.count * rows_bytes(rows.length);
    pool->memory += rows.count * rows_bytes(rows.length);
    return OK;
}

/* The turn that was made ready, else one that is small, takes the place of what is used up. */
static Status change_turn(RowPool *pool, Rng *rng, Error *err) {
    size_t tries = pool->file_count + 1, first = pool->config.memory_bytes / FIRST_SHARE;
    do {
        turn_clear(pool, &pool->now);
        Turn empty = pool->now;
        pool->now = pool->ahead;
        pool->ahead = empty;
        pool->now.full = pool->now.count > 0;
        while (!pool->now.full && (!pool->now.count || pool->now.bytes < first)) {
            Status status = add_to_turn(pool, &pool->now, first, rng, err);
            if (status) return status;
        }
        pool->changes++;
        Status status = shuffle(pool, rng, err);
        if (status) return status;
    } while (!pool->order_count && --tries);
    return OK;
}

/* In turns: the next half of the memory fills as the rows of this one are used up. */
static Status read_turn(RowPool *pool, Rng *rng, Error *err) {
    if (pool->order_stale || pool->order_next == pool->order_count)
        return change_turn(pool, rng, err);
    size_t all = pool->config.memory_bytes, half = all / 2,
           left = pool->now.bytes < all ? all - pool->now.bytes : 0;
    double due = (double)half * (double)(pool->order_next + 1) / (double)pool->order_count;
    while (!pool->ahead.full && (double)pool->ahead.bytes < due) {
        Status status = add_to_turn(pool, &pool->ahead, half < left ? half : left, rng, err);
        if (status) return status;
    }
    return OK;
}

Status row_pool_next(RowPool *pool, Rng *rng, const Rows **rows, size_t *row, Error *err) {
    Status status = OK;
    if (!pool->settled) settle(pool);
    if (pool->in_turns) {
        status = read_turn(pool, rng, err);
    } else {
        status = read_missing(pool, err);
        while (!status && (pool->order_stale || pool->order_next == pool->order_count)) {
            status = shuffle(pool, rng, err);
            if (status || pool->order_count || !pool->unread) break;
            pool->allowance = pool->config.memory_bytes; /* what is there is for validation */
            status = read_missing(pool, err);
        }
    }
    if (status) return status;
    if (!pool->rows) return fail(err, ERR_ARGUMENT, "there are no rows to train on");
    if (!pool->order_count) return fail(err, ERR_ARGUMENT, "all rows are for validation");
    Place place = pool->order[pool->order_next++];
    *rows = row_pool_block(pool, place.block);
    *row = place.row;
    if (pool->unread) pool->allowance += READ_AHEAD * rows_bytes((*rows)->length);
    return OK;
}
