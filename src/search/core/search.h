/* search.h - one tree search, driven from outside: it hands out leaves and takes back evaluations,
 * so that one driver can batch many searches. It never calls a net. Values inside are White's.
 * Threading: confined; but see the comment on split searches below. */
#pragma once
#include "base/rng.h"
#include "eval/evaluators/evaluator.h"
#include "search/tree/limits.h"
#include "search/tree/repeats.h"
#include "search/tree/report.h"
#include "search/tree/search_settings.h"
#include <stddef.h>

typedef struct Search Search; /* opaque */

/* Creates a search without a position. `settings` are copied. ERR_ARGUMENT: a setting is out of
 * range. ERR_MEMORY. */
MUST_USE Status search_new(const SearchSettings *settings, uint64_t seed, Search **out, Error *err);
void search_free(Search *search);
/* Restarts the random numbers of the search from `seed`, as search_new() does. */
void search_seed(Search *search, uint64_t seed);
/* Replaces the settings. Clears the tree if its values would mean something else under the new
 * settings, or if the size of the data that methods keep for each node changes. */
MUST_USE Status search_set_settings(Search *search, const SearchSettings *settings, Error *err);

/* The root becomes a copy of `root` and the tree is empty. */
MUST_USE Status search_set_position(Search *search, const Position *root, Error *err);
/* Plays `point` at the root, so that the child after this move becomes the root. If `keep_tree` is
 * true, the subtree of the child is kept. But the tree is cleared if the child has no evaluation,
 * if moves are to be avoided (search_set_avoid()), if weaker play draws its moves
 * (search.level.draw), or if there is no room for a copy of the subtree. ERR_ILLEGAL. */
MUST_USE Status search_play(Search *search, Point point, bool keep_tree, Error *err);
void search_clear_tree(Search *search);
const Position *search_position(const Search *search);

/* Sets the moves that the search must not consider, until the next call. `avoid` is copied; NULL
 * means that there are none. Clears the tree if this changes anything. */
void search_set_avoid(Search *search, const SearchAvoid *avoid);

/* Sets a move of this root that must be searched well (KataGo's hint positions). POINT_NONE means
 * that there is no such move. The hint is valid until the next call or until the root changes.
 * Clears the tree if this changes anything. */
void search_set_hint(Search *search, Point hint);
/* Sets local shapes that were played in other games (repeats.h). The searching side avoids shapes
 * with which it loses utility, and seeks shapes with which it gains utility. `shapes` is borrowed
 * and may be NULL. Clears the tree if this changes anything. */
void search_set_shapes(Search *search, const RepeatTable *shapes);
/* Returns a factor that differs from 1 only after a pass of the opponent. search_begin() multiplies
 * the limits on visits and playouts by this factor. If it is below 1, callers multiply the time of
 * the move by it. */
double search_pass_factor(const Search *search);
/* If evaluations lacked something that the settings need, returns a sentence that tells the user
 * what is missing; the caller should then end the search. Otherwise returns NULL. */
const char *search_refusal(const Search *search);

/* Starts a new search of this root. If a kept tree has the evaluation of the root, this call draws
 * noise and sets the center of the score utility; otherwise the search does so when the evaluation
 * comes. With search.ignore_history nets no longer see the moves before the root. Kept visits count
 * towards limits->visits. First clears a tree that does not fit this search, for example because it
 * grew under another playout doubling advantage of White. */
void search_begin(Search *search, const SearchLimits *limits);
/* Descends until `capacity` leaves wait or no more leaves should be collected now. Returns how many
 * leaves were written. The number is 0 if the search has not begun, is done or has no move left, or
 * if there is no memory for a leaf. It is also 0 if the descents met only ends of games, which are
 * backed up immediately. The positions are borrowed until search_receive(). If leaves were written,
 * call search_receive() before the next search_collect(). If the settings want a kept root
 * evaluated with options that its evaluation did not have, only the root is handed out, to be
 * evaluated again. This evaluation does not count as a visit. */
int search_collect(Search *search, EvaluationRequest *leaves, int capacity);
/* Takes the evaluations of exactly the leaves that the last search_collect() gave, in its order. */
void search_receive(Search *search, const Evaluation *evaluations, int count);
/* Whether the search has ended: no leaf waits, and a limit on visits or playouts is reached or the
 * tree is full. The driver watches the time. */
bool search_done(const Search *search);
bool search_tree_full(const Search *search);
int64_t search_root_visits(const Search *search);
/* How many leaves should be evaluated in one batch: 1 + visits / search.leaf_visits, but at most
 * search.leaves. */
int search_leaves(const Search *search);

