/* Products in int8: an example by hand, many shapes against products in double precision, the same
 * bits with every instruction set, the largest sums, and a row that is not finite. */
#include "base/rng.h"
#include "nn/aligned_room.h"
#include "nn/backends/backend.h"
#include "nn/kernels/int8/int8_gemm.h"
#include "test.h"

static const char *const LIMITS[] = {
    "ALL", "AVX512_CORE_BF16", "AVX512_CORE_VNNI", "AVX512_CORE", "AVX2", "SSE41"};
enum { LIMIT_COUNT = sizeof LIMITS / sizeof *LIMITS };

typedef struct {
    int rows, depth, columns;
    Int8RowsKind kind;
    bool bias, add, fit, fine; /* fine: of the columns */
} Shape;

static void set_column(Int8Columns *columns, int j, const float *x, bool fit) {
    float largest = 0;
    for (int k = 0; k < columns->depth; k++)
        largest = fmaxf(largest, fabsf(x[k]));
    int8_columns_set(columns, j, x, 1,
                     columns->fine ? int8_column_scale_fine(columns->depth, x, 1)
                     : fit         ? int8_column_scale(columns->depth, x, 1)
                                   : largest / 127.0f);
}

/* Computes y = a b + bias or, with shape.add, y += a b + bias. b is stored as (columns, depth).
 * With shape.fit, int8_column_scale() chooses the scales of the columns. */
static void multiply(Shape shape, const float *a, const float *b, const float *bias, float *y) {
    float *left = room(int8_rows_room(shape.rows, shape.depth)),
          *right = room((shape.fine ? int8_columns_room_fine : int8_columns_room)(shape.depth,
                                                                                  shape.columns));
    Int8Rows rows = int8_rows_place(shape.rows, shape.depth, left);
    Int8Columns columns = int8_columns_place(shape.depth, shape.columns, right);
    columns.fine = shape.fine;
    for (int j = 0; j < shape.columns; j++)
        set_column(&columns, j, b + (size_t)j * (size_t)shape.depth, shape.fit);
    int8_columns_pad(&columns);
    int8_rows_set(&rows, shape.kind, a, (size_t)shape.depth);
    int8_gemm(&(Int8GemmCall){.a = &rows,
                              .b = &columns,
                              .bias = shape.bias ? bias : NULL,
                              .add = shape.add,
                              .y = y,
                              .stride = (size_t)shape.columns});
    free(left);
    free(right);
}

/* The scale of the row is 254 / 127 = 2, and those of the columns are 127 / 127 = 1 and
 * 381 / 127 = 3. */
TEST(an_example_by_hand) {
    const float a[4] = {254, -2, 4, 0}, b[8] = {127, 1, 2, 3, 3, -381, 0, 6}, bias[2] = {0.5f, 1};
    float y[2];
    multiply((Shape){1, 4, 2, .bias = true}, a, b, bias, y);
    EXPECT_NEAR(254 * 127 - 2 + 8 + 0.5, y[0], 1e-2);
    EXPECT_NEAR(254 * 3 + 2 * 381 + 1, y[1], 1e-2);
    multiply((Shape){1, 4, 2, .add = true}, a, b, bias, y);
    EXPECT_NEAR(2 * (254 * 127 - 2 + 8) + 0.5, y[0], 1e-2);
}

#define COARSE INT8_ROWS_COARSE
#define FINE INT8_ROWS_FINE
#define FRACTIONS INT8_ROWS_FRACTIONS
static const Shape SHAPES[] = {{1, 1, 1, COARSE, false, false, false, false},
                               {1, 4, 16, COARSE, true, false, true, false},
                               {6, 32, 361, COARSE, false, false, false, false},
                               {48, 361, 32, FRACTIONS, false, false, false, false},
                               {25, 96, 288, COARSE, true, false, true, false},
                               {8, 256, 96, COARSE, false, true, true, false},
                               {17, 81, 9, FRACTIONS, true, true, false, false},
                               {9, 33, 64, COARSE, true, true, false, false},
                               {13, 7, 50, COARSE, true, false, true, false},
                               {25, 96, 70, FINE, true, true, false, false},
                               {8, 256, 96, FINE, false, false, false, false},
                               {70, 96, 40, COARSE, true, false, true, false},
                               {33, 256, 48, FINE, true, true, true, false},
                               {40, 96, 33, FINE, true, true, false, true},
                               {1, 64, 16, COARSE, false, true, false, true},
                               {19, 361, 32, FRACTIONS, false, false, false, true}};
enum { SHAPE_COUNT = sizeof SHAPES / sizeof *SHAPES };

typedef struct {
    size_t values;
    float *a, *b, *bias, *y, *want;
} Case;

