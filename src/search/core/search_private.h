/* search_private.h - what the files of the search share: the type Search, the paths of descents,
 * and small functions that the core and the methods call. Threading: as in search.h; ThreadGroup
 * and tree.h say how threads share a search. */
#pragma once
#include "base/rng.h"
#include "search/core/root_changes.h"
#include "search/select/gumbel.h"
#include "search/tree/limits.h"
#include "search/tree/method_set.h"
#include "search/tree/shared_lock.h"

/* TRIES_MAX limits the descents of one search_collect(), so that it returns even if all descents
 * meet ends of games. */
enum { DEPTH_MAX = 1024, PENDING_LEAVES_MAX = 64, TRIES_MAX = 256 };

_Static_assert((int)SEARCH_LEAVES_MAX <= (int)PENDING_LEAVES_MAX, "each leaf of a batch can wait");

/* A leaf that waits for its evaluation. */
struct PendingLeaf {
    Position position;
    TreeSlab *slab;             /* the slab of the leaf's thread */
    uint32_t path[DEPTH_MAX];   /* nodes from the root to the leaf */
    int16_t edges[DEPTH_MAX];   /* edges[i] leads from path[i] to path[i + 1] */
    bool weightless[DEPTH_MAX]; /* edges[i] does not count the visit */
    int depth;
    /* Nodes and edges before path[counts_from] do not count the visit. */
    int counts_from;
    /* The last node has already counted the visit, or it is on the path twice. So only the edge to
     * this node counts the visit. */
    bool caught_up;
    /* The last move was a pass after which the search goes on even if the rules end the game. */
    bool goes_on;
};

/* The leaves of one thread. The padding keeps the members that each visit writes on separate cache
 * lines. */
typedef struct {
    PendingLeaf *leaves[PENDING_LEAVES_MAX];
    char apart[64];
    int waiting;           /* leaves in use, 0 .. waiting-1 */
    int granted;           /* visits that the thread may still begin */
    TreeSlab slab;         /* its part of the pools while the search is split */
    atomic_llong playouts; /* of this thread since the split; written only by this thread */
    char apart_too[64];
} SearchThread;

/* What the threads of a split search share. */
typedef struct {
    SharedLock lock; /* each thread shares it while it descends or backs up */
    SearchThread *threads[SHARED_LOCK_THREADS_MAX];
    int thread_count;
    int64_t visits_before; /* visits of the root at the split */
    int64_t visits_left;   /* visits that the limits allowed at the split; -1 without limit */
    pthread_mutex_t ownership_lock;
    char apart[64];
    /* Visits granted to threads since the split, plus the growth of Search.skipped since then. */
    atomic_llong visits;
    char apart_too[64];
} ThreadGroup;

struct Search {
    SearchSettings settings;
    MethodSet methods;
    Rng rng;
    Position root;
    Tree tree, spare;
    Frame frame;
    SearchLimits limits;
    int64_t playouts; /* without the playouts of threads that search_join() has not counted yet */
    /* The number of visits that the limits allow, but that rounds of Gumbel's halving left unused
     * because the rounds ended early. Rounds that were extended make the number smaller, even
     * negative. */
    int64_t skipped;
    SearchThread first_thread; /* a search that is not split uses only this thread */
    ThreadGroup *group;        /* made by the first split; in use while tree.split */
    bool begun;                /* search_begin() was called for this root */
    /* A kept root must be evaluated again, with the options that the settings give for a root. */
    bool root_stale;
    bool avoids;
    SearchAvoid avoid;                     /* used if `avoids` is true */
    EvaluationOptions root_options, below; /* for the root and for the nodes below it */
    /* playout doubling advantage, White's, under which the tree was evaluated */
    float tree_doublings;
    Gumbel gumbel; /* its count is 0 until the root of this search is expanded */
    /* The net's policy of the root, by move_index(), with the changes of the `priors` hooks of
     * methods; -1 if illegal. If the root was kept, the policy has the precision of the tree (see
     * tree.h). */
    float raw_policy[MOVES_MAX];
    bool has_ownership;
    float ownership[BOARD_POINTS_MAX]; /* of the root, by the net, the mover's */
    const char *refusal;               /* see search_refusal() */
    RootChanges changes;               /* of the root since search_begin() */
};

/* Does the same as search_new(), with the methods of a table that ends with NULL. */
MUST_USE Status search_new_with(const SearchMethod *const *methods, const SearchSettings *settings,
                                uint64_t seed, Search **out, Error *err);

/* Methods. */

/* The state that a method keeps for this search. */
void *search_state_of(const Search *search, const SearchMethod *method);
/* Call this after the settings changed. It gives methods their places in the data of each node, and
 * the memory of their tables. It clears the tree if the size of the data of a node has changed. */