void search_report(const Search *search, Report *out);
/* search_line() writes a line of moves. It begins with the move `first` of the root and continues
 * with the most visited move of each node. It returns the length of the line, which is at most
 * `max`, or 0 if `first` has no visit. */
typedef struct {
    Point point;
    int visits, edge_visits; /* of the node after the move, and of the edge */
} LineStep;
int search_line(const Search *search, Point first, LineStep *out, int max);
/* Sets holds[s] for each symmetry s (go/symmetry.h) under which the root looks the same. Of several
 * moves that such a symmetry maps to each other, only one is searched. Without
 * search.root_symmetry_pruning, and before the root has a visit, only the identity, holds[0], is
 * set. */
void search_root_symmetries(const Search *search, bool holds[8]);
/* The probability that the net of human play gives to a move of the root; -1 if it is not known or
 * the move is illegal. */
float search_human_prior(const Search *search, Point point);
/* A position in the tree: the moves that lead from the root to it, and the means of the values in
 * its subtree. */
typedef struct {
    Point line[64];
    int count; /* length of `line`; 0 for the root itself */
    float white_win_loss, white_score;
} SearchSample;
/* Draws one of the positions that the search evaluated, the root included, all with the same
 * probability. (If games end inside the tree, the probabilities differ.) The root must have its
 * evaluation. */
void search_sample(const Search *search, Rng *rng, SearchSample *out);

/* A search is split if several threads share its tree. search_split() begins the sharing, and
 * search_join() ends it; one thread calls them while no other thread is in the search. Between the
 * two calls, threads may only call search_pause(), search_resume() and the functions below that
 * take a `thread`. `thread` is the index of the caller, 0 .. threads-1. Between search_pause() and
 * search_resume(), functions that only read are allowed as well. A leaf that waits counts as a loss
 * along its path, so that threads spread over the tree (KataGo, cpp/search: virtual losses). The
 * result depends on the order in which threads reach the nodes. search_split() needs a root that
 * has its evaluation. ERR_ARGUMENT: the number of threads is not 1 to SEARCH_THREADS_MAX.
 * ERR_MEMORY. */
enum { SEARCH_THREADS_MAX = 64 };
MUST_USE Status search_split(Search *search, int threads, Error *err);
void search_join(Search *search);
/* Whether the search may be split. All active methods must allow it (SearchMethod.splits), and all
 * methods that keep data for each node must allow it too (SearchMethod.node_data_splits). */
bool search_can_split(const Search *search);
/* How many threads, from 1 to `max`, get at least search.playouts_per_thread playouts each. */
int search_threads(const Search *search, int max);
/* Whether the root has the evaluation that this search needs. Not to be called while the search is
 * split. */
bool search_root_ready(const Search *search);
/* The result of search_collect_in(). */
typedef enum {
    SEARCH_LEAVES, /* at least one leaf was written */
    SEARCH_BUSY,   /* descents met only nodes that wait already, or ends of games: try again */
    SEARCH_DONE,   /* the limits allow no further visit, or the tree is full */
    SEARCH_NONE    /* there is no move to search, or no memory for a leaf */
} CollectResult;
/* Does for one thread what search_collect() does, and sets *count to the number of leaves. */
CollectResult search_collect_in(Search *search, int thread, EvaluationRequest *leaves, int capacity,
                                int *count);
/* Estimates search_leaves() from the counts of this thread alone. */
int search_leaves_in(const Search *search, int thread);
/* Takes the evaluations of exactly the leaves that this thread collected last, in their order. */
void search_receive_in(Search *search, int thread, const Evaluation *evaluations, int count);
/* Waits until all threads have left the tree, and keeps them out until search_resume(). The calling
 * thread must not be in another call. */
void search_pause(Search *search);
void search_resume(Search *search);

/* Turns on or off the sums of ownership over the leaves of the tree, which take 6 KB for each move
 * of the root. Turning them on clears the tree. */
void search_keep_ownership(Search *search, bool keep);
/* Writes the mean and the standard deviation of the root mover's ownership, [y * width + x]. They
 * are taken over the playouts that began with the move `point` at the root; if `point` is
 * POINT_NONE, over all playouts. Only playouts since search_keep_ownership() and since the last
 * change of the root count. Returns false if there are no such playouts. */
bool search_ownership(const Search *search, Point point, float *mean, float *stdev);
/* The memory that the tree uses, in bytes. Sets *nodes to the number of nodes; `nodes` may be
 * NULL. */
size_t search_node_bytes(const Search *search, int64_t *nodes);
/* How many bytes of each node are data of methods (search_method.h), such as the distribution of
 * values of search.regret.*. */
size_t search_method_bytes(const Search *search);
