/* Scores are in units of the logarithm to base 2: s_ij = log2(e) q_i . k_j / sqrt(query_channels).
 * Forward, for some queries i at a time:
 *   1. S = Q K'
 *   2. P = 2^(S - maximum of the row), in bf16, and the sums of its rows
 *   3. y = P V / sums. Keep the logarithm of the sum of each row of 2^S.
 * Backward works with the transposes of S and P, for some keys j at a time. So the rows of P' and
 * dS' are the left factors of the products that give the gradients of keys and values:
 *   1. S' = K Q' and dP' = V dY'
 *   2. P' = 2^(S' - logarithm of the sum) and dS' = P' (dP' - d), where d_i = dy_i . y_i is the sum
 *      of P_ij dP_ij over j
 *   3. dV = P' dY and dK = dS' Q / sqrt(query_channels)
 * Then dQ' = K' dS' / sqrt(query_channels), for all keys at once. */
#include "nn/kernels/transformer/attention_amx.h"

#include <math.h>
#include <string.h>

#include "nn/kernels/transformer/amx_gemm.h"
#include "nn/kernels/transformer/amx_pack.h"

bool attention_amx_can(void) {
    return amx_gemm_can();
}

#if defined(__x86_64__)
#include "nn/kernels/transformer/avx512_exp.h"

#define TARGET AVX512_TARGET(",avx512bf16")

enum { LANES = AMX_GEMM_LANES, UNITS = AMX_GEMM_UNITS, ROWS = 32 /* in a block of rows */ };
static const float LOG2_E = 1.44269504f;
static const float NEVER = 1e30f; /* the logarithm of a sum that makes all weights 0 */

/* Sizes, and the parts of the scratch memory. `columns` are the cells, rounded up to whole tiles.
 * Units that pair cells are rounded up to whole steps of the depth; so are the units of
 * channels. */
typedef struct {
    size_t columns, cell_units, query_units, value_units, queries, values;
    uint32_t *left, *left2;         /* (columns, units of channels), packed as rows */
    uint32_t *right, *right2;       /* panels whose depth is that of the channels */
    uint32_t *of_cells, *of_cells2; /* panels whose depth is that of the cells */
    uint32_t *turned;               /* (queries, cell_units), packed as rows */
    uint32_t *weights, *slopes;     /* (ROWS, cell_units): P or P', and dS', packed as rows */
    uint32_t *all_slopes;           /* dS', as panels */
    float *scores, *products;       /* (ROWS, columns): S or S', and dP' */
    float *result;                  /* of products */
    float *sums, *dots;             /* (columns): logarithms of sums, and d */
} HeadLayout;

/* Lays out the scratch memory, and returns its size in floats. */
static size_t lay_out(size_t cells, size_t query_channels, size_t value_channels, float *scratch,
                      HeadLayout *out) {
    HeadLayout p = {.columns = amx_round_up(cells, LANES),
                    .cell_units = amx_round_up(cells, AMX_GEMM_DEPTH) / 2,
                    .query_units = amx_round_up(query_channels, AMX_GEMM_DEPTH) / 2,
                    .value_units = amx_round_up(value_channels, AMX_GEMM_DEPTH) / 2,
                    .queries = amx_round_up(query_channels, LANES),
                    .values = amx_round_up(value_channels, LANES)};
    size_t wide = amx_larger(p.queries, p.values),
           result = amx_larger(ROWS * wide, p.queries * p.columns);
    const struct {
        uint32_t **units;
        float **floats;
        size_t count;
    } parts[] = {{&p.left, NULL, p.columns * p.query_units},
                 {&p.left2, NULL, p.columns * p.value_units},
                 {&p.right, NULL, p.columns * p.query_units},
                 {&p.right2, NULL, p.columns * p.value_units},
                 {&p.of_cells, NULL, wide * p.cell_units},
                 {&p.of_cells2, NULL, p.queries * p.cell_units},
                 {&p.turned, NULL, p.queries * p.cell_units},
                 {&p.weights, NULL, ROWS * p.cell_units},
                 {&p.slopes, NULL, ROWS * p.cell_units},
                 {&p.all_slopes, NULL, p.columns * p.cell_units},
                 {NULL, &p.scores, ROWS * p.columns},
                 {NULL, &p.products, ROWS * p.columns},
                 {NULL, &p.result, result},
                 {NULL, &p.sums, p.columns},
                 {NULL, &p.dots, p.columns}};
    size_t total = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        float *at = scratch ? scratch + total : NULL;
        if (parts[i].units) *parts[i].units = (uint32_t *)(void *)at;
        if (parts[i].floats) *parts[i].floats = at;
        total += amx_round_up(parts[i].count, LANES);
    }
    *out = p;
    return total;
}

