/* search_private.h - what the files of a search share. Threading: as in search.h; Crew and tree.h
 * say how threads share it. */
#pragma once
#include "base/rng.h"
#include "search/gate.h"
#include "search/graph.h"
#include "search/gumbel.h"
#include "search/mirror.h"
#include "search/search.h"

/* TRIES_MOST: descents of one search_collect(), so that it returns where all ends of games are
 * known. */
enum { DEPTH_MOST = 1024, SLOTS_MOST = 64, TRIES_MOST = 256 };

_Static_assert((int)SEARCH_LEAVES_MOST <= (int)SLOTS_MOST, "a slot for each leaf");

/* A leaf that waits for its evaluation. */
typedef struct {
    Position position;
    TreeShare *share;            /* its thread's */
    uint32_t path[DEPTH_MOST];   /* nodes from the root to the leaf */
    int16_t edges[DEPTH_MOST];   /* edges[i] leads from path[i] to path[i + 1] */
    bool weightless[DEPTH_MOST]; /* edges[i] only looks: the visit does not count for it */
    int depth;
    int counts_from; /* nor does it count for nodes and edges before path[counts_from] */
    bool caught_up;  /* the last node has the visit already, or is on the path: only its edge counts
                      */
    bool goes_on;    /* the last move was a pass that ends nothing here, whatever the rules say */
} Slot;

/* The leaves of one thread. What changes with each visit shares no cache line with anything. */
typedef struct {
    Slot *slots[SLOTS_MOST];
    char apart[64];
    int waiting;           /* slots in use, 0 .. waiting-1 */
    int granted;           /* visits that it may begin */
    TreeShare share;       /* of the tree's pools, while the search is split */
    atomic_llong playouts; /* done, while the search is split; written by its thread alone */
    char apart_too[64];
} Lane;

/* While several threads are on the tree. */
typedef struct {
    Gate gate; /* who descends or backs up is inside */
    Lane *lanes[GATE_LANES_MOST];
    int lane_count;
    int64_t visits_before; /* of the root, when sharing began */
    int64_t visits_left;   /* from then on; -1: no limit */
    pthread_mutex_t ownership;
    char apart[64];
    atomic_llong visits; /* since then: granted, begun, or done */
    char apart_too[64];
} Crew;

typedef struct OwnershipSums OwnershipSums;

struct Search {
    SearchSettings settings;
    Rng rng;
    Position root;
    Tree tree, spare;
    Frame frame;
    SearchLimits limits;
    int64_t playouts; /* but those of a split search that is under way */
    Lane lane;        /* of the thread that is alone, or the first */
    Crew *crew;       /* kept once made; in use where tree.split */
    bool has_ownership, begun, avoids, keeps_ownership;
    SearchAvoid avoid;                /* if avoids */
    bool root_stale;                  /* the root's policy is not what the settings ask of a root */
    EvaluationOptions at_root, below; /* of this search */
    float grown_doublings;            /* White's, of the evaluations in the tree */
    Gumbel gumbel;                    /* of this search, once its root is expanded */
    float raw_policy[MOVES_MAX];      /* by move_index(); -1 illegal; once the root is expanded */
    float ownership[BOARD_POINTS_MAX];
    OwnershipSums *sums[MOVES_MAX + 1];     /* by move_index(); MOVES_MAX: of all */
    bool special, special_root, has_ending; /* whether search_select_special() chooses: everywhere,
                                               at the root; whether the next holds */
    float ending_points[MOVES_MAX];         /* White's, for moves of the root, by move_index() */
    Point hint;                             /* POINT_NONE: none */
    Mirror mirror;
    SearchSettings mirrored; /* in force while the opponent mirrors */
    BiasTable bias;
    RepeatTable repeats; /* where frame.repeats */
    const RepeatTable *shapes;
    float human_policy[MOVES_MAX]; /* of the root, by move_index(); -1 illegal; if has_human */
    bool has_human;
    bool human;      /* whether visits of this search may be for people's moves, and ... */
    bool human_in;   /* ... also below the root */
    Color human_of;  /* the root's mover when the nodes were made */
    size_t human_at; /* place of what is kept beside nodes */
    int64_t skipped; /* visits that this search did without, of its limits */
    bool shares;     /* nodes, in this search */
    Graph graph;
    uint64_t root_hash;
    const char *refusal; /* what the evaluations lack; NULL: nothing */
};

/* The policy of the root: raw_policy without what is not looked at there (-1). */
void search_root_policy(const Search *search, float *policy);
int64_t search_playouts(const Search *search);      /* of this search, also while it is split */
int64_t search_crew_playouts(const Search *search); /* of all lanes, since it was split */
/* Visits that the limits leave for the moves of a root with so many; -1: nobody knows. */
int64_t search_visits_left(const Search *search, int64_t visits);
int search_leaves_of(const Search *search, int64_t visits); /* search_leaves(), of so many */
/* A round of Gumbel's halving that is settled ends, if it is to (gumbel_skip()). */
void search_skip_round(Search *search);
/* One descent from the root. LEAF: a node that waits for its evaluation from now on; VISIT: a known
 * end, to be backed up at once; AGAIN: an illegal move was met and is out now; BUSY: at a node that
 * waits already; NONE: there is no move. A path is counted as waiting after LEAF and VISIT only. */
typedef enum {
    DESCENT_ON,
    DESCENT_LEAF,
    DESCENT_VISIT,
    DESCENT_AGAIN,
    DESCENT_BUSY,
    DESCENT_NONE
} Descent;
Descent search_descend(Search *search, Slot *slot);
/* The first so many edges of a path no longer wait; nothing was counted along them. */
void search_give_up(Search *search, const Slot *slot, int edges);
void search_back_up(Search *search, const Slot *slot); /* a visit of that path */
/* An evaluation arrives; backed up if there is room for it. */
bool search_take(Search *search, const Slot *slot, const Evaluation *evaluation);
Slot *search_slot(Lane *lane, int index); /* NULL: no memory */
EvaluationRequest search_request(const Search *search, const Slot *slot);
void search_free_lane(Lane *lane);
void search_free_crew(Search *search);

/* A leaf's share in who owns what; `evaluation` NULL: the end of a game. */
void search_add_ownership(Search *search, const Slot *slot, const Evaluation *evaluation);
void search_forget_ownership(Search *search);
void search_free_ownership(Search *search);

/* Play-selection values of the root's children, in the order of its edges (KataGo,
 * cpp/search/searchresults.cpp): with LCB, without, and the mover's lower bounds of utility. */
void search_play_weights(const Search *search, double *weights, double *plain, double *lcb);
