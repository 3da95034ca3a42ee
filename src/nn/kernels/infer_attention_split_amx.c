/* How a call runs, sample by sample:
 *   1. gather_cells(): list the cells on the mask.
 *   2. pack_keys(), pack_values(): for each head of keys, rotate the keys, divide keys and values
 *      into their two parts, and store them as tiles.
 *   3. For 32 queries at a time, which are two tiles of rows:
 *        pack_queries(): rotate, scale and divide the queries. The scale has a factor log2(e).
 *        multiply_keys(): compute the logits.
 *        softmax_row(): replace the logits of a query by 2^(logit - maximum), rounded to bf16.
 *        multiply_values(): multiply these weights with the values.
 *        finish(): divide by the sums of the weights, and write the results to their cells. */
#include "nn/kernels/infer_attention_split.h"

#include <math.h>
#include <string.h>

#if defined(__x86_64__)
#include "nn/backends/backend.h"
#include "nn/kernels/avx512.h"
#include "nn/kernels/conv/conv_amx_tiles.h"

#define TARGET AVX512_TARGET(",avx512bf16")
#define SET(value) _mm512_set1_ps(value)

enum {
    LANES = 16,
    QUERIES = 32,   /* at once */
    ROWS = 16,      /* in a tile */
    STEP = 32,      /* numbers in bf16 in a row of a tile */
    TILE = 16 * 32, /* numbers in bf16 in a tile */
    PARTS = 2
};

typedef struct {
    const AttentionCall *call;
    int count;         /* cells on the mask */
    int columns;       /* the same, padded to STEP */
    int steps;         /* of STEP channels of a query */
    int groups;        /* of LANES channels of a value */
    int32_t *cells;    /* (count) */
    uint16_t *queries; /* (QUERIES, part, steps * STEP) */
    uint16_t *keys;    /* tiles: (LANES columns, step, part) */
    uint16_t *values;  /* tiles: (group, STEP columns, part) */
    float *logits;     /* (QUERIES, columns); of each row, the first half becomes weights in bf16 */
    float *sums;       /* (QUERIES) */
    float *results;    /* (group of a pair, QUERIES, LANES) */
} Split;

static int padded(int count, int unit) {
    return (count + unit - 1) / unit * unit;
}

/* Assigns a place in the scratch to each matrix, unless `scratch` is NULL. Returns how many floats
 * the scratch needs. */
static size_t place_matrices(AttentionShape shape, int cells, float *scratch, Split *split) {
    size_t columns = (size_t)padded(cells, STEP),
           depth = (size_t)padded(shape.query_channels, STEP),
           values = (size_t)padded(shape.value_channels, LANES), used = 0;
    const size_t sizes[] = {
        columns,           QUERIES * depth, columns * depth,    columns * values,
        QUERIES * columns, QUERIES,         2 * QUERIES * LANES};
    float *places[sizeof sizes / sizeof *sizes];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        places[i] = scratch ? scratch + used : NULL;
        used += sizes[i];
    }
    split->steps = (int)depth / STEP;
    split->groups = (int)values / LANES;
    split->cells = (int32_t *)places[0];
    split->queries = (uint16_t *)places[1];
    split->keys = (uint16_t *)places[2];
    split->values = (uint16_t *)places[3];
    split->logits = places[4];
    split->sums = places[5];
    split->results = places[6];
    return used;
}

size_t attention_split_scratch(AttentionShape shape, int cells) {
    Split unused;
    return place_matrices(shape, cells, NULL, &unused);
}

bool attention_split_can(void) {
    return backend_isa() >= ISA_AMX;
}

static void gather_cells(int sample, Split *split) {
    const AttentionCall *call = split->call;
    split->count = 0;
    for (int cell = 0; cell < call->cells; cell++) {
        if (!call->mask || call->mask[sample * call->cells + cell] != 0.0f)
            split->cells[split->count++] = cell;
    }
    split->columns = padded(split->count, STEP);
}

/* Sixteen numbers, each the sum of two bf16. */
typedef struct {
    __m256i high, low;
} Halves;

