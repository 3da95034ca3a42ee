/* repeats.h - local shapes that were played before. The searching side loses or gains utility
 * when it makes them again: those of its own game, so that it does not play the same joseki in
 * every corner, and those of other games that the caller has gathered. KataGo,
 * cpp/search/patternbonustable.cpp. Utility is White's. Threading: confined. */
#pragma once
#include "go/position.h"
#include "go/symmetry.h"
#include <stddef.h>

/* What is kept beside a node. */
typedef struct {
    uint32_t key[2]; /* repeats_key() of the move that led to the node; 0: it has none */
    float bonus;     /* utility */
} NodeRepeat;

typedef struct {
    uint64_t key; /* 0: this slot is empty */
    float bonus;  /* utility of a node that was reached by such a move */
    uint32_t game;
} RepeatShape;

typedef struct {
    RepeatShape *slots; /* open addressing; {0} is empty */
    size_t slot_count, count;
    uint32_t game; /* number of the game being added: a shape counts once for each game */
    Color of;      /* the side whose moves get bonuses */
} RepeatTable;

void repeats_free(RepeatTable *table);
/* A hash of a move's point and color and of the 9x9 points around it on the board before the
 * move, with chains in atari marked; all seen under `symmetry`, and with colors exchanged if
 * `swapped`. 0: passes and captures of a ko have none. */
uint64_t repeats_key(const Board *before, Move move, Symmetry symmetry, bool swapped);
/* Adds a move under all symmetries of its board. The player who makes such a move again loses
 * `utility`; if `swapped`, so does the other player with colors exchanged. Without memory
 * nothing is added. */
void repeats_add(RepeatTable *table, const Board *before, Move move, double utility, bool swapped);
void repeats_end_game(RepeatTable *table);
/* Fills the table for a search for the side `of`: the shapes of `others` (NULL: none) and the
 * moves of `of` in the game that led to `root`, each of which costs `utility`. */
void repeats_gather(RepeatTable *table, const RepeatTable *others, const Position *root, Color of,
                    double utility);
/* The key of the last move of `position`, and the bonus of the node that has this position. */
NodeRepeat repeats_of_node(const RepeatTable *table, const Position *position);
/* Looks up the bonus again after the table has changed. `mover`: who moves at the node. */
void repeats_refresh(const RepeatTable *table, Color mover, NodeRepeat *repeat);
