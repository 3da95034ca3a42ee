/* repeats.h - shapes that were played before, which cost or gain utility when the searching side
 * makes them again: those of its own game, so that it does not play the same joseki in every
 * corner, and those of other games that somebody has gathered. KataGo,
 * cpp/search/patternbonustable.cpp. Utility is White's. Threading: confined. */
#pragma once
#include "go/position.h"
#include "go/symmetry.h"
#include <stddef.h>

/* Of a node, beside the tree. */
typedef struct {
    uint32_t key[2]; /* of the move that led to it; 0: it has none */
    float bonus;     /* utility */
} NodeRepeat;

typedef struct {
    uint64_t key; /* 0: the slot is empty */
    float bonus;  /* utility of a node that such a move led to */
    uint32_t game;
} RepeatShape;

typedef struct {
    RepeatShape *slots; /* open addressing; {0} is empty */
    size_t slot_count, count;
    uint32_t game; /* the one under way: of each a shape counts once */
    Color of;      /* whose moves count in a search */
} RepeatTable;

void repeats_free(RepeatTable *table);
/* A move's place, color and the 9x9 points around it on the board before it, with the chains in
 * atari, as this symmetry turns them, with colors exchanged if `swapped`. 0: passes and captures in
 * a ko have none. */
uint64_t repeats_key(const Board *before, Move move, Symmetry symmetry, bool swapped);
/* Adds a move under all symmetries of its board: `utility` is what it costs who made it, and, if
 * `swapped`, whoever makes it with colors exchanged. Where there is no memory nothing is added. */
void repeats_add(RepeatTable *table, const Board *before, Move move, double utility, bool swapped);
void repeats_end_game(RepeatTable *table);
/* What a search for `of` at this root needs: the shapes of others (NULL: none) and, each for
 * `utility`, the moves of `of` in the game that led there. */
void repeats_gather(RepeatTable *table, const RepeatTable *others, const Position *root, Color of,
                    double utility);
/* What the node gets for the last move of `position`, and its key, once it has the position. */
NodeRepeat repeats_of_node(const RepeatTable *table, const Position *position);
/* The same after the table has changed. `mover`: the node's. */
void repeats_refresh(const RepeatTable *table, Color mover, NodeRepeat *repeat);