TARGET static inline Halves divide(__m512 x) {
    __m256i high = (__m256i)_mm512_cvtneps_pbh(x);
    __m512 rounded = _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(high), 16));
    return (Halves){high, (__m256i)_mm512_cvtneps_pbh(_mm512_sub_ps(x, rounded))};
}

/* Rotates channels c to c + 15 of the query or key of a cell. Channels behind the last are 0. */
TARGET static inline __m512 rotated(const AttentionCall *call, int cell, int kv_head,
                                    const float *from, int c) {
    int channels = call->shape.query_channels;
    __mmask16 mask = avx512_lanes(channels - c);
    __m512 x = _mm512_maskz_loadu_ps(mask, from + c);
    if (!call->rotations) return x;
    __m512 angles = _mm512_maskz_loadu_ps(
        mask,
        call->rotations + (size_t)(cell * call->shape.kv_heads + kv_head) * (size_t)channels + c);
    __m512 exchanged = _mm512_permute_ps(x, 0xb1), sines = _mm512_movehdup_ps(angles);
    return _mm512_fmaddsub_ps(x, _mm512_moveldup_ps(angles), _mm512_mul_ps(exchanged, sines));
}

static size_t row_channels(AttentionShape shape) {
    return (size_t)((shape.heads + shape.kv_heads) * shape.query_channels +
                    shape.kv_heads * shape.value_channels);
}

TARGET static void pack_queries(const Split *split, const float *x, int head, int first) {
    const AttentionCall *call = split->call;
    AttentionShape s = call->shape;
    int depth = split->steps * STEP, rows = split->count - first;
    __m512 scale = SET(1.44269504f / sqrtf((float)s.query_channels));
    for (int i = 0; i < QUERIES; i++) {
        uint16_t *to = split->queries + (size_t)(i * PARTS * depth);
        if (i >= rows) {
            memset(to, 0, (size_t)(PARTS * depth) * sizeof *to);
            continue;
        }
        int cell = split->cells[first + i];
        const float *from = x + (size_t)cell * row_channels(s) + head * s.query_channels;
        for (int c = 0; c < depth; c += LANES) {
            Halves halves = divide(
                _mm512_mul_ps(scale, rotated(call, cell, head / (s.heads / s.kv_heads), from, c)));
            _mm256_storeu_si256((__m256i *)(to + c), halves.high);
            _mm256_storeu_si256((__m256i *)(to + depth + c), halves.low);
        }
    }
}

/* Transposes a matrix of 16 x 16 units of 32 bits and writes it. The first two steps transpose
 * within blocks of 4 x 4 units, the last two transpose the blocks. */
TARGET static inline void write_transposed(__m512i r[16], uint16_t *to) {
    __m512i t[16];
    for (int i = 0; i < 16; i += 2) {
        t[i] = _mm512_unpacklo_epi32(r[i], r[i + 1]);
        t[i + 1] = _mm512_unpackhi_epi32(r[i], r[i + 1]);
    }
    for (int i = 0; i < 16; i += 4) {
        r[i] = _mm512_unpacklo_epi64(t[i], t[i + 2]);
        r[i + 1] = _mm512_unpackhi_epi64(t[i], t[i + 2]);
        r[i + 2] = _mm512_unpacklo_epi64(t[i + 1], t[i + 3]);
        r[i + 3] = _mm512_unpackhi_epi64(t[i + 1], t[i + 3]);
    }
    for (int i = 0; i < 4; i++) {
        t[i] = _mm512_shuffle_i32x4(r[i], r[i + 4], 0x88);
        t[i + 4] = _mm512_shuffle_i32x4(r[i], r[i + 4], 0xdd);
        t[i + 8] = _mm512_shuffle_i32x4(r[i + 8], r[i + 12], 0x88);
        t[i + 12] = _mm512_shuffle_i32x4(r[i + 8], r[i + 12], 0xdd);
    }
    for (int i = 0; i < 4; i++) {
        _mm512_storeu_si512(to + (size_t)i * STEP, _mm512_shuffle_i32x4(t[i], t[i + 8], 0x88));
        _mm512_storeu_si512(to + (size_t)(i + 4) * STEP,
                            _mm512_shuffle_i32x4(t[i + 4], t[i + 12], 0x88));
        _mm512_storeu_si512(to + (size_t)(i + 8) * STEP,
                            _mm512_shuffle_i32x4(t[i], t[i + 8], 0xdd));
        _mm512_storeu_si512(to + (size_t)(i + 12) * STEP,
                            _mm512_shuffle_i32x4(t[i + 4], t[i + 12], 0xdd));
    }
}

