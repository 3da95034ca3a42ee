/* made_rows.h - artificial rows, and files of such rows, for tests. */
#pragma once
#include "data/rows/row_file.h"
#include "test.h"
#include "test_path.h"

static inline void made_set_bit(Rows *rows, size_t n, size_t plane, int x, int y) {
    size_t area = (size_t)(rows->length * rows->length), bytes = (area + 7) / 8,
           at = (size_t)(y * rows->length + x);
    rows->planes[(n * FEATURE_PLANES + plane) * bytes + at / 8] |= (uint8_t)(0x80 >> at % 8);
}

/* Returns rows of zeros. The caller frees them with rows_clear(). */
static inline Rows made_empty_rows(int length, size_t count) {
    size_t area = (size_t)(length * length);
    return (Rows){
        .length = length,
        .count = count,
        .capacity = count,
        .planes = calloc(count, FEATURE_PLANES * ((area + 7) / 8)),
        .globals = calloc(count, FEATURE_GLOBALS * sizeof(float)),
        .policy = calloc(count, 2 * (area + 1) * sizeof(int16_t)),
        .targets = calloc(count, ROW_GLOBAL_TARGETS * sizeof(float)),
        .score = calloc(count, 2 * area + 2 * ROW_SCORE_PAD),
        .values = calloc(count, 5 * area),
        .q_values = calloc(count, 3 * (area + 1) * sizeof(int16_t)),
        .search_values = calloc(count, REPORT_VALUE_BUCKETS * sizeof(int16_t)),
    };
}

/* Makes row n by a rule that nets in tests can learn. The board has one stone, and it belongs to
 * the opponent. The policy is uniform over the points next to the stone, and only these moves were
 * visited. If the stone is on the edge, the mover owns all points and wins by the area of the
 * board. Otherwise the opponent owns all points and wins by the area of the board. */
static inline void made_row(Rows *rows, size_t n, int width, int height, Rng *rng) {
    static const int DX[4] = {0, -1, 1, 0}, DY[4] = {-1, 0, 0, 1};
    int length = rows->length, frame = length * length, x = rng_below(rng, width),
        y = rng_below(rng, height);
    float *targets = rows->targets + n * ROW_GLOBAL_TARGETS;
    int16_t *policy = rows->policy + n * 2 * (size_t)(frame + 1);
    bool won = x == 0 || y == 0 || x == width - 1 || y == height - 1;
    made_set_bit(rows, n, 2, x, y);
    for (int i = 0; i < width * height; i++) {
        made_set_bit(rows, n, 0, i % width, i / width);
        rows->values[n * 5 * (size_t)frame + (size_t)(i / width * length + i % width)] =
            (int8_t)(won ? 1 : -1);
    }
    for (int i = 0; i < 4; i++) {
        int nx = x + DX[i], ny = y + DY[i];
        if (nx < 0 || ny < 0 || nx >= width || ny >= height) continue;
        int16_t *q_value = rows->q_values + n * 3 * (size_t)(frame + 1) + ny * length + nx;
        policy[ny * length + nx] = 10;
        q_value[0] = (int16_t)(won ? 32000 : -32000);
        q_value[frame + 1] = (int16_t)(60 * (won ? width * height : -width * height));
        q_value[2 * (frame + 1)] = 10;
    }
    policy[frame + 1 + frame] = 1; /* the reply is a pass */
    for (int i = 0; i < 20; i += 4) {
        targets[i] = won;
        targets[i + 1] = !won;
        targets[i + 3] = (float)(won ? width * height : -width * height);
    }
    targets[TARGET_SCORE] = targets[3];
    int bin = frame + ROW_SCORE_PAD + (int)targets[TARGET_SCORE];
    rows->score[n * (size_t)(2 * frame + 2 * ROW_SCORE_PAD) + (size_t)bin] = 50;
    rows->score[n * (size_t)(2 * frame + 2 * ROW_SCORE_PAD) + (size_t)bin - 1] = 50;
    for (int i = TARGET_WEIGHT; i <= TARGET_WEIGHT_REPLY; i++)
        targets[i] = 1;
    for (int i = 0; i < 5; i++)
        targets[TARGET_HISTORY + i] = 1;
    targets[TARGET_TURN] = (float)n; /* identifies the row */
}

/* Returns `count` rows. Their boards have width x height points and stand at the top left of frames
 * of length x length cells. */
static inline Rows made_rows(int length, int width, int height, size_t count, uint64_t seed) {
    Rows rows = made_empty_rows(length, count);
    Rng rng = rng_seeded(seed);
    for (size_t n = 0; n < count; n++)
        made_row(&rows, n, width, height, &rng);
    return rows;
}

static inline void made_file(const char *path, int length, int width, int height, size_t count,
                             uint64_t seed) {
    Rows rows = made_rows(length, width, height, count, seed);
    EXPECT_OK(row_file_write(path, &rows, err));
    rows_clear(&rows);
}
