/* search.h - one tree search, driven from outside: it hands out leaves and takes back evaluations,
 * so one driver can batch many searches. Never calls a net. Values inside are White's. Threading:
 * confined, but for what is said of a split search. */
#pragma once
#include "base/rng.h"
#include "eval/evaluators/evaluator.h"
#include "search/tree/limits.h"
#include "search/tree/repeats.h"
#include "search/tree/report.h"
#include "search/tree/search_settings.h"
#include <stddef.h>

typedef struct Search Search; /* opaque */

/* `settings` are copied. ERR_ARGUMENT: out of range; ERR_MEMORY. */
MUST_USE Status search_new(const SearchSettings *settings, uint64_t seed, Search **out, Error *err);
void search_free(Search *search);
void search_seed(Search *search, uint64_t seed); /* its random numbers, as search_new() does */
MUST_USE Status search_set_settings(Search *search, const SearchSettings *settings,
                                    Error *err); /* clears the tree if values change meaning */

/* The root becomes a copy of `root` and the tree is empty. */
MUST_USE Status search_set_position(Search *search, const Position *root, Error *err);
/* The root moves to the child of `point`; its subtree is kept when `keep_tree`. ERR_ILLEGAL. */
MUST_USE Status search_play(Search *search, Point point, bool keep_tree, Error *err);
void search_clear_tree(Search *search);
const Position *search_position(const Search *search);

/* `avoid` is copied; NULL: none. It holds until the next call; clears the tree when it changes
 * anything. */
void search_set_avoid(Search *search, const SearchAvoid *avoid);

/* A move that this root must look at well (POINT_NONE: none), until the next call or another root;
 * clears the tree when it changes. KataGo's hint positions. */
void search_set_hint(Search *search, Point hint);
/* Shapes of other games that the searching side is to avoid, or to seek (NULL: none); borrowed, and
 * clears the tree when it changes. */
void search_set_shapes(Search *search, const RepeatTable *shapes);
/* Factor of time after the opponent's passes; visits and playouts have it already. */
double search_pass_factor(const Search *search);
/* What the settings ask of evaluations and these lack, in a sentence: then a search should end.
 * NULL: nothing. */
const char *search_refusal(const Search *search);

/* Starts a new search of this root (noise is drawn, the score centre is set; with ignore_history
 * the root's own position forgets what nets see of its moves). Kept visits count
 * towards limits.visits; none are kept of a tree that grew under another playout doubling advantage
 * of White. */
void search_begin(Search *search, const SearchLimits *limits);
/* Descends until `capacity` leaves wait or no more should be collected now. Returns how many were
 * written (0: done, or results are awaited); their positions are borrowed until search_receive().
 * Terminal leaves are backed up inside. A root that was kept, but whose policy is of another
 * optimism, comes alone and once more; that is no visit. */
int search_collect(Search *search, EvaluationRequest *leaves, int capacity);
/* The evaluations of exactly the leaves that the last search_collect() gave, in order. */
void search_receive(Search *search, const Evaluation *evaluations, int count);
bool search_done(const Search *search); /* a visit or playout limit is reached (time is the
                                           driver's), or the tree is full */
bool search_tree_full(const Search *search);
int64_t search_root_visits(const Search *search);
/* How many leaves are to wait for a batch: 1 + visits / leaf_visits, search.leaves at most. */
int search_leaves(const Search *search);

void search_report(const Search *search, Report *out);
/* Best play after the root's move `first`, that move at the front: the most visited each time.
 * Returns how many of at most `most`; 0: the move has no visit. */
typedef struct {
    Point point;
    int visits, edge_visits; /* of the node that it leads to, and of the edge */
} LineStep;
int search_line(const Search *search, Point first, LineStep *out, int max);
/* Under which symmetries (go/symmetry.h) the root's moves are alike, so that only one of them is
 * searched; the first alone without search.root_symmetry_pruning. */
void search_root_symmetries(const Search *search, bool holds[8]);
/* What people's policy gives the move at the root; -1: it is not known, or the move is illegal. */
float search_human_prior(const Search *search, Point point);
/* The way from the root to a position, and what the search found of it: means below it. */
typedef struct {
    Point line[64];
    int count; /* of moves in `line`; 0: the root */
    float white_win_loss, white_score;
} SearchSample;
/* Draws a position that the search evaluated, each with the same chance, the root too. (Where games
 * end in the tree the chances differ.) There has to be an evaluated root. */
void search_sample(const Search *search, Rng *rng, SearchSample *out);

/* Several threads on one tree; `thread` is the index of the caller, 0 .. threads-1. Between search_split() and
 * search_join(), both called by one thread while no other is in the search, only the functions
 * of this paragraph may be used, the others between search_pause() and search_resume() if they
 * change nothing. A leaf that waits counts as a loss for who looks at its path, so that threads
 * spread over the tree (KataGo, cpp/search: virtual losses). The result depends on who came first.
 * The root must have its evaluation. ERR_ARGUMENT: more than SEARCH_THREADS_MAX. */
enum { SEARCH_THREADS_MAX = 64 };
MUST_USE Status search_split(Search *search, int threads, Error *err);
void search_join(Search *search);
/* Whether the methods that are on look only at what a node's lock guards, and keep nothing beside
 * nodes (search_method.h: splits). Otherwise one thread alone may search. */
bool search_can_split(const Search *search);
/* How many of at most so many threads have work: each is to have search.playouts_per_thread. */
int search_threads(const Search *search, int max);
bool search_root_ready(const Search *search); /* not while it is split */
/* LEAVES: some were written. BUSY: all that this thread came to await others, or only ends of games
 * were met. DONE: the limits leave nothing to begin, or the tree is full. NONE: no move is left. */
typedef enum { SEARCH_LEAVES, SEARCH_BUSY, SEARCH_DONE, SEARCH_NONE } CollectResult;
CollectResult search_collect_in(Search *search, int thread, EvaluationRequest *leaves, int capacity,
                                int *count);
int search_leaves_in(const Search *search, int thread); /* of this thread */
/* The evaluations of exactly the leaves that this thread collected last, in order. */
void search_receive_in(Search *search, int thread, const Evaluation *evaluations, int count);
void search_pause(Search *search); /* by a thread that is in no other call; waits for the others */
void search_resume(Search *search);

/* Turns on or off that a search sums who owns what over its leaves, which takes 3 KB for each move
 * of the root. Clears the tree when it is turned on. */
void search_keep_ownership(Search *search, bool keep);
/* Writes average and deviation, [y * width + x], the root mover's, over the playouts since then
 * through `point`, or over all (POINT_NONE). false: nothing was kept. */
bool search_ownership(const Search *search, Point point, float *mean, float *stdev);
size_t search_node_bytes(const Search *search,
                         int64_t *nodes); /* memory in use, and how many nodes */