TARGET static void pack_keys(const Split *split, const float *x, int kv_head) {
    const AttentionCall *call = split->call;
    AttentionShape s = call->shape;
    size_t channels = row_channels(s), key = (size_t)((s.heads + kv_head) * s.query_channels);
    uint16_t *to = split->keys;
    for (int j = 0; j < split->columns; j += LANES) {
        for (int c = 0; c < split->steps * STEP; c += STEP, to += PARTS * TILE) {
            __m512i high[LANES], low[LANES];
            for (int k = 0; k < LANES; k++) {
                high[k] = low[k] = _mm512_setzero_si512();
                if (j + k >= split->count) continue;
                int cell = split->cells[j + k];
                const float *from = x + (size_t)cell * channels + key;
                Halves first = divide(rotated(call, cell, kv_head, from, c)),
                       second = divide(rotated(call, cell, kv_head, from, c + LANES));
                high[k] = _mm512_inserti64x4(_mm512_castsi256_si512(first.high), second.high, 1);
                low[k] = _mm512_inserti64x4(_mm512_castsi256_si512(first.low), second.low, 1);
            }
            write_transposed(high, to);
            write_transposed(low, to + TILE);
        }
    }
}

/* Returns pairs of the sixteen numbers in `a` and `b`; those of `a` are in the low bits. */
TARGET static inline __m512i pairs(__m256i a, __m256i b) {
    return _mm512_or_si512(_mm512_cvtepu16_epi32(a),
                           _mm512_slli_epi32(_mm512_cvtepu16_epi32(b), 16));
}

TARGET static void pack_values(const Split *split, const float *x, int kv_head) {
    AttentionShape s = split->call->shape;
    size_t channels = row_channels(s),
           value = (size_t)((s.heads + s.kv_heads) * s.query_channels + kv_head * s.value_channels);
    uint16_t *to = split->values;
    for (int g = 0; g < split->groups; g++) {
        __mmask16 mask = avx512_lanes(s.value_channels - g * LANES);
        const float *from = x + value + g * LANES;
        for (int j = 0; j < split->columns; j += 2) {
            __m512 a = _mm512_setzero_ps(), b = a;
            if (j < split->count)
                a = _mm512_maskz_loadu_ps(mask, from + (size_t)split->cells[j] * channels);
            if (j + 1 < split->count)
                b = _mm512_maskz_loadu_ps(mask, from + (size_t)split->cells[j + 1] * channels);
            Halves first = divide(a), second = divide(b);
            _mm512_storeu_si512(to, pairs(first.high, second.high));
            _mm512_storeu_si512(to + TILE, pairs(first.low, second.low));
            to += STEP;
            if ((j + 2) % STEP == 0) to += TILE; /* the low parts are written already */
        }
    }
}

/* Adds the products of tiles 4 and 5 with tiles 6 and 7 to the sums. */
#define MULTIPLY_TILES()                                                                           \
    do {                                                                                           \
        _tile_dpbf16ps(0, 4, 6);                                                                   \
        _tile_dpbf16ps(1, 4, 7);                                                                   \
        _tile_dpbf16ps(2, 5, 6);                                                                   \
        _tile_dpbf16ps(3, 5, 7);                                                                   \
    } while (0)

/* Computes the logits of 32 queries. The tiles 0 to 3 have the sums of two tiles of queries by two
 * tiles of keys. */
