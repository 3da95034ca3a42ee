/* passing.h - two methods about passes: the prior of the pass has a cap, and where a pass would
 * end a phase of the game, both the pass and another move get a visit (KataGo,
 * cpp/neuralnet/nneval.cpp: enablePassingHacks; cpp/search: enableMorePassingHacks). Threading:
 * as in search.h. */
#pragma once
#include "search/tree/search_method.h"

extern const SearchMethod METHOD_PASS_CAP, METHOD_UNSEEN_PASS;

/* Limits the prior of the pass, the last move of `policy`, to 0.95 of the sum. */
void search_cap_pass(float *policy, int move_count);
/* Where a pass would end a phase and at least two visits were made: the edge of the pass if it
 * has no visit, or of the best other move if no other move has one; child_count for the best
 * move without a node; -1: neither is missing. */
int search_unseen_choice(Search *search, TreeSlab *slab, const Position *position, uint32_t at);
