/* repeats.h - a table of local shapes that were played before. In a search, the searching side
 * loses or gains utility when it makes such a shape again. Some shapes come from the present game,
 * so that the side does not play the same joseki in every corner. Other shapes come from games that
 * the caller has collected. KataGo, cpp/search/patternbonustable.cpp. Utility is White's.
 * Threading: confined. */
#pragma once
#include "go/position.h"
#include "go/symmetry.h"
#include <stddef.h>

/* The data of each node of the tree. */
typedef struct {
    uint32_t key[2]; /* repeats_key() of the move that led to the node, low half first */
    float bonus;     /* utility added to the node */
} NodeRepeat;

typedef struct {
    uint64_t key;  /* 0: this slot is empty */
    float bonus;   /* utility to add to a node if the move to the node has this shape */
    uint32_t game; /* number of the last game that added to `bonus` */
} RepeatShape;

typedef struct {
    RepeatShape *slots; /* open addressing; {0} is empty */
    size_t slot_count, count;
    uint32_t game; /* number of the game being added; a shape counts once for each game */
    Color of;      /* the side whose moves get bonuses */
} RepeatTable;

void repeats_free(RepeatTable *table);
/* Returns a hash of a move. It covers the point and the color of the move, the size of the board,
 * and the 9x9 points around the move on the board before it, with chains in atari marked.
 * `symmetry` first transforms the board; if `swapped` is true, the colors are exchanged. A pass and
 * the capture of a ko stone have no key: the result is 0. */
uint64_t repeats_key(const Board *before, Move move, Symmetry symmetry, bool swapped);
/* Adds a move under all symmetries of its board. The player who makes such a move again loses
 * `utility`. If `swapped` is true, the other player also loses `utility` by making the shape with
 * colors exchanged. Adds nothing if there is no memory. */
void repeats_add(RepeatTable *table, const Board *before, Move move, double utility, bool swapped);
/* Ends a game. A shape counts only once for each game; in the next game it may count again. */
void repeats_end_game(RepeatTable *table);
/* Fills the table for a search of the side `of`. The table gets the shapes of `others`, which may
 * be NULL, and the moves that the side `of` made in the game before `root`. To repeat such a move
 * costs `utility`. */
void repeats_gather(RepeatTable *table, const RepeatTable *others, const Position *root, Color of,
                    double utility);
/* Returns the key of the last move of `position`, and the bonus of the node with this position. */
NodeRepeat repeats_of_node(const RepeatTable *table, const Position *position);
/* Looks up the bonus again after the table has changed. `mover` is the player to move at the
 * node. */
void repeats_refresh(const RepeatTable *table, Color mover, NodeRepeat *repeat);
