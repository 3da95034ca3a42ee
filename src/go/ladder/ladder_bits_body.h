/* ladder_bits_body.h - reading ladders on the sets of points of bits_body.h. It does the same as
 * ladder_reading.c, whose first comment explains the method. Threading: any thread. */
#pragma once
#include "go/bits_body.h"

typedef struct {
    Bits on; /* all points of the board */
    int stride, depth_max;
    int nodes; /* moves played so far in this reading */
} Reading;

/* The stones of both sides, and the point that a ko forbids, if there is one. */
typedef struct {
    Bits defender, attacker, ko;
} Stones;

static bool attacker_captures(Reading *reading, const Stones *stones, Bits chain, int depth);

static inline Bits empty_of(const Reading *reading, const Stones *stones) {
    return reading->on & ~(stones->defender | stones->attacker);
}

/* Plays a stone of the side whose stones are `own`. Returns false and changes nothing if the move
 * is a suicide or if the ko forbids it. */
static bool play(Reading *reading, Bits point, Bits *own, Bits *other, Bits *ko) {
    assert(point && !several(point) && !(point & (*own | *other)));
    int stride = reading->stride;
    Bits near = beside(point, stride), empty = reading->on & ~(*own | *other | point), captured = 0;
    if (point & *ko) return false;
    for (Bits left = near & *other & ~beside(empty, stride); left;) {
        Bits chain = flood(lowest(left), *other, stride);
        left &= ~chain;
        if (!(beside(chain, stride) & empty)) captured |= chain;
    }
    if (!captured && !(near & empty)) {
        Bits chain = flood(point, *own | point, stride);
        if (!(beside(chain, stride) & empty)) return false;
    }
    bool takes_ko = captured && !several(captured) && !(near & *own) && !(near & empty);
    *own |= point;
    *other &= ~captured;
    *ko = takes_ko ? captured : 0;
    reading->nodes++;
    return true;
}

/* Finds the attacking chains beside the chain that are in atari, and returns their liberties. At
 * these points the defender can capture. */
static Bits capturing_moves(const Reading *reading, const Stones *stones, Bits chain) {
    int stride = reading->stride;
    Bits empty = empty_of(reading, stones), moves = 0;
    for (Bits left = beside(chain, stride) & stones->attacker & ~beside_two(empty, stride); left;) {
        Bits attacking = flood(lowest(left), stones->attacker, stride),
             liberties = beside(attacking, stride) & empty;
        left &= ~attacking;
        if (!several(liberties)) moves |= liberties;
    }
    return moves;
}

static bool defender_is_captured(Reading *reading, const Stones *stones, Bits chain, int depth) {
    Bits liberties = beside(chain, reading->stride) & empty_of(reading, stones);
    if (several(liberties) || stones->ko) return false;
    if (depth >= reading->depth_max) return true;
    if (reading->nodes >= LADDER_NODES_MAX) return false;
    Bits moves = capturing_moves(reading, stones, chain) & ~liberties;
    while (moves | liberties) {
        Bits move = moves ? lowest(moves) : liberties;
        Stones next = *stones;
        moves &= ~move;
        liberties &= ~move;
        if (!play(reading, move, &next.defender, &next.attacker, &next.ko)) continue;
        if (!attacker_captures(reading, &next, chain, depth + 1)) return false;
    }
    return true;
}

/* Whether two things hold for this liberty of the chain: the attacker would take a ko by playing
 * there, and the chain would have at most two liberties if the defender played there. */
static bool is_dead_ko(const Reading *reading, const Stones *stones, Bits chain, Bits point) {
    int stride = reading->stride;
    Bits near = beside(point, stride), empty = empty_of(reading, stones), taken = 0;
    if (near & (empty | stones->attacker)) return false;
    for (Bits left = near & stones->defender & ~chain; left;) {
        Bits other = flood(lowest(left), stones->defender, stride);
        left &= ~other;
        if (several(beside(other, stride) & empty)) continue;
        if (taken || several(other)) return false;
        taken = other;
    }
    if (!taken) return false;
    Bits joined = flood(chain, stones->defender | point, stride),
         left = beside(joined, stride) & empty & ~point;
    return !several(left & (left - 1));
}

/* How promising an attacker's move is. It grows with the empty points beside the move and with the
 * liberties of the defender's other chains beside it. */
