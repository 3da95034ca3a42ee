/* Sets of points of a board of any size. A set has eight words of 64 bits, and each word has the
 * bits of as many rows as fit. As in bits_body.h, a row takes width + 1 bits, of which the last is
 * a gap. A board of 19x19 has three rows in a word. The type of a set is a vector, so that
 * compilers compute several words at once. */
#include "go/large_board.h"

#include <assert.h>
#include <string.h>

#include "go/bits.h"

enum { WORDS = 8 };
typedef uint64_t Bits __attribute__((vector_size(8 * WORDS)));
typedef uint64_t Pair __attribute__((vector_size(16)));

typedef struct {
    int stride; /* bits of a row */
    int rows;   /* in a word */
} Grid;

typedef struct {
    Bits black, white, empty;
    Grid grid;
} Map;

/* Combines all words by "or", two at a time. */
static inline bool none(Bits points) {
    Pair any = __builtin_shufflevector(points, points, 0, 1) |
               __builtin_shufflevector(points, points, 2, 3) |
               __builtin_shufflevector(points, points, 4, 5) |
               __builtin_shufflevector(points, points, 6, 7);
    return !(any[0] | any[1]);
}

static Map map_of(const Board *board) {
    Map map = {.grid = {board->width + 1, 64 / (board->width + 1)}};
    uint64_t black[WORDS] = {0}, white[WORDS] = {0}, empty[WORDS] = {0};
    for (int y = 0; y < board->height; y++) {
        for (int x = 0; x < board->width; x += 8) {
            uint64_t colors = bytes_load(&board->color[point_at(x, y)]);
            unsigned low = bits_of_bytes(colors), high = bits_of_bytes(colors >> 1),
                     on = board->width - x < 8 ? (1u << (board->width - x)) - 1 : 255;
            int word = y / map.grid.rows, shift = y % map.grid.rows * map.grid.stride + x;
            black[word] |= (uint64_t)(low & ~high & on) << shift;
            white[word] |= (uint64_t)(high & ~low & on) << shift;
            empty[word] |= (uint64_t)(~(low | high) & on) << shift;
        }
    }
    memcpy(&map.black, black, sizeof black);
    memcpy(&map.white, white, sizeof white);
    memcpy(&map.empty, empty, sizeof empty);
    return map;
}

/* Adds `factor` to the bytes of these points. `bytes` is indexed by Point. */
static void add_to_bytes(const Board *board, Bits points, unsigned factor, uint8_t *bytes) {
    int stride = board->width + 1, rows = 64 / stride;
    uint64_t words[WORDS];
    memcpy(words, &points, sizeof words);
    for (int y = 0; y < board->height; y++) {
        uint64_t row = (words[y / rows] >> (y % rows * stride)) & ((1u << board->width) - 1);
        for (int x = 0; x < board->width; x += 8) {
            uint8_t *to = &bytes[point_at(x, y)];
            bytes_store(bytes_load(to) + bytes_of_bits(row >> x) * factor, to);
        }
    }
}

static inline Bits lowest(Bits points) {
    Bits result = {0};
    int word = 0;
    while (word < WORDS - 1 && !points[word])
        word++;
    result[word] = points[word] & (~points[word] + 1);
    return result;
}

static inline bool several(Bits points) {
    return !none(points & ~lowest(points));
}

/* The points beside these points. The result may also hold some of these points themselves, gaps,
 * and bits beyond the rows of a word. */
static inline Bits beside(Bits points, Grid grid) {
    const Bits none_at_all = {0};
    int last = grid.stride * (grid.rows - 1); /* where the last row of a word begins */
    Bits after = points >> last,              /* the last row of each word, as a first row */
        before = points << last;              /* the first row of each word, as a last row */
    return points << 1 | points >> 1 | points << grid.stride | points >> grid.stride |
           __builtin_shufflevector(none_at_all, after, 0, 8, 9, 10, 11, 12, 13, 14) |
           __builtin_shufflevector(none_at_all, before, 9, 10, 11, 12, 13, 14, 15, 0);
}

/* All points of `within` that are connected to `seed`, which is a subset of `within`. */
static inline Bits flood(Bits seed, Bits within, Grid grid) {
    assert(none(seed & ~within));
    for (;;) {
        Bits grown = (seed | beside(seed, grid)) & within;
        if (none(grown & ~seed)) return seed;
        seed = grown;
    }
}

#include "go/area_bits_body.h"

void large_board_area(const Board *board, const AreaOptions *options, uint8_t area[POINT_COUNT]) {
    mark_area(board, options, area);
}
