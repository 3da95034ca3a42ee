/* human.h - people's moves in a search: a second net, of human play, tells which they are. Some
 * visits choose by its policy, with or without weight for the node's value, and the move that is
 * played may be drawn from it (KataGo, cpp/configs/gtp_human5k_example.cfg; Jacob et al. 2022,
 * "Modeling strong and human-like gameplay with KL-regularized search", for the last). Threading:
 * as in search.h. */
#pragma once
#include "search/tree/search_method.h"

/* Of a search. */
typedef struct {
    float policy[MOVES_MAX]; /* of the root, by move_index(); -1 illegal; if known */
    bool known;
    Color of; /* the root's mover when the nodes were made */
} HumanState;

extern const SearchMethod METHOD_HUMAN;

/* The edge of a move that people would choose, if this visit is for one; -1: it is not.
 * *weightless: the visit only looks. */
int search_select_human(Search *search, TreeSlab *slab, Color mover, uint32_t at, bool *weightless);
