/* search_method.h - the type of a method of the search. A method is a plug-in. It changes which
 * moves are searched, what nodes are worth, or which data are kept for each node. A method is one
 * constant of type SearchMethod, usually in a file of its own, and one row of the table in
 * methods.c. The core of the search calls its hooks and knows no method by name. A hook that a
 * method does not need is NULL.
 *
 * A search calls the hooks in this order:
 *     is_on, root_need, node_bytes, configure  when the settings have changed
 *     is_on, begin                             before a search
 *     root_priors, recomputed                  also before a search, if the root has an evaluation
 *     choose_edge, prepare, term, arrive       at each node of a descent
 *     request, expanded, priors                for a new leaf
 *     root_priors, root_expanded               then also for the root
 *     sum, updated, visited                    when the visit is counted
 *     move_bonus, mix_choice                   in reports; move_bonus also at the root of a descent
 *     moved, forget, root_need, free           when the root changes, and at the end
 *
 * Threading: the constants are immutable. If `splits` is true, several threads may call the hooks
 * from choose_edge to visited at the same time. They call them under the lock of the node that the
 * hook looks at. They call only request and visited without this lock. */
#pragma once
#include "base/rng.h"
#include "eval/evaluators/evaluator.h"
#include "search/tree/search_settings.h"
#include "search/tree/tree.h"

typedef struct Search Search;           /* search_private.h */
typedef struct Frame Frame;             /* puct.h */
typedef struct PendingLeaf PendingLeaf; /* search_private.h */
typedef struct MethodUse MethodUse;

/* The choice of a move at one node, with the numbers that all moves of the node share. */
typedef struct {
    const Search *search;
    const SearchSettings *settings;
    const Frame *frame;
    const Tree *tree;
    const Position *position; /* the position of the node */
    uint32_t at;              /* index of the node */
    const Node *node;
    const Edge *edges; /* edges to its children */
    Rng *rng;
    bool root;
    double side;        /* 1 if White moves, -1 if Black moves */
    double total;       /* weight of all moves, descents under way included */
    double exploration; /* E of PUCT, s U + E P / (1 + w); see puct.h */
    double unvisited;   /* White's value of a move without a visit */
    int most_visited;   /* index of the edge with the most visits; -1 if no edge has visits */
    double max_weight;  /* largest weight of a move */
    /* The following are only set at the root. */
    double weight_per_visit; /* weight / visits of the root */
    int64_t visits_left;     /* visits that the limits still allow; -1 without limit */
} Choice;

/* One move of a Choice. It is worth value + exploration * prior / (1 + weight). */
typedef struct {
    int move;  /* move_index() */
    int index; /* of its edge; -1 if the move has no node yet */
    double prior;
    double value; /* the mover's */
    double weight, exploration;
} Term;

/* The statistics of a child as they count in the averages of its parent. side_utility is the
 * utility of the mover at the parent. */
typedef struct {
    double weight, side_utility, prior;
    const Edge *edge;
} ChildStatistics;

/* Sums over a node's own value and the values of its children. Each value is multiplied by its
 * weight. */
typedef struct {
    double weight, weight_sq, win_loss, no_result, score_mean, score_mean_sq, lead, utility,
        utility_sq;
} NodeSums;

/* A node whose averages are being computed. */
typedef struct {
    const Frame *frame;
    Tree *tree;
    uint32_t at;
    bool root;
    const ChildStatistics *children; /* those with a weight, after pruning */
    int count;
} NodeUpdate;

/* What a method needs when a node with an evaluation becomes the root. */
typedef enum {
    ROOT_IS_FINE,
    ROOT_WAS_INNER, /* evaluate it again, because it was evaluated as an inner node */
    ROOT_LACKS,     /* evaluate it again, because its evaluation lacks what the settings now need */
} RootNeed;