static Case case_new(Rng *rng, Shape shape) {
    size_t rows = (size_t)shape.rows, depth = (size_t)shape.depth, columns = (size_t)shape.columns;
    Case c = {rows * columns, room(rows * depth),   room(columns * depth),
              room(columns),  room(rows * columns), room(rows * columns)};
    for (size_t i = 0; i < rows * depth; i++)
        c.a[i] = shape.kind == INT8_ROWS_FRACTIONS ? (float)rng_uniform(rng)
                                                   : 5.0f * (float)rng_normal(rng);
    for (size_t i = 0; i < columns * depth; i++)
        c.b[i] = 0.1f * (float)rng_normal(rng);
    for (size_t j = 0; j < columns; j++)
        c.bias[j] = (float)rng_normal(rng);
    for (size_t i = 0; i < c.values; i++)
        c.want[i] = c.y[i] = (float)rng_normal(rng);
    return c;
}

static void case_free(Case *c) {
    free(c->a), free(c->b), free(c->bias), free(c->y), free(c->want);
}

/* Rounding changes an element of a factor by at most half of its scale; with `fit`, clipping
 * changes some more. In a sum most of these errors cancel, so the square of the error is compared
 * with that of the result. */
TEST(all_shapes_agree_with_double_precision) {
    Rng rng = rng_seeded(1);
    for (int s = 0; s < SHAPE_COUNT; s++) {
        Shape shape = SHAPES[s];
        Case c = case_new(&rng, shape);
        double error = 0, size = 0;
        multiply(shape, c.a, c.b, c.bias, c.y);
        for (int i = 0; i < shape.rows; i++) {
            for (int j = 0; j < shape.columns; j++) {
                size_t at = (size_t)(i * shape.columns + j);
                double sum =
                    (shape.add ? (double)c.want[at] : 0) + (shape.bias ? (double)c.bias[j] : 0);
                for (int k = 0; k < shape.depth; k++)
                    sum += (double)c.a[i * shape.depth + k] * (double)c.b[j * shape.depth + k];
                error += (sum - (double)c.y[at]) * (sum - (double)c.y[at]);
                size += sum * sum;
            }
        }
        EXPECT_TRUE(error < 2e-4 * size);
        case_free(&c);
    }
}

/* The left factor has one element of each row that is not 0, so only the right factor is rounded. */
TEST(fine_columns_are_far_more_exact) {
    enum { DEPTH = 64, COLUMNS = 20 };
    Rng rng = rng_seeded(6);
    float a[DEPTH * DEPTH] = {0}, b[COLUMNS * DEPTH], y[2][DEPTH * COLUMNS];
    double errors[2] = {0, 0};
    for (int i = 0; i < DEPTH; i++)
        a[i * DEPTH + i] = 127;
    for (int i = 0; i < COLUMNS * DEPTH; i++)
        b[i] = (float)rng_normal(&rng);
    for (int fine = 0; fine < 2; fine++) {
        multiply((Shape){DEPTH, DEPTH, COLUMNS, COARSE, .fine = fine}, a, b, NULL, y[fine]);
        for (int i = 0; i < DEPTH * COLUMNS; i++)
            errors[fine] +=
                fabs(127 * (double)b[i % COLUMNS * DEPTH + i / COLUMNS] - (double)y[fine][i]);
    }
    EXPECT_TRUE(errors[1] < errors[0] / 50);
}

/* The elements of the right factor are integers up to 127, so only the left factor is rounded: to
 * 15 bits if it is fine, to 8 bits otherwise. */
TEST(fine_rows_are_far_more_exact) {
    enum { ROWS = 20, DEPTH = 64 };
    Rng rng = rng_seeded(3);
    float a[ROWS * DEPTH], b[DEPTH], y[2][ROWS];
    double errors[2] = {0, 0};
    for (int i = 0; i < ROWS * DEPTH; i++)
        a[i] = (float)rng_normal(&rng);
    for (int k = 0; k < DEPTH; k++)
        b[k] = k ? (float)rng_below(&rng, 127) : 127;
    multiply((Shape){ROWS, DEPTH, 1, COARSE, false, false, false, false}, a, b, NULL, y[0]);
    multiply((Shape){ROWS, DEPTH, 1, FINE, false, false, false, false}, a, b, NULL, y[1]);
    for (int i = 0; i < ROWS; i++) {
        double sum = 0;
        for (int k = 0; k < DEPTH; k++)
            sum += (double)a[i * DEPTH + k] * (double)b[k];
        for (int fine = 0; fine < 2; fine++)
            errors[fine] += fabs(sum - (double)y[fine][i]);
    }
    EXPECT_TRUE(errors[1] < errors[0] / 50);
}

/* Fine rows and fine columns are the exceptions: products in parts are added in f32, and not every
 * kernel adds the same parts as integers. */