size_t attention_amx_scratch(size_t cells, size_t query_channels, size_t value_channels) {
    HeadLayout plan;
    return lay_out(cells, query_channels, value_channels, NULL, &plan);
}

static bool is_on(const AttentionAmx *head, size_t cell) {
    return cell < head->cells && (!head->mask || head->mask[cell] != 0);
}

static HeadLayout plan_of(const AttentionAmx *head, float *scratch) {
    HeadLayout plan;
    lay_out(head->cells, head->query_channels, head->value_channels, scratch, &plan);
    return plan;
}

static float scale_of(const AttentionAmx *head) {
    return 1 / sqrtf((float)head->query_channels);
}

static AmxMatrix queries_of(const AttentionAmx *head, const float *x, float factor) {
    return (AmxMatrix){x, head->cells, head->query_channels, head->stride, factor};
}

static size_t rows_at(const HeadLayout *p, size_t row) {
    return p->columns - row < ROWS ? p->columns - row : ROWS;
}

/* The weights of the columns beyond `columns` are 0. */
static void clear_rest(const HeadLayout *p, uint32_t *rows) {
    size_t used = p->columns / 2;
    for (size_t i = 0; i < ROWS && used < p->cell_units; i++)
        memset(rows + i * p->cell_units + used, 0, (p->cell_units - used) * sizeof *rows);
}

/* Replaces the scores of a query by its weights before division by their sum, in bf16. Returns the
 * sum, and the maximum of the scores in `*max`. `lanes` has a bit for each lane of a column on the
 * board. */
TARGET static float weigh_row(const HeadLayout *p, const float *scores, const __mmask16 *lanes,
                              uint32_t *weights, float *max) {
    __m512 largest = _mm512_set1_ps(-NEVER), sum = _mm512_setzero_ps();
    for (size_t j = 0; j < p->columns; j += LANES)
        largest =
            _mm512_mask_max_ps(largest, lanes[j / LANES], largest, _mm512_loadu_ps(scores + j));
    *max = _mm512_reduce_max_ps(largest);
    largest = _mm512_set1_ps(*max);
    for (size_t j = 0; j < p->columns; j += LANES) {
        __m512 e =
            avx512_exp2(lanes[j / LANES], _mm512_sub_ps(_mm512_loadu_ps(scores + j), largest));
        sum = _mm512_add_ps(sum, e);
        _mm256_storeu_si256((__m256i *)(void *)(weights + j / 2), (__m256i)_mm512_cvtneps_pbh(e));
    }
    return _mm512_reduce_add_ps(sum);
}

/* Computes bits of the lanes that are on the board. */
static void find_lanes(const AttentionAmx *head, __mmask16 *lanes) {
    for (size_t j = 0; j < amx_round_up(head->cells, LANES); j += LANES) {
        unsigned bits = 0;
        for (size_t lane = 0; lane < LANES; lane++)
            bits |= (unsigned)is_on(head, j + lane) << lane;
        lanes[j / LANES] = (__mmask16)bits;
    }
}

TARGET static void store_row(const float *from, size_t count, float factor, float *to) {
    for (size_t c = 0; c < count; c += LANES) {
        __mmask16 mask = avx512_lanes((int)(count - c));
        _mm512_mask_storeu_ps(to + c, mask,
                              _mm512_mul_ps(_mm512_loadu_ps(from + c), _mm512_set1_ps(factor)));
    }
}

/* Computes y and the logarithms of the sums for the queries of a block, from their scores. */
static void finish_queries(const AttentionAmx *head, const HeadLayout *p, size_t first,
                           const __mmask16 *lanes) {
    float factors[ROWS];
    size_t rows = rows_at(p, first),
           count = head->cells - first < rows ? head->cells - first : rows;
    for (size_t i = 0; i < count; i++) {
        float max, sum = weigh_row(p, p->scores + i * p->columns, lanes,
                                   p->weights + i * p->cell_units, &max);
        bool on = is_on(head, first + i);
        factors[i] = on ? 1 / sum : 0;
        head->log_sums[first + i] = on ? max + log2f(sum) : NEVER;
    }
    amx_gemm(&(AmxGemm){.rows = rows,
                        .columns = p->values,
                        .steps = p->cell_units / UNITS,
                        .a = p->weights,
                        .b = p->of_cells,
                        .a_stride = p->cell_units,
                        .b_units = p->cell_units,
                        .c = p->result,
                        .c_stride = p->values});
    for (size_t i = 0; i < count; i++)
        store_row(p->result + i * p->values, head->value_channels, factors[i],
                  head->y + (first + i) * head->y_stride);
}

