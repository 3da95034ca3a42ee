/* search_method.h - what a method of the search is: a plug-in that changes which moves are looked
 * at, what nodes are worth or what is kept beside them. A method is one constant of type
 * SearchMethod in a file of its own and one row of the table in methods.c; the core of the search
 * calls its hooks and knows no method by name. A hook that a method does not need is NULL.
 *
 * The hooks in the order in which a search calls them:
 *     is_on, node_bytes, configure    when the settings have changed
 *     begin, root_priors              before a search
 *     aside, prepare, term, arrive    at each node of a descent
 *     ask, expanded, priors           for a new leaf; root_expanded for the root
 *     sum, updated, visited           when the visit is counted
 *     move_bonus, mix_choice          also in the report
 *     root_need, moved, forget, free  when the root changes and in the end
 *
 * Threading: the constants are immutable. Hooks from begin to visited may run in several threads
 * if `splits`: then only under the lock of the node that they look at. */
#pragma once
#include "base/rng.h"
#include "eval/evaluators/evaluator.h"
#include "search/tree/search_settings.h"
#include "search/tree/tree.h"

typedef struct Search Search;           /* search_private.h */
typedef struct Frame Frame;             /* puct.h */
typedef struct PendingLeaf PendingLeaf; /* search_private.h */
typedef struct MethodUse MethodUse;

/* The choice of a move at one node, as far as it is the same for all moves. */
typedef struct {
    const Search *search;
    const SearchSettings *settings;
    const Frame *frame;
    const Tree *tree;
    const Position *position; /* that of the node */
    uint32_t at;              /* the node */
    const Node *node;
    const Edge *edges; /* its children */
    Rng *rng;
    bool root;
    double side;        /* 1 where White moves, -1 where Black does */
    double total;       /* weight of all moves, descents under way included */
    double exploration; /* E of  s U + E P / (1 + w) */
    double unvisited;   /* White's value of a move without a visit */
    int most_visited;   /* the edge with the most visits; -1: none has any */
    double max_weight;  /* the largest of the moves' */
    /* The following are set at the root alone. */
    double weight_per_visit; /* of the root */
    int64_t visits_left;     /* what the limits leave; -1: nobody knows */
} Choice;

/* One move in that choice. It is worth  value + exploration * prior / (1 + weight). */
typedef struct {
    int move;  /* move_index() */
    int index; /* its edge; -1: the move has no node yet */
    double prior;
    double value; /* of the mover */
    double weight, exploration;
} Term;

/* A child as it counts in its parent's averages. */
typedef struct {
    double weight, side_utility, prior;
    const Edge *edge;
} ChildStatistics;

/* Sums over a node's own value and its children; all but the first two are times the weight. */
typedef struct {
    double weight, weight_sq, win_loss, no_result, score_mean, score_mean_sq, lead, utility,
        utility_sq;
} NodeSums;

/* A node whose averages are brought up to date. */
typedef struct {
    const Frame *frame;
    Tree *tree;
    uint32_t at;
    bool root;
    const ChildStatistics *children; /* those with weight, after pruning */
    int count;
} NodeUpdate;

/* What a method wants of the evaluation of a root that was kept. */
typedef enum {
    ROOT_IS_FINE,
    ROOT_WAS_INNER, /* It must be asked again, as it was asked as an inner node. */
    ROOT_LACKS,     /* It must be asked again, as it lacks what the settings want now. */
} RootNeed;

typedef struct {
    const char *name;
    /* Whether the settings, or what was put into the state, turn it on. */
    bool (*is_on)(const SearchSettings *settings, const void *state);
    bool splits;        /* Several threads may be in its hooks at once, each under a node's lock. */
    bool root_only;     /* Its `term` is asked at the root alone. */
    bool in_puct;       /* puct_select() has its `term` too, so that it needs no other choice. */
    int memory_eighths; /* eighths of the tree's memory that its own tables may take */
    size_t state_bytes; /* its own data of one search, zeroed at first */
    /* What it keeps beside each node, zeroed at first. Such a method is never split, as the pool of
     * these bytes moves when it grows. */
    size_t (*node_bytes)(const SearchSettings *settings);

    /* After the settings changed, also where the method is off now. */
    void (*configure)(Search *search, const MethodUse *use);
    /* Before a search: whether the method does anything in it. It may clear the tree. */
    bool (*begin)(Search *search, const MethodUse *use);
    /* Changes the priors of the root before each search; illegal moves have -1. */
    void (*root_priors)(const Search *search, const MethodUse *use, float *policy);

    /* Chooses by other rules than value and prior: an edge, child_count for the best move without a
     * node, or -1: not this time. */
    int (*choose_edge)(Search *search, const MethodUse *use, PendingLeaf *leaf, uint32_t at);
    /* A number that `term` needs and that is the same for all moves of the node. */
    double (*prepare)(const Choice *choice, const MethodUse *use);
    /* Changes what one move is worth; `edge` is NULL where the move has no node. true: term->value
     * is what it is worth, and no further method is asked. */
    bool (*term)(const Choice *choice, const MethodUse *use, double prepared, const Edge *edge,
                 Term *term);
    /* A move was played along an edge of `from`: it may lead the edge to another node. Whether the
     * descent ends there. */
    bool (*arrive)(Search *search, const MethodUse *use, const PendingLeaf *leaf, uint32_t from,
                   Edge *edge);

    /* Adds what the evaluation of a node must bring; `depth` counts plies below the root. */
    void (*request)(const Search *search, const MethodUse *use, Color mover, int depth,
                    EvaluationOptions *options);
    /* A node, the last of the leaf's path, has got its evaluation. */
    void (*expanded)(Search *search, const MethodUse *use, const PendingLeaf *leaf,
                     const Evaluation *evaluation);
    /* Changes the policy of a new node before it is kept. */
    void (*priors)(const Search *search, const MethodUse *use, const Position *position, bool root,
                   float *policy);
    /* The root has got its evaluation, for the first time or once more. */
    void (*root_expanded)(Search *search, const MethodUse *use, const Evaluation *evaluation);

    /* Changes the sums before they become averages. */
    void (*sum)(const MethodUse *use, const NodeUpdate *update, NodeSums *sums);
    /* After the averages of a node were set. */
    void (*updated)(const MethodUse *use, const NodeUpdate *update);
    /* After a visit was counted along a path; `evaluation` is NULL at the end of a game. */
    void (*visited)(Search *search, const MethodUse *use, const PendingLeaf *leaf,
                    const Evaluation *evaluation);

    /* White's utility that a move of the root has besides what was found below it. */
    double (*move_bonus)(const Search *search, const MethodUse *use, const Edge *edge);
    /* Mixes into the shares, by move_index(), from which the move is chosen. false: it has nothing
     * to say. `shares` NULL: only tells whether it has. */
    bool (*mix_choice)(const Search *search, const MethodUse *use, float *shares);

    RootNeed (*root_need)(const Search *search, const MethodUse *use);
    /* The root moved: `left` is the old tree and `kept` the part of it that goes on; NULL: none. */
    void (*moved)(Search *search, const MethodUse *use, const Tree *left, const Tree *kept);
    /* The numbers of single nodes in the tree have changed: `order` holds the nodes in use. */
    void (*recomputed)(Search *search, const MethodUse *use, const uint32_t *order, size_t count);
    /* What is known of the root is no longer so. `all`: nor is what is known of the tree. */
    void (*forget)(Search *search, const MethodUse *use, bool all);
    void (*free)(void *state); /* what the state points to */
} SearchMethod;
