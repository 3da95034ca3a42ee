/* benson.h - the definition of the areas of area_options.h, which area_compute() must agree with:
 * Benson's algorithm on lists of chains, regions and borders. For each player in turn:
 *
 *   1. Number the chains of the player.
 *   2. Divide the other points into regions: connected sets with at least one empty point.
 *      Note for each region which chains it borders on and which of these it is vital to.
 *   3. Kill each chain with fewer than two vital regions. A region that borders on a killed chain
 *      is vital to none. Repeat until no chain dies; the chains that are left are pass-alive.
 *   4. Mark the pass-alive chains and the regions that the options ask for. */
#pragma once
#include <assert.h>
#include <string.h>

#include "go/area_options.h"
#include "go/board.h"

enum { BORDERS_MAX = 4 * BOARD_POINTS_MAX };

typedef struct {
    int first_point, points;   /* a range of Analysis.points */
    int first_border, borders; /* a range of Analysis.borders */
    int empty;                 /* how many of its points are empty */
    int inside;                /* how many of its points lie beside no stone of the player */
    bool has_opponent, touches_killed;
} Region;

/* A region and a chain that touch each other. */
typedef struct {
    int16_t chain;   /* index of the chain */
    int16_t covered; /* how many points that count for vitality touch the chain */
    bool vital;
} Border;

typedef struct {
    const Board *board;
    Color player;
    bool suicide;
    int16_t chain_of[POINT_COUNT]; /* index of a chain of the player, at the head (board.h) only */
    int chain_count;
    bool killed[BOARD_POINTS_MAX];
    int vital_count[BOARD_POINTS_MAX];
    Region regions[BOARD_POINTS_MAX];
    int region_count;
    int16_t points[BOARD_POINTS_MAX]; /* of all regions, one region after the other */
    int point_count;
    Border borders[BORDERS_MAX];
    int border_count;
    bool seen[POINT_COUNT];
} Analysis;

static void number_chains(Analysis *a) {
    for (int y = 0; y < a->board->height; y++) {
        for (Point p = point_at(0, y); p < point_at(a->board->width, y); p++) {
            if (a->board->color[p] == a->player && a->board->chain_head[p] == p)
                a->chain_of[p] = (int16_t)a->chain_count++;
        }
    }
}

/* Notes that a point of the region touches the chains beside it. `counts` says whether a chain must
 * touch this point for the region to be vital to it. */
static void touch_chains(Analysis *a, Region *region, Point point, bool counts) {
    int16_t heads[4];
    int count = 0;
    for (int i = 0; i < 4; i++) {
        Point near = point + POINT_STEPS[i];
        if (a->board->color[near] != a->player) continue;
        int16_t chain = a->chain_of[a->board->chain_head[near]];
        int k = 0;
        while (k < count && heads[k] != chain)
            k++;
        if (k < count) continue;
        heads[count++] = chain;
        Border *border = NULL;
        for (int b = region->first_border; b < a->border_count && !border; b++) {
            if (a->borders[b].chain == chain) border = &a->borders[b];
        }
        if (!border) {
            assert(a->border_count < BORDERS_MAX);
            border = &a->borders[a->border_count++];
            *border = (Border){.chain = chain};
        }
        border->covered = (int16_t)(border->covered + counts);
    }
    region->inside += count == 0;
}

/* Collects the region that holds `start`. A set without an empty point is no region and is
 * dropped. */
static void grow_region(Analysis *a, Point start) {
    Region *region = &a->regions[a->region_count];
    *region = (Region){.first_point = a->point_count, .first_border = a->border_count};
    a->points[a->point_count++] = (int16_t)start;
    a->seen[start] = true;
    int counted = 0;
    for (int at = region->first_point; at < a->point_count; at++) {
        Point point = a->points[at];
        bool empty = a->board->color[point] == COLOR_EMPTY;
        bool counts = empty || a->suicide;
        region->empty += empty;
        region->has_opponent |= !empty;
        counted += counts;
        touch_chains(a, region, point, counts);
        for (int i = 0; i < 4; i++) {
            Point near = point + POINT_STEPS[i];
            if (a->seen[near] || a->board->color[near] == COLOR_WALL ||
                a->board->color[near] == a->player)
                continue;
            a->seen[near] = true;
            a->points[a->point_count++] = (int16_t)near;
        }
    }
    region->points = a->point_count - region->first_point;
    region->borders = a->border_count - region->first_border;
    if (!region->empty) {
        a->border_count = region->first_border;
        return;
    }
    for (int b = region->first_border; b < a->border_count; b++) {
        a->borders[b].vital = a->borders[b].covered == counted;
        a->vital_count[a->borders[b].chain] += a->borders[b].vital;
    }
    a->region_count++;
}

