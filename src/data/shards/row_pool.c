#include "data/shards/row_pool.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "data/rows/row_file.h"

/* How the pool works:
 *   1. choose_mode() runs when the files have changed. A window that fits in memory is kept there,
 *      and a larger one is streamed.
 *   2. In a kept window read_missing() reads the listed files, the newest first, within a budget
 *      that grows with each row that is used. shuffle() draws a random order of the rows that are
 *      in memory. When all of these rows have been used, it draws a new order.
 *   3. In a streamed window `current` has the rows that are in use. Meanwhile read_ahead() fills
 *      `next` with files drawn at random. Each pass reads each file once. When all rows of
 *      `current` have been used, change_buffer() exchanges `current` and `next`, and shuffle() puts
 *      the new rows in a random order.
 *   4. In both modes row_pool_next() takes the rows in the order of `order`. */
enum {
    FIRST_READ_DIVISOR = 16, /* at first, files for 1/16 of the memory are read */
    READ_AHEAD = 4           /* rows to read for each row used, until the whole window is read */
};

typedef struct {
    char *path;
    int64_t count; /* rows, as listed or as read */
    size_t bytes;  /* size of these rows in memory */
    int64_t pass;  /* streamed window: the last pass that used the file */
    bool read;     /* kept window: `rows` are in memory */
    Rows rows;
} WindowFile;

/* The rows of several files, for a streamed window. */
typedef struct {
    Rows *blocks;
    size_t count, capacity, bytes;
    bool full;
} RowBuffer;

/* A row in memory: its block (see row_pool_block()), and its number in the block. */
typedef struct {
    uint32_t block, row;
} Place;

struct RowPool {
    RowPoolSetup setup;
    WindowFile *files; /* oldest first */
    size_t file_count, file_capacity;
    int64_t rows, added, changes;
    size_t bytes;       /* of all rows of the window, read or not */
    size_t memory;      /* bytes of the rows in memory */
    bool mode_chosen;   /* false: the files changed after choose_mode() */
    bool streaming;     /* the window is larger than the memory */
    size_t unread;      /* files without rows in memory (kept window) */
    size_t read_budget; /* bytes of rows that may be read now (kept window) */
    int64_t pass;       /* number of the pass over the files (streamed window) */
    RowBuffer current, next;
    Place *order; /* the training rows in memory, in the order of their use */
    size_t order_count, order_next, order_capacity;
    bool order_stale; /* the rows in memory changed after `order` was made */
    BadFile *bad;
    size_t bad_count, bad_capacity;
};

static void buffer_clear(RowPool *pool, RowBuffer *buffer) {
    for (size_t i = 0; i < buffer->count; i++)
        rows_clear(&buffer->blocks[i]);
    pool->memory -= buffer->bytes;
    buffer->count = buffer->bytes = 0;
    buffer->full = false;
}

static void unload_rows(RowPool *pool, WindowFile *file) {
    if (!file->read) return;
    pool->memory -= file->bytes;
    rows_clear(&file->rows);
    file->rows = (Rows){0};
    file->read = false;
    pool->unread++;
}

Status row_pool_new(const RowPoolSetup *setup, RowPool **out, Error *err) {
    *out = NULL;
    Status status = mem_new(1, sizeof **out, out, err);
    if (status) return status;
    (*out)->setup = *setup;
    (*out)->pass = 1;
    return OK;
}

void row_pool_free(RowPool *pool) {
    if (!pool) return;
    for (size_t i = 0; i < pool->file_count; i++) {
        unload_rows(pool, &pool->files[i]);
        free(pool->files[i].path);
    }
    buffer_clear(pool, &pool->current);
    buffer_clear(pool, &pool->next);
    for (size_t i = 0; i < pool->bad_count; i++)
        free(pool->bad[i].path);
    free(pool->current.blocks);
    free(pool->next.blocks);
    free(pool->files);
    free(pool->order);
    free(pool->bad);
    free(pool);
}