TEST(every_instruction_set_gives_the_same_bits) {
    Rng rng = rng_seeded(2);
    for (int s = 0; s < SHAPE_COUNT * LIMIT_COUNT; s++) {
        Shape shape = SHAPES[s / LIMIT_COUNT];
        Case c = case_new(&rng, shape);
        multiply(shape, c.a, c.b, c.bias, c.y);
        EXPECT_INT(0, setenv("ONEDNN_MAX_CPU_ISA", LIMITS[s % LIMIT_COUNT], 1));
        multiply(shape, c.a, c.b, c.bias, c.want);
        EXPECT_INT(0, unsetenv("ONEDNN_MAX_CPU_ISA"));
        bool parts = shape.kind == FINE || shape.fine;
        for (size_t i = 0; i < c.values && parts; i++)
            EXPECT_NEAR(c.want[i], c.y[i], 1e-4);
        if (!parts) EXPECT_INT(0, memcmp(c.y, c.want, c.values * sizeof *c.y));
        case_free(&c);
    }
}

/* A sum of INT8_GEMM_DEPTH_MAX products of 255 and -127 fits into 32 bits. */
TEST(the_largest_sums_fit) {
    size_t depth = INT8_GEMM_DEPTH_MAX;
    float *a = room(depth), *b = room(depth), y;
    for (size_t k = 0; k < depth; k++)
        a[k] = 1, b[k] = -127;
    for (int plain = 0; plain < 2; plain++) {
        if (plain) EXPECT_INT(0, setenv("ONEDNN_MAX_CPU_ISA", "SSE41", 1));
        multiply((Shape){1, (int)depth, 1, .kind = INT8_ROWS_FRACTIONS}, a, b, NULL, &y);
        EXPECT_NEAR(-127.0 * (double)depth, y, 10);
        EXPECT_INT(0, unsetenv("ONEDNN_MAX_CPU_ISA"));
    }
    free(a), free(b);
}

/* Column j of the right factor is 127 at j and 0 elsewhere, so the product is 127 times the row. */
TEST(softmax_rows_are_exponentials) {
    static const int DEPTHS[] = {1, 5, 16, 81, 361};
    Rng rng = rng_seeded(5);
    for (int i = 0; i < 10; i++) {
        int depth = DEPTHS[i / 2];
        float *x = room((size_t)depth), *left = room(int8_rows_room(1, depth)),
              *right = room(int8_columns_room(depth, depth)), *b = room((size_t)depth),
              *y = room((size_t)depth), sum, largest = -INFINITY;
        double want = 0;
        for (int k = 0; k < depth; k++) {
            x[k] = k == 2 ? -1e30f : 3.0f * (float)rng_normal(&rng);
            largest = fmaxf(largest, x[k]);
        }
        if (i % 2) EXPECT_INT(0, setenv("ONEDNN_MAX_CPU_ISA", "SSE41", 1));
        Int8Rows rows = int8_rows_place(1, depth, left);
        Int8Columns columns = int8_columns_place(depth, depth, right);
        for (int j = 0; j < depth; j++) {
            b[j] = 127;
            int8_columns_set(&columns, j, b, 1, 1.0f);
            b[j] = 0;
        }
        int8_columns_pad(&columns);
        int8_rows_softmax(&rows, x, (size_t)depth, &sum);
        int8_gemm(&(Int8GemmCall){&rows, &columns, NULL, false, y, (size_t)depth});
        for (int k = 0; k < depth; k++) {
            EXPECT_NEAR(exp((double)x[k] - (double)largest), (double)y[k] / 127, 0.5 / 255 + 3e-4);
            want += (double)y[k] / 127;
        }
        EXPECT_NEAR(want, sum, 1e-4 * want);
        EXPECT_INT(0, unsetenv("ONEDNN_MAX_CPU_ISA"));
        free(x), free(left), free(right), free(b), free(y);
    }
}

TEST(a_row_that_is_not_finite_spoils_only_itself) {
    float a[3 * 4] = {1, 2, 3, 4, 1, NAN, INFINITY, 2, 1, 2, 3, 4}, b[4] = {1, 1, 1, 1}, y[3];
    multiply((Shape){.rows = 3, .depth = 4, .columns = 1}, a, b, NULL, y);
    EXPECT_NEAR(10, y[0], 0.1);
    EXPECT_FALSE(isfinite(y[1]));
    EXPECT_NEAR(10, y[2], 0.1);
    a[6] = 3; /* now the row has a NaN but no infinity */
    multiply((Shape){.rows = 3, .depth = 4, .columns = 1}, a, b, NULL, y);
    EXPECT_NEAR(10, y[0], 0.1);
    EXPECT_NEAR(10, y[2], 0.1);
}

TEST_MAIN(RUN(an_example_by_hand), RUN(all_shapes_agree_with_double_precision),
          RUN(fine_rows_are_far_more_exact), RUN(fine_columns_are_far_more_exact),
          RUN(every_instruction_set_gives_the_same_bits), RUN(the_largest_sums_fit),
          RUN(softmax_rows_are_exponentials), RUN(a_row_that_is_not_finite_spoils_only_itself))
