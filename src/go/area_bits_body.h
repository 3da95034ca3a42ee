/* area_bits_body.h - pass-alive areas, computed on the sets of points of bits_body.h. It gives the
 * same answers as benson.c. Threading: any thread. */
#pragma once
#include "go/bits_body.h"

enum { REGIONS_MAX = 8 * sizeof(Bits) };

typedef struct {
    Bits points, border; /* `border`: the player's stones beside the points */
    Bits counted;        /* the region is vital only to a chain that touches all of these */
} Region;

/* The marks for one player.
 *     alive    the pass-alive chains
 *     safe     the regions that are marked because they border only on pass-alive chains
 *     unsafe   the regions that the option unsafe_big_territories adds */
typedef struct {
    Bits alive, safe, unsafe;
} Life;

/* Removes chains that have fewer than two vital regions from `own`, until no such chain is left.
 * Returns the rest. A region is vital to a chain that touches all `counted` points of the region,
 * as long as no stone of the region's `border` has been removed. */
static Bits kill_chains(const Region *regions, int region_count, Bits own, int stride) {
    Bits alive = own;
    for (Bits before = 0; alive != before;) {
        before = alive;
        for (Bits left = alive; left;) {
            Bits chain = flood(lowest(left), own, stride), touched = beside(chain, stride);
            int vital = 0;
            for (int r = 0; r < region_count && vital < 2; r++)
                vital += !(regions[r].counted & ~touched) && !(regions[r].border & ~alive);
            left &= ~chain;
            if (vital < 2) alive &= ~chain;
        }
    }
    return alive;
}

/* Finds the areas of one player, as mark_player() in benson.c does. */
static Life life_of(Bits own, Bits other, Bits empty, int stride, const AreaOptions *options) {
    Region regions[REGIONS_MAX];
    Life life = {0};
    Bits rest = other | empty, inside = rest & ~beside(own, stride);
    int count = 0;
    if (!own) return life;
    for (Bits left = rest; left;) {
        Bits points = flood(lowest(left), rest, stride);
        left &= ~points;
        if (!(points & empty)) continue;
        regions[count++] = (Region){points, beside(points, stride) & own,
                                    options->suicide ? points : points & empty};
    }
    if (count > 1) life.alive = kill_chains(regions, count, own, stride);
    for (int r = 0; r < count; r++) {
        Bits points = regions[r].points;
        bool lives = !(regions[r].border & ~life.alive), without_other = !(points & other);
        if (lives &&
            (!several(points & inside) || (options->safe_big_territories && without_other)))
            life.safe |= points;
        else if (options->unsafe_big_territories && without_other)
            life.unsafe |= points;
    }
    return life;
}

static void mark_area(const Board *board, const AreaOptions *options, uint8_t area[POINT_COUNT]) {
    Map map = map_of(board);
    Life blacks = life_of(map.black, map.white, map.empty, map.stride, options),
         whites = life_of(map.white, map.black, map.empty, map.stride, options);
    Bits black = blacks.alive | blacks.safe | blacks.unsafe,
         white = whites.alive | whites.safe | (whites.unsafe & ~black);
    black &= ~white;
    if (options->nonpassalive_stones) {
        black |= map.black & ~white;
        white |= map.white & ~black;
    }
    memset(area, COLOR_EMPTY, POINT_COUNT);
    add_to_bytes(board, black, COLOR_BLACK, area);
    add_to_bytes(board, white, COLOR_WHITE, area);
}