void attention_amx_forward(const AttentionAmx *head, float *scratch) {
    HeadLayout p = plan_of(head, scratch);
    __mmask16 *lanes = (__mmask16 *)(void *)p.sums;
    const AmxMatrix query = queries_of(head, head->query, LOG2_E * scale_of(head)),
                    key = queries_of(head, head->key, 1),
                    value = {head->value, head->cells, head->value_channels, head->stride, 1};
    find_lanes(head, lanes);
    amx_pack_rows(&query, p.query_units, p.left);
    amx_pack_panels_transposed(&key, p.query_units, p.right);
    amx_pack_panels(&value, p.cell_units, p.of_cells);
    clear_rest(&p, p.weights);
    amx_gemm_begin();
    for (size_t first = 0; first < p.columns; first += ROWS) {
        amx_gemm(&(AmxGemm){.rows = rows_at(&p, first),
                            .columns = p.columns,
                            .steps = p.query_units / UNITS,
                            .a = p.left + first * p.query_units,
                            .b = p.right,
                            .a_stride = p.query_units,
                            .b_units = p.query_units,
                            .c = p.scores,
                            .c_stride = p.columns});
        finish_queries(head, &p, first, lanes);
    }
    amx_gemm_end();
}

/* Computes d, and copies the logarithms of the sums. */
static void find_dots(const AttentionAmx *head, const HeadLayout *p) {
    for (size_t i = 0; i < p->columns; i++) {
        const float *y = head->y + i * head->y_stride, *dy = head->dy + i * head->y_stride;
        float sum = 0;
        for (size_t c = 0; i < head->cells && c < head->value_channels; c++)
            sum += y[c] * dy[c];
        p->dots[i] = sum;
        p->sums[i] = i < head->cells ? head->log_sums[i] : NEVER;
    }
}

/* Stores the rows j and j + 1 of P' or dS' as rows. */
TARGET static inline void store_two(const HeadLayout *p, __m512 first, __m512 second,
                                    uint32_t *to) {
    __m512i both = (__m512i)_mm512_cvtne2ps_pbh(second, first);
    _mm256_storeu_si256((__m256i *)(void *)to, _mm512_castsi512_si256(both));
    _mm256_storeu_si256((__m256i *)(void *)(to + p->cell_units),
                        _mm512_extracti64x4_epi64(both, 1));
}

/* Computes P' and dS' for row i of a block of keys and for the row after it. `on` says whether
 * their keys are on the board. `unit` is the number of this pair of keys. */
TARGET static void find_slopes(const HeadLayout *p, size_t i, const bool on[2], size_t unit) {
    const float *scores = p->scores + i * p->columns, *products = p->products + i * p->columns;
    __mmask16 first = on[0] ? 0xffff : 0, second = on[1] ? 0xffff : 0;
    uint32_t *weights = p->weights + i * p->cell_units, *slopes = p->slopes + i * p->cell_units,
             *panel = p->all_slopes + unit * LANES;
    for (size_t j = 0; j < p->columns; j += LANES, panel += p->cell_units * LANES) {
        __m512 sums = _mm512_loadu_ps(p->sums + j), dots = _mm512_loadu_ps(p->dots + j);
        __m512 weight = avx512_exp2(first, _mm512_sub_ps(_mm512_loadu_ps(scores + j), sums)),
               weight2 = avx512_exp2(second,
                                     _mm512_sub_ps(_mm512_loadu_ps(scores + p->columns + j), sums)),
               slope = _mm512_sub_ps(_mm512_loadu_ps(products + j), dots),
               slope2 = _mm512_sub_ps(_mm512_loadu_ps(products + p->columns + j), dots);
        slope = _mm512_maskz_mul_ps(first, slope, weight);
        slope2 = _mm512_maskz_mul_ps(second, slope2, weight2);
        store_two(p, weight, weight2, weights + j / 2);
        store_two(p, slope, slope2, slopes + j / 2);
        _mm512_storeu_si512(panel, avx512_pair_bf16(slope, slope2));
    }
}

TARGET static void add_row(const float *from, size_t count, float *to) {
    for (size_t c = 0; c < count; c += LANES) {
        __mmask16 mask = avx512_lanes((int)(count - c));
        _mm512_mask_storeu_ps(
            to + c, mask,
            _mm512_add_ps(_mm512_maskz_loadu_ps(mask, to + c), _mm512_loadu_ps(from + c)));
    }
}

/* Adds a block of rows of P' or dS' times `right` to the gradients of these keys or values. */
static void add_product(const AttentionAmx *head, const HeadLayout *p, size_t first,
                        const uint32_t *left, const uint32_t *right, size_t channels, float *to) {
    size_t rows = rows_at(p, first), columns = amx_round_up(channels, LANES);
    amx_gemm(&(AmxGemm){.rows = rows,
                        .columns = columns,
                        .steps = p->cell_units / UNITS,
                        .a = left,
                        .b = right,
                        .a_stride = p->cell_units,
                        .b_units = p->cell_units,
                        .c = p->result,
                        .c_stride = columns});
    for (size_t j = 0; j < rows && first + j < head->cells; j++)
        add_row(p->result + j * columns, channels, to + (first + j) * head->stride);
}

