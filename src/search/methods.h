/* methods.h - what the methods say in a search besides PUCT: which child is chosen, what priors a
 * node has, what is kept beside it, and what a change of settings means for a tree. Threading: as
 * in search_private.h. */
#pragma once
#include "search/search_private.h"

/* A share of what all others have goes to the hint. */
void search_apply_hint(const Search *search, float *policy);
/* As puct_select(), where more than PUCT has a say. `position`: that of the node. */
int search_select_special(Search *search, const Position *position, uint32_t at);
/* As a move that people would choose, if this visit is for one (human.c); -1: it is not.
 * *weightless: it only looks. */
int search_select_human(Search *search, TreeShare *share, Color mover, uint32_t at,
                        bool *weightless);
/* Whether the evaluation of such a node must bring people's policy. `depth`: plies below the root.
 */
bool search_wants_human(const Search *search, Color mover, int depth);
/* Of an evaluation that was to bring it. */
void search_set_human(Search *search, uint32_t at, const Evaluation *evaluation);
size_t search_human_bytes(const SearchSettings *settings); /* kept beside nodes for it */
/* People's choice is mixed into the shares of the root's moves, by move_index(). */
void search_mix_human(const Search *search, float *shares);
/* Sets has_ending and the points; once the root is evaluated. */
void search_set_ending(Search *search);
/* White's utility of those points at a child of the root. */
double search_ending_utility(const Search *search, const Edge *edge);
/* The root's pass, which is not to be chosen yet: its edge; -1: there is no such. */
int search_suppressed_pass(const Search *search);
/* Before a search: is the opponent mirroring, and which choice is made. Clears the tree when the
 * first has changed. */
void search_prepare_methods(Search *search);
/* What a new node gets besides PUCT's numbers: changed priors, a leaning value, what is kept beside
 * it. `policy`: of the evaluation, by move_index(). */
bool search_changes_priors(const Search *search);
void search_change_priors(const Search *search, const Position *position, float *policy);
void search_set_beside(Search *search, const Slot *slot, const Evaluation *evaluation);
void search_cap_pass(float *policy, int move_count); /* 0.95 of the whole at most */
/* Along an edge of `from` to a node that others may share: finds or enters it. Whether the descent
 * ends there, as the node has the visit already or is on the path. */
bool search_share(Search *search, const Slot *slot, uint32_t from, Edge *edge);
/* enableMorePassingHacks of KataGo, where a pass would end a phase and two visits were made: the
 * edge of the pass, or of the best other move, that none of them saw; child_count: that of the best
 * move without a node; -1: all is seen. */
int search_unseen_choice(Search *search, TreeShare *share, const Position *position, uint32_t at);
/* Whether a pass there ends nothing in the tree. */
bool search_pass_goes_on(const Search *search, const Position *position, bool root);
/* Whether a kept root must be evaluated once more: its evaluation was not that of a root. */
bool search_root_is_stale(const Search *search);
/* After the settings changed: what is kept beside nodes. */
void search_set_methods(Search *search);

/* Takes out of `policy` (by move_index(), illegal -1) what `mover` shall not play `depth` plies
 * below the root. */
void search_avoid_moves(const Search *search, Color mover, int depth, float *policy);
