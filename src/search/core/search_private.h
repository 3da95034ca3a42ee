/* search_private.h - what the files of a search have in common: the search itself, the paths of its
 * descents, and the small questions that its core and its methods ask of it. Threading: as in
 * search.h; ThreadGroup and tree.h say how threads share it. */
#pragma once
#include "base/rng.h"
#include "search/select/gumbel.h"
#include "search/tree/limits.h"
#include "search/tree/method_set.h"
#include "search/tree/shared_lock.h"

/* TRIES_MAX: descents of one search_collect(), so that it returns where all ends of games are
 * known. */
enum { DEPTH_MAX = 1024, PENDING_LEAVES_MAX = 64, TRIES_MAX = 256 };

_Static_assert((int)SEARCH_LEAVES_MAX <= (int)PENDING_LEAVES_MAX, "each leaf of a batch can wait");

/* A leaf that waits for its evaluation. */
struct PendingLeaf {
    Position position;
    TreeSlab *slab;             /* that of its thread */
    uint32_t path[DEPTH_MAX];   /* nodes from the root to the leaf */
    int16_t edges[DEPTH_MAX];   /* edges[i] leads from path[i] to path[i + 1] */
    bool weightless[DEPTH_MAX]; /* edges[i] was only looked at: the visit does not count for it */
    int depth;
    /* The visit does not count for nodes and edges before path[counts_from]. */
    int counts_from;
    /* The last node has the visit already or is on the path: only the edge to it counts. */
    bool caught_up;
    /* The last move was a pass that ends nothing here, whatever the rules say. */
    bool goes_on;
};

/* The leaves of one thread. What changes with each visit shares no cache line with anything. */
typedef struct {
    PendingLeaf *leaves[PENDING_LEAVES_MAX];
    char apart[64];
    int waiting;           /* leaves in use, 0 .. waiting-1 */
    int granted;           /* visits that it may begin */
    TreeSlab slab;         /* of the tree's pools, while the search is split */
    atomic_llong playouts; /* done while the search is split; written by its thread alone */
    char apart_too[64];
} SearchThread;

/* What the threads have in common while the search is split. */
typedef struct {
    SharedLock lock; /* A thread holds it, shared, while it descends or backs up. */
    SearchThread *threads[SHARED_LOCK_THREADS_MAX];
    int thread_count;
    int64_t visits_before; /* of the root, when the search was split */
    int64_t visits_left;   /* from then on; -1: no limit */
    pthread_mutex_t ownership_lock;
    char apart[64];
    atomic_llong visits; /* since then: granted, begun, or done */
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
    int64_t playouts;          /* but those of a split search that is under way */
    int64_t skipped;           /* visits that this search did without, of its limits */
    SearchThread first_thread; /* the only one of a search that is not split */
    ThreadGroup *group;        /* kept once made; in use where tree.split */
    bool begun;
    bool root_stale; /* The root's evaluation is not what the settings ask of a root. */
    bool avoids;
    SearchAvoid avoid;                     /* if avoids */
    EvaluationOptions root_options, below; /* of this search */
    float tree_doublings;                  /* White's, of the evaluations in the tree */
    Gumbel gumbel;                         /* of this search, once its root is expanded */
    float raw_policy[MOVES_MAX]; /* by move_index(); -1 illegal; once the root is expanded */
    bool has_ownership;
    float ownership[BOARD_POINTS_MAX]; /* the root's, by its net, the mover's; if has_ownership */
    const char *refusal;               /* what the evaluations lack; NULL: nothing */
};

/* search_new() with a table of methods that ends with NULL. */
MUST_USE Status search_new_with(const SearchMethod *const *methods, const SearchSettings *settings,
                                uint64_t seed, Search **out, Error *err);

/* Methods. */

/* The state of a method in this search. */
void *search_state_of(const Search *search, const SearchMethod *method);
/* After the settings changed: places beside nodes and the memory of tables. Clears the tree where
 * nodes have to keep something else. */
void search_configure_methods(Search *search);
/* Before a search: finds the methods that are active in it. */
void search_begin_methods(Search *search);
/* White's utility that a move of the root has besides what was found below it. */
double search_move_bonus(const Search *search, const Edge *edge);

/* The tree and its counts. */

/* Forgets the tree; what the caller set stays. */
void search_reset(Search *search);
/* Forgets the tree's nodes and what is known of the root, but not what the methods know of
 * nodes. */
void search_drop_nodes(Search *search);
int64_t search_visits(const Search *search);         /* of the root */
int64_t search_playouts(const Search *search);       /* of this search, also while it is split */
int64_t search_split_playouts(const Search *search); /* of all threads, since it was split */
/* Visits that the limits leave for the moves of a root with so many; -1: nobody knows. */
int64_t search_visits_left(const Search *search, int64_t visits);
void search_free_thread(SearchThread *thread);
void search_free_thread_group(Search *search);

/* search.c, for a search that is split. */

int search_leaves_of(const Search *search, int64_t visits); /* search_leaves() of so many */
/* A round of Gumbel's halving that is settled ends, if it is to (gumbel_end_round()). */
void search_adapt_round(Search *search);
/* An evaluation arrives; it is backed up if there is room for it. */
bool search_receive_leaf(Search *search, const PendingLeaf *leaf, const Evaluation *evaluation);
PendingLeaf *search_pending_leaf(SearchThread *thread, int index); /* NULL: no memory */
EvaluationRequest search_request(const Search *search, const PendingLeaf *leaf);

/* descent.c */

/* How one descent from the root ended. LEAF: at a node that waits for its evaluation from now on;
 * VISIT: at a known end, to be backed up at once; AGAIN: an illegal move was met and is out now;
 * BUSY: at a node that waits already; NONE: there is no move. A path is counted as waiting after
 * LEAF and VISIT only. */
typedef enum {
    DESCENT_ON,
    DESCENT_LEAF,
    DESCENT_VISIT,
    DESCENT_AGAIN,
    DESCENT_BUSY,
    DESCENT_NONE
} Descent;
Descent search_descend(Search *search, PendingLeaf *leaf);
/* The first so many edges of a path no longer wait; nothing was counted along them. */
void search_abandon_path(Search *search, const PendingLeaf *leaf, int edges);
/* Counts a visit along the path; `evaluation` as in SearchMethod.visited. */
void search_back_up(Search *search, const PendingLeaf *leaf, const Evaluation *evaluation);

/* method_select.c: as puct_select() where methods have a say. `position`: that of the node. */
int search_select_by_methods(Search *search, const Position *position, uint32_t at);

/* root_moves.c: the policy of the root, raw_policy without what is not looked at there (-1). */
void search_root_policy(const Search *search, float *policy);

/* avoid.c: takes out of `policy` (by move_index(), illegal -1) what `mover` shall not play `depth`
 * plies below the root. */
void search_avoid_moves(const Search *search, Color mover, int depth, float *policy);

/* report.c: play-selection values of the root's children, in the order of its edges (KataGo,
 * cpp/search/searchresults.cpp): with LCB, without, and the mover's lower bounds of utility. */
void search_play_weights(const Search *search, double *weights, double *plain, double *lcb);