typedef struct {
    const char *name;
    /* Whether the method is on, by the settings or by what a caller has put into its state. */
    bool (*is_on)(const SearchSettings *settings, const void *state);
    bool splits;        /* several threads may run its hooks; see Threading above */
    bool root_only;     /* `term` is called only at the root */
    bool in_puct;       /* puct_select() computes its `term` itself */
    int memory_eighths; /* eighths of the tree's memory that its own tables may take */
    size_t state_bytes; /* size of its state in a search, which begins as zeros */
    /* Whether several threads may also use the data that the method keeps for nodes. If so, a
     * thread writes the data of a node only under the lock of this node, and the data that it reads
     * of other nodes are atomic. If a method keeps data for nodes and node_data_splits is false, a
     * search with the method runs on one thread. */
    bool node_data_splits;
    /* Size of the data that the method keeps for each node, which begin as zeros. */
    size_t (*node_bytes)(const SearchSettings *settings);

    /* Called after the settings changed, even if the method is now off. */
    void (*configure)(Search *search, const MethodUse *use);
    /* Called before a search. Returns whether the method takes part in it. It may clear the
     * tree. */
    bool (*begin)(Search *search, const MethodUse *use);
    /* Changes the priors of the root, by move_index(). Called at the start of each search, and
     * whenever the root has received an evaluation. Illegal moves have -1. */
    void (*root_priors)(const Search *search, const MethodUse *use, float *policy);

    /* Chooses a move by rules other than value and prior. Returns the index of the edge of the
     * move, child_count for the best move without a node, or -1 if the method does not choose. */
    int (*choose_edge)(Search *search, const MethodUse *use, PendingLeaf *leaf, uint32_t at);
    /* Returns a number that `term` needs and that all moves of the node share. */
    double (*prepare)(const Choice *choice, const MethodUse *use);
    /* Changes what one move is worth. `edge` is NULL if the move has no node. Returns true if the
     * move is worth term->value alone; no further method is then called for the move. */
    bool (*term)(const Choice *choice, const MethodUse *use, double prepared, const Edge *edge,
                 Term *term);
    /* Called after a move was played along `edge` of the node `from`. The hook may make the edge
     * lead to another node. Returns whether the descent ends at the node to which the edge
     * leads. */
    bool (*arrive)(Search *search, const MethodUse *use, const PendingLeaf *leaf, uint32_t from,
                   Edge *edge);

    /* Adds options that the evaluation of a node must have. `depth` counts plies below the root. */
    void (*request)(const Search *search, const MethodUse *use, Color mover, int depth,
                    EvaluationOptions *options);
    /* Called when the last node of the leaf's path has received its evaluation. */
    void (*expanded)(Search *search, const MethodUse *use, const PendingLeaf *leaf,
                     const Evaluation *evaluation);
    /* Changes the policy of a new node before the tree stores it. */
    void (*priors)(const Search *search, const MethodUse *use, const Position *position, bool root,
                   float *policy);
    /* Called when the root has received its evaluation, for the first time or again. */
    void (*root_expanded)(Search *search, const MethodUse *use, const Evaluation *evaluation);

    /* Changes the sums of a node before they become averages. */
    void (*sum)(const MethodUse *use, const NodeUpdate *update, NodeSums *sums);
    /* Called after the averages of a node were set. */
    void (*updated)(const MethodUse *use, const NodeUpdate *update);
    /* Called after a visit was counted along a path. `evaluation` is NULL if the visit needed no
     * evaluation, as at the end of a game. */
    void (*visited)(Search *search, const MethodUse *use, const PendingLeaf *leaf,
                    const Evaluation *evaluation);

    /* Returns a bonus, as White's utility, that is added to the utility that the search found for a
     * move of the root. */
    double (*move_bonus)(const Search *search, const MethodUse *use, const Edge *edge);
    /* Mixes a policy of the method into `probabilities`, by move_index(). The move to play is drawn
     * by these probabilities. Returns whether the method has such a policy. If `probabilities` is
     * NULL, the hook does nothing else. */
    bool (*mix_choice)(const Search *search, const MethodUse *use, float *probabilities);

    RootNeed (*root_need)(const Search *search, const MethodUse *use);
    /* Called when the root changes. `left` is the old tree. `kept` is the part of the old tree that
     * stays, or NULL. */
    void (*moved)(Search *search, const MethodUse *use, const Tree *left, const Tree *kept);
    /* Called after the averages of all nodes were computed again in a tree with shared nodes or one
     * that several threads have grown. `order` holds the `count` nodes in use. */
    void (*recomputed)(Search *search, const MethodUse *use, const uint32_t *order, size_t count);
    /* Forgets what the method knows about the root and, if `all` is true, about the nodes of the
     * tree. */
    void (*forget)(Search *search, const MethodUse *use, bool all);
    void (*free)(void *state); /* frees what the state points to */
} SearchMethod;
