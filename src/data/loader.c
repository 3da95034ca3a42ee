#include "data/loader.h"
#include "base/memory.h"
#include "data/row_file.h"
#include "eval/heads.h"
#include "go/symmetry.h"
#include <stdlib.h>
#include <string.h>

const ConfigField LOADER_FIELDS[] = {
    FIELD_INT(LoaderConfig, batch, 256, 1, 65536, "rows of a training batch",
              .source = "Wu 2019, appendix C"),
    FIELD_BOOL(LoaderConfig, symmetries, true, "turn and mirror each row at random",
               .source = "Wu 2019, appendix C"),
    FIELD_BOOL(LoaderConfig, history_drop, true,
               "leave out the last moves now and then, as the row's masks say",
               .source = "KataGo, data_processing_pytorch.py"),
    FIELD_INT64(LoaderConfig, memory_mb, 2048, 16, 1 << 24, "memory of the window, MB"),
    {0},
};

typedef struct {
    uint32_t block, row;
} Place;

struct Loader {
    LoaderConfig config;
    Rng rng;
    Rows *blocks; /* a file each, oldest first */
    size_t block_count, block_capacity;
    int64_t rows;
    Place *order; /* the pass under way */
    size_t order_count, order_next, order_capacity;
    bool changed;
    Batch batch;
};

static Status make_batch(Batch *batch, int rows, int length, Error *err) {
    size_t n = (size_t)rows, area = (size_t)length * (size_t)length;
    batch->length = length;
    const struct {
        float **array;
        size_t count;
    } PARTS[] = {{&batch->planes, n * area * FEATURE_PLANES},
                 {&batch->globals, n * FEATURE_GLOBALS},
                 {&batch->policy, n * 2 * (area + 1)},
                 {&batch->targets, n * ROW_GLOBAL_TARGETS},
                 {&batch->score, n * SCORE_BINS},
                 {&batch->ownership, n * area},
                 {&batch->mask, n * area}};
    Status status = OK;
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS && !status; i++)
        status = mem_new_aligned(PARTS[i].count, sizeof(float), PARTS[i].array, err);
    return status;
}

Status loader_new(const LoaderConfig *config, Loader **out, Error *err) {
    Loader *loader;
    *out = NULL;
    if (config->batch < 1 || config->length < 2 || config->length > BOARD_EDGE_MAX)
        return fail(err, ERR_ARGUMENT, "batches of %d boards with an edge of %d", config->batch,
                    config->length);
    Status status = mem_new(1, sizeof *loader, &loader, err);
    if (status) return status;
    loader->config = *config;
    loader->rng = rng_seeded(config->seed);
    status = make_batch(&loader->batch, config->batch, config->length, err);
    if (status)
        loader_free(loader);
    else
        *out = loader;
    return status;
}

void loader_free(Loader *loader) {
    if (!loader) return;
    for (size_t i = 0; i < loader->block_count; i++)
        rows_clear(&loader->blocks[i]);
    free(loader->blocks);
    free(loader->order);
    Batch *batch = &loader->batch;
    float *const ARRAYS[] = {batch->planes, batch->globals,   batch->policy, batch->targets,
                             batch->score,  batch->ownership, batch->mask};
    for (size_t i = 0; i < sizeof ARRAYS / sizeof *ARRAYS; i++)
        free(ARRAYS[i]);
    free(loader);
}

static size_t row_bytes(int length) {
    size_t area = (size_t)length * (size_t)length;
    return FEATURE_PLANES * ((area + 7) / 8) + FEATURE_GLOBALS * 4 + 10 * (area + 1) +
           ROW_GLOBAL_TARGETS * 4 + 2 * area + 120 + 5 * area;
}

static void drop_oldest(Loader *loader) {
    loader->rows -= (int64_t)loader->blocks[0].count;
    rows_clear(&loader->blocks[0]);
    loader->block_count--;
    memmove(loader->blocks, loader->blocks + 1, loader->block_count * sizeof *loader->blocks);
    loader->changed = true;
}

void loader_set_window(Loader *loader, int64_t rows) {
    while (loader->block_count > 1 && loader->rows - (int64_t)loader->blocks[0].count >= rows)
        drop_oldest(loader);
}

Status loader_add_file(Loader *loader, const char *path, Error *err) {
    Rows rows;
    Status status = row_file_read(path, &rows, err);
    if (status) return status;
    if (rows.length > loader->config.length)
        status = fail(err, ERR_SYNTAX, "%s has boards with an edge of %d, the trainer's are %d",
                      path, rows.length, loader->config.length);
    if (!status)
        status = mem_grow(&loader->blocks, &loader->block_capacity, loader->block_count + 1,
                          sizeof *loader->blocks, err);
    if (status) {
        rows_clear(&rows);
        return status;
    }
    loader->blocks[loader->block_count++] = rows;
    loader->rows += (int64_t)rows.count;
    loader->changed = true;
    int64_t most = loader->config.memory_mb * (1 << 20) / (int64_t)row_bytes(loader->config.length);
    loader_set_window(loader, most);
    return OK;
}

int64_t loader_rows(const Loader *loader) {
    return loader->rows;
}

