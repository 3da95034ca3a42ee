/* human.h - a method for human moves in a search. A second net, trained on human games, gives the
 * policy of a human player. Some visits choose their move by this human policy. Settings give the
 * probability of such visits. They also say whether such a visit counts for the value of the node
 * (weightful) or not (weightless). The move to play may be drawn from the human policy too (Jacob
 * et al. 2022, "Modeling strong and human-like gameplay with KL-regularized search"). KataGo,
 * cpp/configs/gtp_human5k_example.cfg. Threading: as in search.h. */
#pragma once
#include "search/tree/search_method.h"

/* The state in a search. */
typedef struct {
    float policy[MOVES_MAX]; /* of the root, by move_index(); -1 if illegal */
    bool known;              /* whether `policy` is set */
    Color of;                /* the player to move at the root when the tree was grown */
} HumanState;

extern const SearchMethod METHOD_HUMAN;

/* Draws whether this visit chooses its move at the node `at` by the human policy. If it does,
 * returns the index of the edge that the visit follows. Returns -1 if it does not, or if there is
 * no such edge. Sets *weightless if the visit does not count for the edge. */
int search_select_human(Search *search, TreeSlab *slab, Color mover, uint32_t at, bool *weightless);