static int attractiveness(const Reading *reading, const Stones *stones, Bits chain, Bits point) {
    int stride = reading->stride;
    Bits near = beside(point, stride), empty = empty_of(reading, stones);
    int value = 2 * count_of(near & empty);
    for (Bits left = near & stones->defender & ~chain; left; left &= left - 1) {
        Bits other = flood(lowest(left), stones->defender, stride);
        value += 2 * count_of(beside(other, stride) & empty) - 3;
    }
    return value;
}

static bool attacker_captures(Reading *reading, const Stones *stones, Bits chain, int depth) {
    int stride = reading->stride;
    chain = flood(chain, stones->defender, stride);
    Bits empty = empty_of(reading, stones), liberties = beside(chain, stride) & empty,
         moves[2] = {lowest(liberties), liberties & (liberties - 1)};
    if (!moves[1]) return true;
    if (several(moves[1])) return false;
    if (depth >= reading->depth_max) return true;
    if (reading->nodes >= LADDER_NODES_MAX) return false;
    if (is_dead_ko(reading, stones, chain, moves[0]) &&
        is_dead_ko(reading, stones, chain, moves[1]) && !capturing_moves(reading, stones, chain))
        return true;
    bool try[2] = {true, true}, first = false;
    if (!(beside(moves[0], stride) & moves[1])) {
        bool wide[2];
        for (int i = 0; i < 2; i++)
            wide[i] = count_of(beside(moves[i], stride) & empty) >= 3;
        if (wide[0] && wide[1]) return false;
        try[0] = !wide[1];
        try[1] = !wide[0];
    }
    if (try[0] && try[1])
        first = attractiveness(reading, stones, chain, moves[1]) >
                attractiveness(reading, stones, chain, moves[0]);
    for (int k = 0; k < 2; k++) {
        int i = k ^ first;
        Stones next = *stones;
        if (try[i] && play(reading, moves[i], &next.attacker, &next.defender, &next.ko) &&
            defender_is_captured(reading, &next, chain, depth + 1))
            return true;
    }
    return false;
}

/* A stone of the attacker at one of the chain's two liberties may capture the chain. Returns the
 * liberties at which it does. */
static Bits working_moves(Reading *reading, const Stones *stones, Bits chain, Bits liberties) {
    Bits working = 0;
    for (; liberties; liberties &= liberties - 1) {
        Bits move = lowest(liberties);
        Stones next = *stones;
        if (!play(reading, move, &next.attacker, &next.defender, &next.ko)) continue;
        next.ko = 0;
        reading->nodes = 0;
        if (defender_is_captured(reading, &next, chain, 0)) working |= move;
    }
    return working;
}

static void mark_side(Reading *reading, const Stones *stones, Bits *laddered, Bits *working) {
    Bits empty = empty_of(reading, stones),
         wide = stones->defender & beside_three(empty, reading->stride);
    wide = flood(wide, stones->defender, reading->stride);
    for (Bits left = stones->defender & ~wide; left;) {
        Bits chain = flood(lowest(left), stones->defender, reading->stride);
        Bits liberties = beside(chain, reading->stride) & empty,
             second = liberties & (liberties - 1);
        left &= ~chain;
        if (several(second)) continue;
        Stones start = {stones->defender, stones->attacker, 0};
        Bits moves = second ? working_moves(reading, stones, chain, liberties) : 0;
        reading->nodes = 0;
        bool captured =
            moves || !liberties || (!second && defender_is_captured(reading, &start, chain, 0));
        if (captured) *laddered |= chain;
        *working |= moves;
    }
}

static void find_ladders(const Board *board, LadderMap *out) {
    Map map = map_of(board);
    Bits ko = 0, taken = 0, against_black = 0, against_white = 0;
    if (board->ko != POINT_NONE)
        ko = (Bits)1 << (point_y(board->ko) * map.grid + point_x(board->ko));
    Reading reading = {.on = map.black | map.white | map.empty,
                       .stride = map.grid,
                       .depth_max = board->width * board->height * 3 / 2};
    Stones black = {map.black, map.white, ko}, white = {map.white, map.black, ko};
    mark_side(&reading, &black, &taken, &against_black);
    mark_side(&reading, &white, &taken, &against_white);
    close_gaps(board, taken, out->laddered);
    close_gaps(board, against_black, out->working[0]);
    close_gaps(board, against_white, out->working[1]);
}