/* All rows of the window in a new order. */
static Status shuffle(Loader *loader, Error *err) {
    Status status = mem_grow(&loader->order, &loader->order_capacity, (size_t)loader->rows,
                             sizeof *loader->order, err);
    if (status) return status;
    size_t count = 0;
    for (size_t b = 0; b < loader->block_count; b++) {
        for (size_t r = 0; r < loader->blocks[b].count; r++)
            loader->order[count++] = (Place){(uint32_t)b, (uint32_t)r};
    }
    for (size_t i = count; i > 1; i--) {
        size_t other = (size_t)(rng_next(&loader->rng) % i);
        Place kept = loader->order[i - 1];
        loader->order[i - 1] = loader->order[other];
        loader->order[other] = kept;
    }
    loader->order_count = count;
    loader->order_next = 0;
    loader->changed = false;
    return OK;
}

/* History that the row leaves out: its moves, passes and older ladders vanish (KataGo's trainer
 * does the same). */
static int history_shown(const Loader *loader, const float *targets) {
    int shown = 0;
    while (shown < 5 && (!loader->config.history_drop || targets[36 + shown] > 0))
        shown++;
    return shown;
}

static void unpack_planes(const Rows *rows, size_t row, int length, int shown,
                          const int16_t *places, float *planes) {
    size_t area = (size_t)rows->length * (size_t)rows->length, bytes = (area + 7) / 8;
    const uint8_t *packed = rows->planes + row * FEATURE_PLANES * bytes;
    memset(planes, 0, (size_t)(length * length) * FEATURE_PLANES * sizeof *planes);
    for (int plane = 0; plane < FEATURE_PLANES; plane++) {
        int source = plane == 15 && shown < 1   ? 14
                     : plane == 16 && shown < 2 ? (shown < 1 ? 14 : 15)
                                                : plane;
        if (plane >= 9 + shown && plane <= 13) continue;
        const uint8_t *bits = packed + (size_t)source * bytes;
        for (size_t at = 0; at < bytes; at++) {
            for (unsigned rest = bits[at]; rest; rest &= rest - 1) {
                size_t index = at * 8 + (size_t)(7 - __builtin_ctz(rest));
                if (index < area) planes[places[index] * FEATURE_PLANES + plane] = 1;
            }
        }
    }
}

static void unpack_policy(const int16_t *policy, int from, int length, const int16_t *places,
                          float *out) {
    int area = from * from, to = length * length;
    double sum = 0;
    memset(out, 0, (size_t)(to + 1) * sizeof *out);
    for (int i = 0; i <= area; i++)
        sum += policy[i];
    float scale = (float)(1 / sum);
    for (int i = 0; i < area; i++)
        out[places[i]] = (float)policy[i] * scale;
    out[to] = (float)policy[area] * scale;
}

static void unpack_row(Loader *loader, Place place, int n) {
    const Rows *rows = &loader->blocks[place.block];
    Batch *batch = &loader->batch;
    int length = batch->length, from = rows->length;
    size_t row = place.row, small = (size_t)(from * from), area = (size_t)(length * length),
           at = (size_t)n;
    int16_t places[BOARD_POINTS_MAX];
    Symmetry symmetry = loader->config.symmetries ? rng_below(&loader->rng, SYMMETRY_COUNT) : 0;
    for (int i = 0; i < from * from; i++)
        places[i] = (int16_t)symmetry_index(symmetry, i / from * length + i % from, length, length);
    float *targets = batch->targets + at * ROW_GLOBAL_TARGETS,
          *planes = batch->planes + at * area * FEATURE_PLANES,
          *globals = batch->globals + at * FEATURE_GLOBALS;
    memcpy(targets, rows->targets + row * ROW_GLOBAL_TARGETS, ROW_GLOBAL_TARGETS * sizeof *targets);
    memcpy(globals, rows->globals + row * FEATURE_GLOBALS, FEATURE_GLOBALS * sizeof *globals);
    int shown = history_shown(loader, targets);
    for (int i = shown; i < 5; i++)
        globals[i] = 0;
    unpack_planes(rows, row, length, shown, places, planes);
    for (int c = 0; c < 2; c++)
        unpack_policy(rows->policy + (row * 2 + (size_t)c) * (small + 1), from, length, places,
                      batch->policy + (at * 2 + (size_t)c) * (area + 1));
    for (size_t i = 0; i < area; i++) {
        batch->mask[at * area + i] = planes[i * FEATURE_PLANES];
        batch->ownership[at * area + i] = 0;
    }
    for (size_t i = 0; i < small; i++)
        batch->ownership[at * area + (size_t)places[i]] = (float)rows->values[row * 5 * small + i];
    float *score = batch->score + at * SCORE_BINS;
    memset(score, 0, SCORE_BINS * sizeof *score);
    const int8_t *bins = rows->score + row * (2 * small + 120);
    int mid = (int)small + 60;
    for (int i = 0; i < 2 * mid; i++)
        score[i - mid + SCORE_BINS_HALF] = (float)bins[i] * 0.01f;
}

Status loader_next(Loader *loader, Batch *out, Error *err) {
    if (!loader->rows) return fail(err, ERR_ARGUMENT, "there are no rows to train on");
    for (int n = 0; n < loader->config.batch; n++) {
        if (loader->changed || loader->order_next == loader->order_count) {
            Status status = shuffle(loader, err);
            if (status) return status;
        }
        unpack_row(loader, loader->order[loader->order_next++], n);
    }
    loader->batch.count = loader->config.batch;
    *out = loader->batch;
    return OK;
}