AMX_TARGET static void multiply_keys(const Split *split) {
    size_t depth = (size_t)split->steps * STEP, key_tiles = (size_t)split->steps * PARTS * TILE,
           query_bytes = PARTS * depth * sizeof(uint16_t),
           logit_bytes = (size_t)split->columns * sizeof(float);
    AMX_FINISH_WRITES(split->queries);
    for (int j = 0; j < split->columns / LANES; j += 2) {
        _tile_zero(0);
        _tile_zero(1);
        _tile_zero(2);
        _tile_zero(3);
        for (int step = 0; step < split->steps; step++) {
            const uint16_t *first = split->queries + step * STEP,
                           *second = first + ROWS * PARTS * depth,
                           *left =
                               split->keys + (size_t)j * key_tiles + (size_t)step * PARTS * TILE,
                           *right = left + key_tiles;
            _tile_loadd(4, first + depth, query_bytes); /* low parts of queries */
            _tile_loadd(5, second + depth, query_bytes);
            _tile_loadd(6, left, AMX_ROW_BYTES);
            _tile_loadd(7, right, AMX_ROW_BYTES);
            MULTIPLY_TILES();
            _tile_loadd(4, first, query_bytes); /* high parts */
            _tile_loadd(5, second, query_bytes);
            MULTIPLY_TILES();
            _tile_loadd(6, left + TILE, AMX_ROW_BYTES); /* low parts of keys */
            _tile_loadd(7, right + TILE, AMX_ROW_BYTES);
            MULTIPLY_TILES();
        }
        float *to = split->logits + j * LANES, *lower = to + (size_t)(ROWS * split->columns);
        _tile_stored(0, to, logit_bytes);
        _tile_stored(1, to + LANES, logit_bytes);
        _tile_stored(2, lower, logit_bytes);
        _tile_stored(3, lower + LANES, logit_bytes);
    }
}

/* Computes 2^x for x <= 0 as 2^floor(x) times a polynomial of the rest. The coefficients were
 * fitted so that the largest relative error, 8e-5, is as small as possible. */
TARGET static inline __m512 power_of_two(__m512 x) {
    enum { DOWN = 1 };
    __m512 f = _mm512_reduce_ps(x, DOWN), p = SET(0.07802403f);
    p = _mm512_fmadd_ps(p, f, SET(0.22606707f));
    p = _mm512_fmadd_ps(p, f, SET(0.695834f));
    p = _mm512_fmadd_ps(p, f, SET(0.99992514f));
    return _mm512_scalef_ps(p, x);
}

/* Replaces the logits of a query by weights in bf16, and returns the sum of the weights. Weights
 * from `count` on are 0. A NaN makes the sum NaN. */
TARGET static float softmax_row(int count, int columns, float *x) {
    int full = count / STEP * STEP;
    __mmask16 first = avx512_lanes(count - full), second = avx512_lanes(count - full - LANES);
    __m512 none = SET(-INFINITY), even = _mm512_mask_loadu_ps(none, first, x + full),
           odd = second ? _mm512_mask_loadu_ps(none, second, x + full + LANES) : none;
    for (int j = 0; j < full; j += STEP) {
        even = _mm512_max_ps(_mm512_loadu_ps(x + j), even);
        odd = _mm512_max_ps(_mm512_loadu_ps(x + j + LANES), odd);
    }
    __m512 max = SET(_mm512_reduce_max_ps(_mm512_max_ps(even, odd))), sum = _mm512_setzero_ps();
    uint16_t *to = (uint16_t *)x;
    for (int j = 0; j < full; j += STEP) {
        __m512 a = power_of_two(_mm512_sub_ps(_mm512_loadu_ps(x + j), max)),
               b = power_of_two(_mm512_sub_ps(_mm512_loadu_ps(x + j + LANES), max));
        sum = _mm512_add_ps(sum, _mm512_add_ps(a, b));
        _mm512_storeu_si512(to + j, (__m512i)_mm512_cvtne2ps_pbh(b, a));
    }
    if (full < columns) {
        __m512 a = _mm512_loadu_ps(x + full), b = _mm512_loadu_ps(x + full + LANES);
        a = _mm512_maskz_mov_ps(first, power_of_two(_mm512_sub_ps(a, max)));
        b = _mm512_maskz_mov_ps(second, power_of_two(_mm512_sub_ps(b, max)));
        sum = _mm512_add_ps(sum, _mm512_add_ps(a, b));
        _mm512_storeu_si512(to + full, (__m512i)_mm512_cvtne2ps_pbh(b, a));
    }
    return _mm512_reduce_add_ps(sum);
}

/* Multiplies the weights of 32 queries with two groups of channels of the values. If the last
 * group is alone, the results of the second group have no meaning. */
