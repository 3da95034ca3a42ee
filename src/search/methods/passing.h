/* passing.h - two methods about passes. METHOD_PASS_CAP limits the prior of the pass (KataGo,
 * cpp/neuralnet/nneval.cpp: enablePassingHacks). Where a pass would end a phase of the game,
 * METHOD_UNSEEN_PASS gives both the pass and another move a visit (KataGo, cpp/search:
 * enableMorePassingHacks). Threading: as in search.h. */
#pragma once
#include "search/tree/search_method.h"

extern const SearchMethod METHOD_PASS_CAP, METHOD_UNSEEN_PASS;

/* Limits the prior of the pass, the last move of `policy`, to the fraction 0.95 of the sum of all
 * priors. If this lowers the prior of the pass, the new sum is 1. Does nothing if no other move has
 * a prior. */
void search_cap_pass(float *policy, int move_count);
/* Chooses a move if a pass would end a phase and the moves of the node have at least two visits. If
 * the pass has no visit, returns the index of its edge, and makes the edge if necessary. If only
 * the pass has visits, returns the edge of the best other move, or child_count if this move has no
 * node yet. Returns -1 in all other cases, and if the tree is full. */
int search_unseen_choice(Search *search, TreeSlab *slab, const Position *position, uint32_t at);