static void find_regions(Analysis *a) {
    for (int y = 0; y < a->board->height; y++) {
        for (Point p = point_at(0, y); p < point_at(a->board->width, y); p++) {
            if (!a->seen[p] && a->board->color[p] != a->player) grow_region(a, p);
        }
    }
}

static void kill_chains(Analysis *a) {
    for (bool changed = true; changed;) {
        changed = false;
        for (int c = 0; c < a->chain_count; c++) {
            if (a->killed[c] || a->vital_count[c] >= 2) continue;
            a->killed[c] = true;
            changed = true;
        }
        for (int r = 0; changed && r < a->region_count; r++) {
            Region *region = &a->regions[r];
            if (region->touches_killed) continue;
            int last = region->first_border + region->borders;
            for (int b = region->first_border; b < last; b++)
                region->touches_killed |= a->killed[a->borders[b].chain];
            for (int b = region->first_border; region->touches_killed && b < last; b++) {
                if (a->borders[b].vital) a->vital_count[a->borders[b].chain]--;
                assert(a->vital_count[a->borders[b].chain] >= 0);
                a->borders[b].vital = false;
            }
        }
    }
}

static void mark_regions(const Analysis *a, bool safe_big, bool unsafe_big,
                         uint8_t area[POINT_COUNT]) {
    for (int r = 0; a->chain_count && r < a->region_count; r++) {
        const Region *region = &a->regions[r];
        bool safe =
            !region->touches_killed && (region->inside <= 1 || (safe_big && !region->has_opponent));
        bool unsafe = !safe && unsafe_big && !region->has_opponent;
        if (!safe && !unsafe) continue;
        for (int i = 0; i < region->points; i++) {
            Point point = a->points[region->first_point + i];
            if (safe || area[point] == COLOR_EMPTY) area[point] = (uint8_t)a->player;
        }
    }
}

static void mark_player(const Board *board, Color player, const AreaOptions *options,
                        uint8_t area[POINT_COUNT]) {
    Analysis a;
    a.board = board;
    a.player = player;
    a.suicide = options->suicide;
    a.chain_count = a.region_count = a.point_count = a.border_count = 0;
    memset(a.killed, 0, sizeof a.killed);
    memset(a.vital_count, 0, sizeof a.vital_count);
    memset(a.seen, 0, sizeof a.seen);
    number_chains(&a);
    find_regions(&a);
    kill_chains(&a);
    for (int y = 0; y < board->height; y++) {
        for (Point p = point_at(0, y); p < point_at(board->width, y); p++) {
            if (board->color[p] == player && !a.killed[a.chain_of[board->chain_head[p]]])
                area[p] = (uint8_t)player;
        }
    }
    mark_regions(&a, options->safe_big_territories, options->unsafe_big_territories, area);
}

/* Fills `area`, indexed by Point, with COLOR_BLACK, COLOR_WHITE, or COLOR_EMPTY for neutral
 * points. */
static void benson_area(const Board *board, const AreaOptions *options, uint8_t area[POINT_COUNT]) {
    memset(area, COLOR_EMPTY, POINT_COUNT);
    mark_player(board, COLOR_BLACK, options, area);
    mark_player(board, COLOR_WHITE, options, area);
    if (!options->nonpassalive_stones) return;
    for (Point p = 0; p < POINT_COUNT; p++) {
        Color color = (Color)board->color[p];
        if (area[p] == COLOR_EMPTY && (color == COLOR_BLACK || color == COLOR_WHITE))
            area[p] = (uint8_t)color;
    }
}
