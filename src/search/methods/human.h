/* human.h - human moves in a search. A second net, trained on human games, gives the policy of a
 * human player. Some visits choose by this human policy, with or without counting for the node's
 * value, and the move to play may be drawn from it (KataGo, cpp/configs/gtp_human5k_example.cfg;
 * for the last Jacob et al. 2022, "Modeling strong and human-like gameplay with KL-regularized
 * search"). Threading: as in search.h. */
#pragma once
#include "search/tree/search_method.h"

/* The state in a search. */
typedef struct {
    float policy[MOVES_MAX]; /* human policy of the root, by move_index(); illegal -1; if known */
    bool known;
    Color of; /* mover at the root under which the tree was grown */
} HumanState;

extern const SearchMethod METHOD_HUMAN;

/* The edge that a visit by the human policy follows; -1: this visit does not go by it.
 * *weightless: the visit does not count for the edge. */
int search_select_human(Search *search, TreeSlab *slab, Color mover, uint32_t at, bool *weightless);