void search_configure_methods(Search *search);
/* Finds the methods that are active in the search that begins. */
void search_begin_methods(Search *search);
/* Returns the bonus, as White's utility, that methods add to the utility that the search found for
 * a move of the root. */
double search_move_bonus(const Search *search, const Edge *edge);

/* The tree and its counts. */

/* Clears the tree and what methods know about it. What the caller has set stays. */
void search_reset(Search *search);
/* Clears the nodes and what is known about the root, but keeps what methods know about nodes. Call
 * this before the kept part of the tree takes the place of the tree. */
void search_drop_nodes(Search *search);
int64_t search_visits(const Search *search);   /* of the root */
int64_t search_playouts(const Search *search); /* of this search, those of all threads included */
int64_t search_split_playouts(const Search *search); /* of all threads since the split */
/* How many visits the limits still allow if the root has `visits`; -1 without limit. */
int64_t search_visits_left(const Search *search, int64_t visits);
void search_free_thread(SearchThread *thread);
void search_free_thread_group(Search *search);

/* search.c; these are also called while several threads share the search. */

/* Returns the number that search_leaves() would return if the root had that many visits. */
int search_leaves_of(const Search *search, int64_t visits);
/* With search.gumbel.stop_confidence, ends the present round of Gumbel's halving early if the round
 * is settled. If search.gumbel.over_search is above 1 too, no round ends early; instead, a round
 * that has just ended is extended if it is not settled. See gumbel_end_round() and
 * gumbel_extend_round(). */
void search_adapt_round(Search *search);
/* Expands the leaf with its evaluation and backs the visit up. Returns false if the tree has no
 * room. Then the leaf no longer waits, and nothing is counted. */
bool search_receive_leaf(Search *search, const PendingLeaf *leaf, const Evaluation *evaluation);
PendingLeaf *search_pending_leaf(SearchThread *thread, int index); /* NULL if there is no memory */
EvaluationRequest search_request(const Search *search, const PendingLeaf *leaf);

/* descent.c */

/* How a descent from the root ended. After LEAF and VISIT the edges of its path count the descent
 * as under way; after the other ends they do not. */
typedef enum {
    DESCENT_ON,    /* it has not ended yet */
    DESCENT_LEAF,  /* it met a new node, which waits for its evaluation from now on */
    DESCENT_VISIT, /* it met the end of a game or a node that needs no evaluation: back it up */
    DESCENT_AGAIN, /* a move turned out illegal and was struck out: descend again */
    DESCENT_BUSY,  /* it met a node that waits already */
    DESCENT_NONE   /* there is no move, or no memory for the line or for a node */
} Descent;
Descent search_descend(Search *search, PendingLeaf *leaf);
/* Gives up a descent. The first `edges` edges of its path no longer count the descent as under way,
 * and no visit is counted. */
void search_abandon_path(Search *search, const PendingLeaf *leaf, int edges);
/* Counts a visit along the path. `evaluation` is NULL where the visit needed none, as at the end of
 * a game. */
void search_back_up(Search *search, const PendingLeaf *leaf, const Evaluation *evaluation);

/* method_select.c: chooses as puct_select() does, but with the terms of methods. `position` is the
 * position of the node `at`. */
int search_select_by_methods(Search *search, const Position *position, uint32_t at);

/* Whether search.fill_dame_before_pass has an effect at the root: under territory scoring, before
 * the encore. */
static inline bool search_fills_dame(const Search *search) {
    return search->settings.fill_dame_before_pass &&
           search->root.rules.scoring == SCORING_TERRITORY && !search->root.encore_phase;
}

/* root_moves.c: writes raw_policy to `policy`, with -1 for avoided and useless moves. Symmetric
 * moves are still in it. */
void search_open_policy(const Search *search, float *policy);
/* root_moves.c: writes raw_policy to `policy`, with -1 for moves that the root must not search. */
void search_root_policy(const Search *search, float *policy);

/* avoid.c: gives -1 in `policy` to the moves that `mover` must not play `depth` plies below the
 * root. The index of `policy` is move_index(). If no other move would be left, changes nothing. */
void search_avoid_moves(const Search *search, Color mover, int depth, float *policy);

/* search_report.c: writes the play-selection weights of the root's children, in the order of its
 * edges (KataGo, cpp/search/searchresults.cpp). `weights` gets the weights with the choice by LCB,
 * and `plain` the weights without it. `lcb` gets the lower confidence bounds of the mover's
 * utility. */
void search_play_weights(const Search *search, double *weights, double *plain, double *lcb);