AMX_TARGET static void multiply_values(const Split *split, int group) {
    size_t weight_bytes = (size_t)split->columns * sizeof(float),
           group_tiles = (size_t)split->columns / STEP * PARTS * TILE,
           next = split->groups - group > 1 ? group_tiles : 0;
    const uint16_t *left = split->values + (size_t)group * group_tiles, *right = left + next,
                   *first = (const uint16_t *)split->logits,
                   *second = (const uint16_t *)(split->logits + ROWS * split->columns);
    AMX_FINISH_WRITES(split->logits);
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    for (int j = 0; j < split->columns; j += STEP) {
        _tile_loadd(4, first + j, weight_bytes);
        _tile_loadd(5, second + j, weight_bytes);
        _tile_loadd(6, left, AMX_ROW_BYTES);
        _tile_loadd(7, right, AMX_ROW_BYTES);
        MULTIPLY_TILES();
        _tile_loadd(6, left + TILE, AMX_ROW_BYTES);
        _tile_loadd(7, right + TILE, AMX_ROW_BYTES);
        MULTIPLY_TILES();
        left += PARTS * TILE;
        right += PARTS * TILE;
    }
    float *to = split->results;
    _tile_stored(0, to, AMX_ROW_BYTES);
    _tile_stored(2, to + ROWS * LANES, AMX_ROW_BYTES);
    _tile_stored(1, to + QUERIES * LANES, AMX_ROW_BYTES);
    _tile_stored(3, to + (QUERIES + ROWS) * LANES, AMX_ROW_BYTES);
}

/* Divides by the sums of the weights, and writes the results of one group. `y` points to this group
 * in the first cell. */
TARGET static void finish(const Split *split, int first, int group, float *y) {
    AttentionShape s = split->call->shape;
    __mmask16 mask = avx512_lanes(s.value_channels - group * LANES);
    const float *from = split->results + group % 2 * QUERIES * LANES;
    for (int i = 0; i < QUERIES && first + i < split->count; i++, from += LANES)
        _mm512_mask_storeu_ps(y + (size_t)split->cells[first + i] *
                                      (size_t)(s.heads * s.value_channels),
                              mask, _mm512_mul_ps(_mm512_loadu_ps(from), SET(1 / split->sums[i])));
}

static void run_head(const Split *split, const float *x, float *y, int head) {
    for (int first = 0; first < split->count; first += QUERIES) {
        pack_queries(split, x, head, first);
        multiply_keys(split);
        for (int i = 0; i < QUERIES && first + i < split->count; i++)
            split->sums[i] = softmax_row(split->count, split->columns,
                                         split->logits + (size_t)(i * split->columns));
        for (int g = 0; g < split->groups; g++) {
            if (g % 2 == 0) multiply_values(split, g);
            finish(split, first, g, y + head * split->call->shape.value_channels + g * LANES);
        }
    }
}

void attention_split_run(const AttentionCall *call) {
    AttentionShape s = call->shape;
    size_t channels = row_channels(s), out_channels = (size_t)(s.heads * s.value_channels),
           cells = (size_t)call->cells;
    Split split = {.call = call};
    place_matrices(s, call->cells, call->scratch, &split);
    amx_set_tiles(&(AmxTiles){.rows = {ROWS, ROWS}, .depth = LANES});
    for (int sample = 0; sample < call->samples; sample++) {
        const float *x = call->x + (size_t)sample * cells * channels;
        float *y = call->y + (size_t)sample * cells * out_channels;
        gather_cells(sample, &split);
        if (split.count < call->cells) memset(y, 0, cells * out_channels * sizeof *y);
        for (int head = 0; head < s.heads && split.count; head++) {
            if (head % (s.heads / s.kv_heads) == 0) {
                pack_keys(&split, x, head / (s.heads / s.kv_heads));
                pack_values(&split, x, head / (s.heads / s.kv_heads));
            }
            run_head(&split, x, y, head);
        }
    }
    amx_end();
}
#else
bool attention_split_can(void) {
    return false;
}

size_t attention_split_scratch(AttentionShape shape, int cells) {
    (void)shape, (void)cells;
    return 0;
}

void attention_split_run(const AttentionCall *call) {
    (void)call;
}
#endif
