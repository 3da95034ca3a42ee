/* tree.h - the nodes of one search in index pools: ids are positions in arrays that only grow.
 * Values are White's. A search only ever asks a policy for the best move without a node, so the
 * policy is kept packed and unsorted: moves of at least 1/32 (on small boards all moves) with 10
 * bits of mantissa, the others as one byte each, 1/16 of an octave apart. All moves of the root are
 * kept the first way.
 * Threading: confined, or `split`: then a node's lock guards the node, its edges and its policy,
 * and a thread holds at most the lock of a parent and then that of its child. Each thread takes
 * nodes, edges and policies from a slab of the pools of its own. Pools do not move while the tree
 * is split: tree_make_room() makes them large enough before. */
#pragma once
#include "go/position.h"
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define NODE_NONE UINT32_MAX
enum {
    /* A thread's slab has what so many visits take at most. */
    TREE_SLAB_VISITS = 8,
    /* A root with so many visits makes the tree full, before counts overflow. */
    TREE_VISITS_MAX = 1 << 30,
};

typedef enum { NODE_NEW, NODE_WAITING, NODE_EXPANDED, NODE_TERMINAL } NodeState;

typedef struct {
    uint32_t child;
    int32_t visits;
    float prior; /* at the root after temperature and noise; -1: the move turned out illegal */
    /* The averages of the child as the last puct_take_child() found them, so that a parent need not
     * look at its children. */
    float weight, weight_sq, utility, utility_sq, win_loss, no_result, score_mean, score_mean_sq,
        lead;
    int16_t move;     /* move_index() */
    uint16_t waiting; /* descents under way */
} Edge;

/* The first 48 bytes are what every visit that passes reads and writes: they go from core to core.
 * weight and weight_sq are sums, utility to lead are averages; own_ values are those of the net, or
 * of the end of the game. */
typedef struct {
    atomic_bool locked;
    atomic_uchar arriving; /* threads that come with a visit to count */
    uint8_t behind;        /* visits that the averages do not have yet */
    uint8_t state, mover;  /* NodeState; Color to move */
    bool has_tail;         /* bytes of small priors follow the list */
    uint16_t child_count, child_capacity, listed;
    int32_t visits;
    uint32_t edges, policy; /* places in the pools */
    int32_t next;           /* the best move without a node, packed; 0: there is none */
    float weight, utility, utility_sq, own_utility;
    float visited_policy; /* priors of all children */
    float weight_sq, win_loss, no_result, score_mean, score_mean_sq, lead;
    float own_win_loss, own_no_result, own_score_mean, own_score_mean_sq, own_lead, own_weight;
} Node;
_Static_assert(offsetof(Node, weight_sq) == 48, "what every visit needs is together");

/* The slab of the pools that a thread may take from without asking. What it writes lies together,
 * and other threads neither wait for it nor slab its cache lines. */
typedef struct {
    size_t at, end;
    size_t rest_at, rest_end; /* what was left of the slab before, for requests that fit there */
} Span;
typedef struct {
    Span nodes, policies, edges;
} TreeSlab;

typedef struct {
    Node *nodes;
    int32_t *policies;
    Edge *edges;
    unsigned char *side; /* method_bytes of each node, zeroed at first, that methods keep data in */
    size_t method_bytes, method_capacity; /* method_bytes is a multiple of 4 */
    size_t node_capacity, policy_capacity, edge_capacity;
    size_t limit_bytes;
    int move_count; /* of the board, the pass included */
    bool shared;    /* Several parents may have one child. */
    bool split;     /* Several threads are on the tree: locks are taken. */
    bool was_split; /* Children may come before their parents, and some nodes belong to nobody. */
    atomic_bool full;
    /* What follows changes with each visit: it shares no cache line with what all threads read. */
    char apart[64];
    size_t node_count, policy_count, edge_count;
    atomic_bool pools_locked; /* It guards the counts while the tree is split. */
    char apart_too[64];
} Tree;

