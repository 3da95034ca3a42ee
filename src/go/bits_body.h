/* bits_body.h - sets of points of a small board as bits of one word. small_board_64.c and
 * small_board_128.c define the type Bits, a word of 64 or 128 bits, and include this file. The
 * point (x, y) is bit y * (width + 1) + x. The bit after each row is a gap, into which a step
 * beyond the left or right edge falls. Threading: any thread. */
#pragma once

typedef int Grid; /* width + 1: how far the bit of a point is from that of the point below it */

typedef struct {
    Bits black, white, empty;
    Grid grid;
} Map;

static inline bool none(Bits points) {
    return !points;
}

static Map map_of(const Board *board) {
    Map map = {.grid = board->width + 1};
    for (int y = 0; y < board->height; y++) {
        for (int x = 0; x < board->width; x += 8) {
            uint64_t colors = bytes_load(&board->color[point_at(x, y)]);
            unsigned low = bits_of_bytes(colors), high = bits_of_bytes(colors >> 1),
                     on = board->width - x < 8 ? (1u << (board->width - x)) - 1 : 255;
            int shift = y * map.grid + x;
            map.black |= (Bits)(low & ~high & on) << shift;
            map.white |= (Bits)(high & ~low & on) << shift;
            map.empty |= (Bits)(~(low | high) & on) << shift;
        }
    }
    return map;
}

/* Adds `factor` to the bytes of these points. `bytes` is indexed by Point. */
static void add_to_bytes(const Board *board, Bits points, unsigned factor, uint8_t *bytes) {
    int stride = board->width + 1;
    for (int y = 0; y < board->height; y++) {
        for (int x = 0; x < board->width; x += 8) {
            uint8_t *to = &bytes[point_at(x, y)];
            uint64_t row = (uint64_t)(points >> (y * stride + x));
            if (x + 8 > stride) row &= (1u << (stride - x)) - 1;
            bytes_store(bytes_load(to) + bytes_of_bits(row) * factor, to);
        }
    }
}

/* Writes these points as bits y * width + x, without the gaps. */
static void close_gaps(const Board *board, Bits points, uint64_t *words) {
    int width = board->width, stride = width + 1;
    memset(words, 0, sizeof(uint64_t) * (size_t)board_words(board));
    for (int y = 0; points && y < board->height; y++, points >>= stride)
        bits_put(words, y * width, (uint64_t)points & ((1u << width) - 1), width);
}

static inline Bits lowest(Bits points) {
    return points & (~points + 1);
}

static inline bool several(Bits points) {
    return (points & (points - 1)) != 0;
}

static inline int count_of(Bits points) {
    int count = 0;
    for (; points; points &= points - 1)
        count++;
    return count;
}

/* The points beside these points. The result may also hold some of these points themselves, gaps,
 * and bits below the last row. */
static inline Bits beside(Bits points, int stride) {
    return points << 1 | points >> 1 | points << stride | points >> stride;
}

/* The points that have at least two of these points beside them. */
static inline Bits beside_two(Bits points, int stride) {
    Bits a = points << 1, b = points >> 1, c = points << stride, d = points >> stride;
    return (a & b) | (c & d) | ((a | b) & (c | d));
}

/* The points that have at least three of these points beside them. */
static inline Bits beside_three(Bits points, int stride) {
    Bits a = points << 1, b = points >> 1, c = points << stride, d = points >> stride;
    return (a & b & (c | d)) | (c & d & (a | b));
}

/* All points of `within` that are connected to `seed`, which is a subset of `within`. */
static inline Bits flood(Bits seed, Bits within, int stride) {
    assert(!(seed & ~within));
    for (;;) {
        Bits grown = (seed | beside(seed, stride)) & within;
        if (grown == seed) return seed;
        seed = grown;
    }
}