bool row_pool_is_held_out(const RowPool *pool, const Rows *rows, size_t row) {
    if (pool->setup.validation <= 0) return false;
    const float *hash = rows->targets + row * ROW_GLOBAL_TARGETS + TARGET_HASH;
    double fraction = ((double)hash[0] + (double)hash[1] / 0x400000) / 0x400000;
    return fraction < (double)pool->setup.validation;
}

/* Removes `count` files from the window, beginning at index `first`. */
static void drop_files(RowPool *pool, size_t first, size_t count) {
    if (!count) return;
    WindowFile *files = &pool->files[first];
    for (size_t i = 0; i < count; i++) {
        unload_rows(pool, &files[i]);
        pool->rows -= files[i].count;
        pool->bytes -= files[i].bytes;
        free(files[i].path);
    }
    pool->unread -= count;
    pool->file_count -= count;
    memmove(files, files + count, (pool->file_count - first) * sizeof *files);
    pool->mode_chosen = false;
    if (!pool->streaming) pool->order_stale = true; /* `order` has indices of files */
    pool->changes++;
}

/* Drops the file and notes it for row_pool_take_bad(). If there is no memory for the note, the file
 * is dropped without one. */
static void drop_bad_file(RowPool *pool, size_t index, const char *reason) {
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

/* Checks that the boards of the rows fit into length x length. The frames of the rows may be
 * larger. */
static Status check_fit(const Rows *rows, int length, Error *err) {
    for (size_t n = 0; rows->length > length && n < rows->count; n++) {
        RowBoard board = rows_board(rows, n);
        if (board.width > length || board.height > length)
            return fail(err, ERR_SYNTAX,
                        "row %zu has a %dx%d board, the trainer takes boards up to size %d", n,
                        board.width, board.height, length);
    }
    return OK;
}

/* Removes all rows that are not for validation. */
static Status keep_held_out(const RowPool *pool, Rows *rows, Error *err) {
    Rows kept;
    Status status = rows_init(&kept, rows->length, err);
    if (!status && rows->has_players) status = rows_add_players(&kept, err);
    if (!status) status = rows_add_points(&kept, rows->point_columns, err);
    for (size_t n = 0; n < rows->count && !status; n++) {
        if (row_pool_is_held_out(pool, rows, n)) status = rows_append(&kept, rows, n, 1, err);
    }
    kept.leads = rows->leads;
    if (status) {
        rows_clear(&kept);
        return status;
    }
    rows_clear(rows);
    *rows = kept;
    return OK;
}

static Status read_rows(const RowPool *pool, const char *path, Rows *out, Error *err) {
    Status status = row_file_read(path, out, err);
    if (status) return status;
    status = check_fit(out, pool->setup.length, err);
    if (!status && pool->setup.only_held_out) status = keep_held_out(pool, out, err);
    if (status) {
        fail_within(err, status, "%s", path);
        rows_clear(out);
    }
    return status;
}

/* Adds a file of `count` rows at the end of the window, without reading it. */
static Status append_file(RowPool *pool, const char *path, int64_t count, int length, Error *err) {
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
    pool->mode_chosen = false;
    return OK;
}

/* Stores the rows that were read from the file. Their number may differ from the listed number. */
static void store_rows(RowPool *pool, WindowFile *file, const Rows *rows) {
    size_t bytes = rows_total_bytes(rows);
    pool->rows += (int64_t)rows->count - file->count;
    /* This is right for a negative difference too, because unsigned numbers wrap around. */
    pool->bytes += bytes - file->bytes;
    pool->memory += bytes;
    pool->unread--;
    pool->changes++;
    if (bytes != file->bytes) pool->mode_chosen = false;
    file->count = (int64_t)rows->count;
    file->bytes = bytes;
    file->rows = *rows;
    file->read = true;
}

Status row_pool_list(RowPool *pool, const char *path, int64_t count, Error *err) {
    return count > 0 ? append_file(pool, path, count, pool->setup.length, err) : OK;
}

Status row_pool_add(RowPool *pool, const char *path, Error *err) {
    Rows rows;
    Status status = read_rows(pool, path, &rows, err);
    if (status) return status;
    bool stores = rows.count && !pool->streaming; /* a streamed window reads the file again later */
    if (rows.count) status = append_file(pool, path, (int64_t)rows.count, rows.length, err);
    if (status || !stores) {
        rows_clear(&rows);
        return status;
    }
    store_rows(pool, &pool->files[pool->file_count - 1], &rows);
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
    return pool->streaming ? pool->current.count : pool->file_count;
}

const Rows *row_pool_block(const RowPool *pool, size_t index) {
    return pool->streaming ? &pool->current.blocks[index] : &pool->files[index].rows;
}

/* Decides whether the window is kept or streamed, and sets the budget for reading new files. */
static void choose_mode(RowPool *pool) {
    bool streaming = pool->bytes > pool->setup.memory_bytes && pool->file_count > 1;
    pool->mode_chosen = true;
    pool->read_budget = pool->setup.memory_bytes / FIRST_READ_DIVISOR;
    if (streaming == pool->streaming) return;
    for (size_t i = 0; i < pool->file_count; i++)
        unload_rows(pool, &pool->files[i]);
    buffer_clear(pool, &pool->current);
    buffer_clear(pool, &pool->next);
    pool->streaming = streaming;
    pool->order_stale = true;
    pool->changes++;
}

/* Draws a new random order of all training rows that are in memory. */
static Status shuffle(RowPool *pool, Rng *rng, Error *err) {
    size_t max_count = 0, count = 0;
    for (size_t b = 0; b < row_pool_blocks(pool); b++)
        max_count += row_pool_block(pool, b)->count;
    Status status =
        mem_grow(&pool->order, &pool->order_capacity, max_count, sizeof *pool->order, err);
    if (status) return status;
    for (size_t b = 0; b < row_pool_blocks(pool); b++) {
        const Rows *rows = row_pool_block(pool, b);
        for (size_t r = 0; r < rows->count; r++) {
            if (!row_pool_is_held_out(pool, rows, r))
                pool->order[count++] = (Place){(uint32_t)b, (uint32_t)r};
        }
    }
    rng_shuffle(rng, pool->order, count, sizeof *pool->order);
    pool->order_count = count;
    pool->order_next = 0;
    pool->order_stale = false;
    return OK;
}

/* Reads file `index` of the window. A damaged or missing file is dropped, and `*good` is false. */
static Status read_file(RowPool *pool, size_t index, Rows *rows, bool *good, Error *err) {
    const char *path = pool->files[index].path;
    Error fault = {0};
    Status status = read_rows(pool, path, rows, &fault);
    *good = !status;
    if (!status) return OK;
    if (status != ERR_SYNTAX && file_exists(path)) return fail(err, status, "%s", fault.message);
    drop_bad_file(pool, index, fault.message);
    return OK;
}

/* In a kept window, reads the files whose rows are not in memory yet, the newest first, until the
 * budget is used up. */
static Status read_missing(RowPool *pool, Error *err) {
    while (pool->unread && pool->read_budget) {
        size_t i = pool->file_count;
        while (pool->files[i - 1].read)
            i--;
        Rows rows;
        bool good;
        Status status = read_file(pool, i - 1, &rows, &good, err);
        if (status) return status;
        if (good) store_rows(pool, &pool->files[i - 1], &rows);
        size_t used = good ? pool->files[i - 1].bytes : 0;
        pool->read_budget -= used < pool->read_budget ? used : pool->read_budget;
        if (!pool->unread) pool->order_stale = true;
    }
    return OK;
}

/* Returns a random index among the files that this pass has not used yet, or file_count if there is
 * none. */
static size_t draw_file(const RowPool *pool, Rng *rng) {
    size_t left = 0, i = 0;
    for (size_t k = 0; k < pool->file_count; k++)
        left += pool->files[k].pass < pool->pass;
    if (!left) return pool->file_count;
    for (size_t drawn = rng_next(rng) % left;; i++) {
        if (pool->files[i].pass < pool->pass && drawn-- == 0) return i;
    }
}

/* Draws a file that this pass has not used yet and adds it to the buffer. If there is none, the
 * next pass begins. If the file would make the buffer larger than `max_bytes`, the buffer is marked
 * as full instead. An empty `current` takes a file of any size. */
static Status add_to_buffer(RowPool *pool, RowBuffer *buffer, size_t max_bytes, Rng *rng,
                            Error *err) {
    Rows rows;
    bool good = false, any_size = buffer == &pool->current && !buffer->count;
    while (!good && pool->file_count) {
        size_t i = draw_file(pool, rng);
        if (i == pool->file_count) {
            pool->pass++;
            continue;
        }
        buffer->full = !any_size && buffer->bytes + pool->files[i].bytes > max_bytes;
        if (buffer->full) return OK;
        Status status = mem_grow(&buffer->blocks, &buffer->capacity, buffer->count + 1,
                                 sizeof *buffer->blocks, err);
        if (!status) status = read_file(pool, i, &rows, &good, err);
        if (status) return status;
        if (good) pool->files[i].pass = pool->pass;
    }
    if (!good) return fail(err, ERR_ARGUMENT, "none of the window's row files can be read");
    buffer->blocks[buffer->count++] = rows;
    buffer->bytes += rows_total_bytes(&rows);
    pool->memory += rows_total_bytes(&rows);
    return OK;
}

/* Replaces the rows of `current` by the rows of `next` or, if `next` is empty, by the rows of a
 * small part of the window. Tries again if all the new rows are validation rows. */
static Status change_buffer(RowPool *pool, Rng *rng, Error *err) {
    size_t tries = pool->file_count + 1,
           first_bytes = pool->setup.memory_bytes / FIRST_READ_DIVISOR;
    do {
        buffer_clear(pool, &pool->current);
        RowBuffer empty = pool->current;
        pool->current = pool->next;
        pool->next = empty;
        pool->current.full = pool->current.count > 0;
        while (!pool->current.full && (!pool->current.count || pool->current.bytes < first_bytes)) {
            Status status = add_to_buffer(pool, &pool->current, first_bytes, rng, err);
            if (status) return status;
        }
        pool->changes++;
        Status status = shuffle(pool, rng, err);
        if (status) return status;
    } while (!pool->order_count && --tries);
    return OK;
}

/* In a streamed window, fills `next` at such a rate that it takes half of the memory when all rows
 * of `current` have been used. Then exchanges `current` and `next`. */
static Status read_ahead(RowPool *pool, Rng *rng, Error *err) {
    if (pool->order_stale || pool->order_next == pool->order_count)
        return change_buffer(pool, rng, err);
    size_t all = pool->setup.memory_bytes, half = all / 2,
           left = pool->current.bytes < all ? all - pool->current.bytes : 0;
    double due = (double)half * (double)(pool->order_next + 1) / (double)pool->order_count;
    while (!pool->next.full && (double)pool->next.bytes < due) {
        Status status = add_to_buffer(pool, &pool->next, half < left ? half : left, rng, err);
        if (status) return status;
    }
    return OK;
}

Status row_pool_next(RowPool *pool, Rng *rng, const Rows **rows, size_t *row, Error *err) {
    Status status = OK;
    if (!pool->mode_chosen) choose_mode(pool);
    if (pool->streaming) {
        status = read_ahead(pool, rng, err);
    } else {
        status = read_missing(pool, err);
        while (!status && (pool->order_stale || pool->order_next == pool->order_count)) {
            status = shuffle(pool, rng, err);
            if (status || pool->order_count || !pool->unread) break;
            /* All rows that were read so far are for validation, so more rows are needed. */
            pool->read_budget = pool->setup.memory_bytes;
            status = read_missing(pool, err);
        }
    }
    if (status) return status;
    if (!pool->rows) return fail(err, ERR_ARGUMENT, "there are no rows to train on");
    if (!pool->order_count) return fail(err, ERR_ARGUMENT, "all rows are for validation");
    assert(pool->order_next < pool->order_count);
    Place place = pool->order[pool->order_next++];
    *rows = row_pool_block(pool, place.block);
    *row = place.row;
    if (pool->unread) pool->read_budget += READ_AHEAD * rows_bytes((*rows)->length);
    return OK;
}
