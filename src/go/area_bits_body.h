/* area_bits_body.h - the areas of area_options.h by Benson's algorithm, on sets of points. For each
 * player in turn:
 *   1. Divide the points that hold no stone of the player into regions: connected sets with at
 *      least one empty point.
 *   2. Remove each chain with fewer than two vital regions. A region that borders on a removed
 *      chain is vital to none. Repeat until no chain is removed; the chains that are left are
 *      pass-alive. (AreaOptions.suicide says when a region is vital to a chain.)
 *   3. Mark these chains, and the regions that the options ask for.
 * Before this file, include bits_body.h or define what it defines: the type of a set, Bits; Grid;
 * map_of(), add_to_bytes(), none(), several(), lowest(), beside() and flood(). The operators of C
 * also work on sets. Threading: any thread. */
#pragma once

/* The most regions, or chains, of a player. One point of each of them makes a set in which no two
 * points are neighbours. So there are at most half as many as points, rounded up. */
enum { SETS_MAX = (BOARD_POINTS_MAX + 1) / 2 };

typedef struct {
    Bits points, border; /* `border`: the player's stones beside the points */
    Bits counted;        /* the region is vital only to a chain that touches all of these */
} Region;

typedef struct {
    Bits stones, touched; /* `touched`: the points beside the stones */
} Chain;

/* The marks for one player.
 *     alive    the pass-alive chains
 *     safe     the regions that are marked because they border only on pass-alive chains
 *     unsafe   the regions that the option unsafe_big_territories adds */
typedef struct {
    Bits alive, safe, unsafe;
} Life;

static bool has_two_vital_regions(const Chain *chain, const Region *regions, int region_count,
                                  Bits alive) {
    int vital = 0;
    for (int r = 0; r < region_count && vital < 2; r++)
        vital += none(regions[r].counted & ~chain->touched) && none(regions[r].border & ~alive);
    return vital == 2;
}

/* Removes chains that have fewer than two vital regions from `own`, until no such chain is left.
 * Returns the rest. A region is vital to a chain that touches all `counted` points of the region,
 * as long as no stone of the region's `border` has been removed. */
static Bits kill_chains(const Region *regions, int region_count, Bits own, Grid grid) {
    Chain chains[SETS_MAX];
    Bits alive = own;
    int count = 0, before;
    for (Bits left = own; !none(left); count++) {
        Bits stones = flood(lowest(left), own, grid);
        assert(count < SETS_MAX);
        chains[count] = (Chain){stones, beside(stones, grid)};
        left &= ~stones;
    }
    do {
        before = count;
        count = 0;
        for (int c = 0; c < before; c++) {
            if (has_two_vital_regions(&chains[c], regions, region_count, alive))
                chains[count++] = chains[c];
            else
                alive &= ~chains[c].stones;
        }
    } while (count < before);
    return alive;
}

/* Finds the areas of one player. */
static Life life_of(Bits own, Bits other, Bits empty, Grid grid, const AreaOptions *options) {
    Region regions[SETS_MAX];
    Life life = {0};
    Bits rest = other | empty, inside = rest & ~beside(own, grid);
    int count = 0;
    if (none(own)) return life;
    for (Bits left = rest; !none(left);) {
        Bits points = flood(lowest(left), rest, grid);
        left &= ~points;
        if (none(points & empty)) continue;
        assert(count < SETS_MAX);
        regions[count++] = (Region){points, beside(points, grid) & own,
                                    options->suicide ? points : points & empty};
    }
    /* a chain needs two vital regions */
    if (count > 1) life.alive = kill_chains(regions, count, own, grid);
    for (int r = 0; r < count; r++) {
        Bits points = regions[r].points;
        bool lives = none(regions[r].border & ~life.alive), without_other = none(points & other);
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
    Life blacks = life_of(map.black, map.white, map.empty, map.grid, options),
         whites = life_of(map.white, map.black, map.empty, map.grid, options);
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