void tree_await(const atomic_bool *locked); /* Waits until the lock may be free. */
static inline void tree_lock(const Tree *tree, uint32_t node) {
    if (!tree->split) return;
    while (atomic_exchange_explicit(&tree->nodes[node].locked, true, memory_order_acquire))
        tree_await(&tree->nodes[node].locked);
}
static inline void tree_unlock(const Tree *tree, uint32_t node) {
    if (!tree->split) return;
    atomic_store_explicit(&tree->nodes[node].locked, false, memory_order_release);
}
/* As tree_lock(), by a thread that counts a visit there. true: no other thread comes after it, so
 * that it has to bring the averages up to date; else the next one will (KataGo, cpp/search:
 * coalesced updates). */
static inline bool tree_lock_to_count(const Tree *tree, uint32_t node) {
    if (!tree->split) return true;
    atomic_fetch_add_explicit(&tree->nodes[node].arriving, 1, memory_order_relaxed);
    tree_lock(tree, node);
    return atomic_fetch_sub_explicit(&tree->nodes[node].arriving, 1, memory_order_relaxed) == 1;
}
/* Whether a visit surely fits into the slab of one of `threads`; the slab gets more of the pools if
 * it needs it. Any thread may call it. */
bool tree_has_room(Tree *tree, TreeSlab *slab, int threads);
/* Grows the pools so that each thread may get more. The caller must be alone on the tree. false:
 * the limit forbids it, and the tree is full. */
bool tree_make_room(Tree *tree, int threads);
/* Gives back what is left of a slab if it is the last part of a pool. The caller must be alone. */
void tree_give_back(Tree *tree, const TreeSlab *slab);

void tree_clear(Tree *tree); /* keeps the memory */
void tree_free(Tree *tree);
void tree_set_method_bytes(Tree *tree, size_t bytes); /* of an empty tree */
/* A new node, or NODE_NONE when there is no room: then the tree is full. Node 0 is the root. */
uint32_t tree_add(Tree *tree, Color mover);
/* Replaces the policy of a node: `policy` by move_index(), illegal -1. Children get their new
 * priors; the other moves are kept for later, all of them with 10 bits if `whole`. false: full. */
bool tree_set_policy(Tree *tree, uint32_t node, const float *policy, bool whole);
/* The same, and so below, where the tree may be split: `slab` is the slab of the thread. It is not
 * looked at where the tree is not split. */
bool tree_set_policy_in(Tree *tree, TreeSlab *slab, uint32_t node, const float *policy, bool whole);
/* The policy as it is kept, by move_index(); -1: illegal. */
void tree_get_policy(const Tree *tree, uint32_t node, float *policy);
/* Prior of the best move without a node; -1: there is none. */
float tree_next_prior(const Node *node);
int tree_next_move(const Node *node); /* its move_index() */
/* Makes a node for that move. Index of its edge, or -1: full. */
int tree_add_child(Tree *tree, uint32_t node, Color mover);
int tree_add_child_in(Tree *tree, TreeSlab *slab, uint32_t node, Color mover);
/* The same for a given move (move_index()). -1: full, or the move has a node or is illegal. */
int tree_add_child_of(Tree *tree, uint32_t node, int move, Color mover);
int tree_add_child_of_in(Tree *tree, TreeSlab *slab, uint32_t node, int move, Color mover);
/* The data that methods keep beside a node. */
static inline void *tree_method_data(const Tree *tree, uint32_t node) {
    return tree->side + node * tree->method_bytes;
}
/* Forgets the children of the root whose prior is negative, and their visits. */
void tree_drop_illegal(Tree *tree);
/* Copies the subtree of `node` to `out`, which is cleared before and where the node is the root.
 * Parents come before their children there, unless they slab them. false: no room. */
bool tree_extract(const Tree *tree, uint32_t node, Tree *out);
/* All nodes that the root leads to, children before their parents (but for those that lead back).
 * `out`: room for all nodes. Returns how many; 0: no memory. */
size_t tree_order(const Tree *tree, uint32_t *out);
size_t tree_bytes(const Tree *tree); /* in use */
