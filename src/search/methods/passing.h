/* passing.h - two methods about passes: their priors have a cap, and where a pass would end a phase
 * of the game, neither it nor playing on may stay unseen (KataGo, cpp/neuralnet/nneval.cpp:
 * enablePassingHacks; cpp/search: enableMorePassingHacks). Threading: as in search.h. */
#pragma once
#include "search/tree/search_method.h"

extern const SearchMethod METHOD_PASS_CAP, METHOD_UNSEEN_PASS;

/* The prior of the pass, the last move, becomes at most 0.95 of the whole. */
void search_cap_pass(float *policy, int move_count);
/* Where a pass would end a phase and two visits were made: the edge of the pass, or of the best
 * other move, if none of them saw it; child_count: that of the best move without a node; -1: all is
 * seen. */
int search_unseen_choice(Search *search, TreeSlab *slab, const Position *position, uint32_t at);