/* Adds the transpose of the result (queries, columns) to the gradients of the queries. */
TARGET static void add_queries(const AttentionAmx *head, const HeadLayout *p) {
    for (size_t c = 0; c < p->queries; c += LANES) {
        __mmask16 mask = avx512_lanes((int)(head->query_channels - c));
        for (size_t i = 0; i < head->cells; i += LANES) {
            __m512i block[LANES];
            _Pragma("GCC unroll 16") for (size_t k = 0; k < LANES; k++) block[k] =
                _mm512_loadu_si512(p->result + (c + k) * p->columns + i);
            avx512_transpose(block);
            for (size_t k = 0; k < LANES && i + k < head->cells; k++) {
                float *to = head->dquery + (i + k) * head->stride + c;
                _mm512_mask_storeu_ps(
                    to, mask,
                    _mm512_add_ps(_mm512_maskz_loadu_ps(mask, to), _mm512_castsi512_ps(block[k])));
            }
        }
    }
}

static void pack_backward(const AttentionAmx *head, const HeadLayout *p) {
    float scale = scale_of(head);
    const AmxMatrix query = queries_of(head, head->query, 1),
                    scaled_query = queries_of(head, head->query, scale),
                    scaled_key = queries_of(head, head->key, scale),
                    log_key = queries_of(head, head->key, LOG2_E * scale),
                    value = {head->value, head->cells, head->value_channels, head->stride, 1},
                    dy = {head->dy, head->cells, head->value_channels, head->y_stride, 1};
    amx_pack_rows(&log_key, p->query_units, p->left);
    amx_pack_rows(&value, p->value_units, p->left2);
    amx_pack_panels_transposed(&query, p->query_units, p->right);
    amx_pack_panels_transposed(&dy, p->value_units, p->right2);
    amx_pack_panels(&dy, p->cell_units, p->of_cells);
    amx_pack_panels(&scaled_query, p->cell_units, p->of_cells2);
    amx_pack_rows_transposed(&scaled_key, p->cell_units, p->turned);
}

/* Computes S' and dP' for a block of keys. */
static void find_products(const HeadLayout *p, size_t first) {
    AmxGemm product = {.rows = rows_at(p, first),
                       .columns = p->columns,
                       .steps = p->query_units / UNITS,
                       .a = p->left + first * p->query_units,
                       .b = p->right,
                       .a_stride = p->query_units,
                       .b_units = p->query_units,
                       .c = p->scores,
                       .c_stride = p->columns};
    amx_gemm(&product);
    product.steps = p->value_units / UNITS;
    product.a = p->left2 + first * p->value_units;
    product.b = p->right2;
    product.a_stride = product.b_units = p->value_units;
    product.c = p->products;
    amx_gemm(&product);
}

void attention_amx_backward(const AttentionAmx *head, float *scratch) {
    HeadLayout p = plan_of(head, scratch);
    find_dots(head, &p);
    pack_backward(head, &p);
    clear_rest(&p, p.weights);
    clear_rest(&p, p.slopes);
    for (size_t i = 0; i < p.columns && p.columns / 2 < p.cell_units; i += LANES) {
        uint32_t *panel = p.all_slopes + i * p.cell_units;
        memset(panel + p.columns / 2 * LANES, 0,
               (p.cell_units - p.columns / 2) * LANES * sizeof *panel);
    }
    amx_gemm_begin();
    for (size_t first = 0; first < p.columns; first += ROWS) {
        find_products(&p, first);
        for (size_t j = 0; j < rows_at(&p, first); j += 2) {
            const bool on[2] = {is_on(head, first + j), is_on(head, first + j + 1)};
            find_slopes(&p, j, on, (first + j) / 2);
        }
        add_product(head, &p, first, p.weights, p.of_cells, head->value_channels, head->dvalue);
        add_product(head, &p, first, p.slopes, p.of_cells2, head->query_channels, head->dkey);
    }
    amx_gemm(&(AmxGemm){.rows = p.queries,
                        .columns = p.columns,
                        .steps = p.cell_units / UNITS,
                        .a = p.turned,
                        .b = p.all_slopes,
                        .a_stride = p.cell_units,
                        .b_units = p.cell_units,
                        .c = p.result,
                        .c_stride = p.columns});
    amx_gemm_end();
    add_queries(head, &p);
}
#else
size_t attention_amx_scratch(size_t cells, size_t query_channels, size_t value_channels) {
    (void)cells, (void)query_channels, (void)value_channels;
    return 0;
}

void attention_amx_forward(const AttentionAmx *head, float *scratch) {
    (void)head, (void)scratch;
}

void attention_amx_backward(const AttentionAmx *head, float *scratch) {
    (void)head, (void)scratch;
}
#endif
