/* search.h - one tree search, driven from outside: it hands out leaves and takes back
 * evaluations, so that one driver can batch many searches. It never calls a net. Values inside
 * are White's. Threading: confined, except for what the paragraph on split searches says. */
#pragma once
#include "base/rng.h"
#include "eval/evaluators/evaluator.h"
#include "search/tree/limits.h"
#include "search/tree/repeats.h"
#include "search/tree/report.h"
#include "search/tree/search_settings.h"
#include <stddef.h>

typedef struct Search Search; /* opaque */

/* Creates a search without a position; `settings` are copied. ERR_ARGUMENT: a setting is out of
 * range; ERR_MEMORY. */
MUST_USE Status search_new(const SearchSettings *settings, uint64_t seed, Search **out, Error *err);
void search_free(Search *search);
/* Restarts its random numbers as search_new() does. */
void search_seed(Search *search, uint64_t seed);
/* Clears the tree if its values would mean something else under the new settings. */
MUST_USE Status search_set_settings(Search *search, const SearchSettings *settings, Error *err);

/* The root becomes a copy of `root` and the tree is empty. */
MUST_USE Status search_set_position(Search *search, const Position *root, Error *err);
/* Plays `point` at the root, which becomes its child; the child's subtree is kept if `keep_tree`
 * and if there is one. ERR_ILLEGAL. */
MUST_USE Status search_play(Search *search, Point point, bool keep_tree, Error *err);
void search_clear_tree(Search *search);
const Position *search_position(const Search *search);

/* Moves that the search must not consider: `avoid` is copied; NULL: there are none. They hold
 * until the next call, which clears the tree if it changes anything. */
void search_set_avoid(Search *search, const SearchAvoid *avoid);

/* A move of this root that must be searched well (KataGo's hint positions); POINT_NONE: there is
 * none. It holds until the next call or until the root changes. Clears the tree if it changes
 * anything. */
void search_set_hint(Search *search, Point hint);
/* Shapes of other games that the searching side is to avoid or to seek; borrowed; NULL: there
 * are none. Clears the tree if it changes anything. */
void search_set_shapes(Search *search, const RepeatTable *shapes);
/* The factor of a move's time after passes of the opponent. search_begin() applies it to the
 * limits on visits and playouts itself. */
double search_pass_factor(const Search *search);
/* What the settings need of evaluations and the ones received lack, as a sentence for the user;
 * the search should then be ended. NULL: nothing is missing. */
const char *search_refusal(const Search *search);

/* Starts a new search of this root: draws noise and sets the centre of the score utility; with
 * search.ignore_history nets no longer see the moves before the root. Kept visits count towards
 * limits->visits. A tree that was grown under another playout doubling advantage of White is
 * cleared first. */
void search_begin(Search *search, const SearchLimits *limits);
/* Descends until `capacity` leaves wait or no more should be collected now. Returns how many
 * were written; 0: the search is done, its leaves have to be evaluated first, or only ends
 * of games were met. The positions are borrowed until search_receive(). Ends of games are backed up at once. A kept root whose
 * evaluation is not what the settings want of a root is handed out alone to be evaluated once
 * more; that is no visit. */
int search_collect(Search *search, EvaluationRequest *leaves, int capacity);
/* Takes the evaluations of exactly the leaves that the last search_collect() gave, in its order. */
void search_receive(Search *search, const Evaluation *evaluations, int count);
/* Whether a limit on visits or playouts is reached or the tree is full, and no leaf waits. The
 * driver watches the time. */
bool search_done(const Search *search);
bool search_tree_full(const Search *search);
int64_t search_root_visits(const Search *search);
/* How many leaves should be evaluated in one batch: 1 + visits / search.leaf_visits,
 * search.leaves at most. */
int search_leaves(const Search *search);

void search_report(const Search *search, Report *out);
/* Writes the best line that begins with the root's move `first`: at each node the most visited
 * move. Returns its length, `max` at most; 0: `first` has no visit. */
typedef struct {
    Point point;
    int visits, edge_visits; /* of the node after the move, and of the edge */
} LineStep;
int search_line(const Search *search, Point first, LineStep *out, int max);
/* Sets holds[s] for each symmetry s (go/symmetry.h) under which the root looks the same, so that
 * only one of several symmetric moves is searched. Without search.root_symmetry_pruning only the
 * identity, holds[0], is set. */
void search_root_symmetries(const Search *search, bool holds[8]);
/* The human policy of the move at the root; -1: it is not known, or the move is illegal. */
float search_human_prior(const Search *search, Point point);
/* A position in the tree: the moves from the root to it, and the means of the values below it. */
typedef struct {
    Point line[64];
    int count; /* length of `line`; 0: the root itself */
    float white_win_loss, white_score;
} SearchSample;
/* Draws one of the positions that the search evaluated, the root included, all with the same
 * probability. (Where games end inside the tree the probabilities differ.) The root must have
 * its evaluation. */
void search_sample(const Search *search, Rng *rng, SearchSample *out);

/* Several threads on one tree: a split search. `thread` is the index of the caller, 0 ..
 * threads-1. search_split() and search_join() are called by one thread while no other is in the
 * search. Between them only the functions of this paragraph may be used, and those that only
 * read between search_pause() and search_resume(). A leaf that waits counts as a loss along its
 * path, so that threads spread over the tree (KataGo, cpp/search: virtual losses). The result
 * depends on the order in which threads arrive. The root must have its evaluation. ERR_ARGUMENT:
 * more than SEARCH_THREADS_MAX threads. */
enum { SEARCH_THREADS_MAX = 64 };
MUST_USE Status search_split(Search *search, int threads, Error *err);
void search_join(Search *search);
/* Whether several threads may search: all active methods only use what the lock of a node
 * guards, and keep nothing beside nodes (SearchMethod.splits). */
bool search_can_split(const Search *search);
/* How many threads, `max` at most, get at least search.playouts_per_thread playouts each; at
 * least 1. */
int search_threads(const Search *search, int max);
/* Whether the root has its evaluation. Not to be called while the search is split. */
bool search_root_ready(const Search *search);
/* What search_collect_in() found. LEAVES: some were written. BUSY: all nodes that this thread
 * reached wait for other threads, or only ends of games were met; try again. DONE: the limits
 * allow no further visit, or the tree is full. NONE: there is no move to search. */
typedef enum { SEARCH_LEAVES, SEARCH_BUSY, SEARCH_DONE, SEARCH_NONE } CollectResult;
CollectResult search_collect_in(Search *search, int thread, EvaluationRequest *leaves, int capacity,
                                int *count);
int search_leaves_in(const Search *search, int thread); /* search_leaves() for one thread */
/* Takes the evaluations of exactly the leaves that this thread collected last, in that order. */
void search_receive_in(Search *search, int thread, const Evaluation *evaluations, int count);
/* Waits until all threads have left the tree. The calling thread must not be in another call. */
void search_pause(Search *search);
void search_resume(Search *search);

/* Turns on or off the sums of ownership over the leaves of the tree, which take 3 KB for each
 * move of the root. Turning it on clears the tree. */
void search_keep_ownership(Search *search, bool keep);
/* Writes mean and standard deviation of the ownership, [y * width + x], the root mover's, over
 * all playouts since then that began with `point`; POINT_NONE: over all playouts. Returns false
 * if nothing was kept. */
bool search_ownership(const Search *search, Point point, float *mean, float *stdev);
/* The memory of the tree in use, bytes. *nodes: how many nodes it has; may be NULL. */
size_t search_node_bytes(const Search *search, int64_t *nodes);
