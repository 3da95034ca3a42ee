/* passing.h - two methods about passes. METHOD_PASS_CAP limits the prior of the pass (KataGo,
 * cpp/neuralnet/nneval.cpp: enablePassingHacks). Where a pass would end a phase of the game,
 * METHOD_UNSEEN_PASS gives both the pass and another move a visit (KataGo, cpp/search:
 * enableMorePassingHacks). Threading: as in search.h. */
#pragma once
#include "search/tree/search_method.h"

extern const SearchMethod METHOD_PASS_CAP, METHOD_UNSEEN_PASS;

/* Limits the prior of the pass, the last move of `policy`, to 0.95 of the sum. */
void search_cap_pass(float *policy, int move_count);
/* Where a pass would end a phase and the moves of the node have at least two visits, returns the
 * edge of the pass if the pass has no visit, or that of the best other move if no other move has
 * one (child_count if that move has no node yet). Returns -1 in all other cases. */
int search_unseen_choice(Search *search, TreeSlab *slab, const Position *position, uint32_t at);
