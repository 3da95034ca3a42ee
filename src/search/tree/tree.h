/* tree.h - the nodes of one search. They lie in pools, which are arrays that only grow. So the
 * index of a node does not change. Values are White's.
 *
 * From the policy of a node, a descent nearly always needs only the best move that has no node yet.
 * So the policy is packed and unsorted, in two parts. The list has the moves with a prior of at
 * least 1/32, with 10 bits of mantissa. The tail has one byte for each other move, with 4 bits of
 * mantissa. At the root and on small boards all moves are in the list.
 *
 * Threading: confined, unless the tree is `split`, that is, used by several threads. In a split
 * tree, the lock of a node guards the node, its edges and its policy. A thread holds at most two
 * locks: the lock of a parent and, taken after it, the lock of its child. Each thread takes nodes,
 * edges and policies from its own slab of the pools. The pools of a split tree move only in
 * tree_make_room(), while no other thread uses the tree. */
#pragma once
#include "go/position.h"
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define NODE_NONE UINT32_MAX
enum {
    /* A new slab has room for at least this number of visits, even if each visit takes as much as a
     * visit can take. Near the memory limit a slab has room for fewer visits. */
    TREE_SLAB_VISITS = 8,
    /* If the root has this number of visits, the tree counts as full, so that counts do not
     * overflow. */
    TREE_VISITS_MAX = 1 << 30,
};

typedef enum { NODE_NEW, NODE_WAITING, NODE_EXPANDED, NODE_TERMINAL } NodeState;

typedef struct {
    uint32_t child;
    int32_t visits;
    float prior; /* at the root with temperature and noise; -1 if the move may not be searched */
    /* The averages of the child at the last puct_take_child(), so that a parent need not read
     * its children. */
    float weight, weight_sq, utility, utility_sq, win_loss, no_result, score_mean, score_mean_sq,
        lead;
    int16_t move;     /* move_index() */
    uint16_t waiting; /* descents under way along this edge */
} Edge;

/* Each visit that passes through a node reads and writes the first 48 bytes of the node, whose
 * cache lines move from core to core. weight and weight_sq are sums over visits. utility,
 * utility_sq and the members from win_loss to lead are averages. The values own_... come from the
 * net or, if the game is over, from the rules. */
typedef struct {
    atomic_bool locked;
    atomic_uchar arriving; /* threads that wait for the lock to count a visit */
    uint8_t behind;        /* visits counted since the averages were computed */
    uint8_t state, mover;  /* NodeState; Color to move */
    bool has_tail;         /* the policy has a tail */
    uint16_t child_count, child_capacity, listed; /* listed: moves in the list of the policy */
    int32_t visits;
    uint32_t edges, policy; /* where they begin in the pools */
    int32_t next;           /* the best move without a node, packed; 0 if all have nodes */
    float weight, utility, utility_sq, own_utility;
    float visited_policy; /* sum of the priors of all children */
    float weight_sq, win_loss, no_result, score_mean, score_mean_sq, lead;
    float own_win_loss, own_no_result, own_score_mean, own_score_mean_sq, own_lead, own_weight;
} Node;
_Static_assert(offsetof(Node, weight_sq) == 48, "what every visit needs is together");

/* A part of a pool, from which one thread takes elements without a lock. So the elements that one
 * thread writes lie together, and other threads do not share their cache lines. */
typedef struct {
    size_t at, end;
    /* the elements that were left of the previous part, for requests that fit into them */
    size_t rest_at, rest_end;
} Span;
typedef struct {
    Span nodes, policies, edges;
} TreeSlab;

typedef struct {
    Node *nodes;
    int32_t *policies;
    Edge *edges;
    /* The method data, for at most method_capacity nodes. Each node has method_bytes bytes, a
     * multiple of 4, which begin as zeros. This array may move whenever the array of nodes may
     * move. */
    unsigned char *side;
    size_t method_bytes, method_capacity;
    size_t node_capacity, policy_capacity, edge_capacity;
    size_t limit_bytes;
    int move_count; /* moves of the board, the pass included */
    bool shared;    /* a node may have several parents */
    bool split;     /* several threads use the tree: locks are taken */
    bool was_split; /* children may come before their parents, and some nodes are unused */
    atomic_bool full;
    /* The padding keeps the members that change with each visit off the cache lines that all
     * threads read. */
    char apart[64];
    size_t node_count, policy_count, edge_count;
    atomic_bool pools_locked; /* guards the counts while the tree is split */
    char apart_too[64];
} Tree;

void tree_await(const atomic_bool *locked); /* waits until the lock may be free */
static inline void tree_lock(const Tree *tree, uint32_t node) {
    if (!tree->split) return;
    while (atomic_exchange_explicit(&tree->nodes[node].locked, true, memory_order_acquire))
        tree_await(&tree->nodes[node].locked);
}
static inline void tree_unlock(const Tree *tree, uint32_t node) {
    if (!tree->split) return;
    atomic_store_explicit(&tree->nodes[node].locked, false, memory_order_release);
}
/* Locks a node, as tree_lock() does, for a thread that counts a visit there. Returns true if no
 * other thread waits to count a visit there; this thread then has to update the averages. Otherwise
 * the next thread updates them (KataGo, cpp/search: coalesced updates). */
static inline bool tree_lock_to_count(const Tree *tree, uint32_t node) {
    if (!tree->split) return true;
    atomic_fetch_add_explicit(&tree->nodes[node].arriving, 1, memory_order_relaxed);
    tree_lock(tree, node);
    return atomic_fetch_sub_explicit(&tree->nodes[node].arriving, 1, memory_order_relaxed) == 1;
}
/* Makes sure that a visit fits into the slab of a thread; `threads` is the number of threads. If
 * there is too little room, the slab gets another part of the pools. Returns false if the pools
 * have to grow first (tree_make_room()). Any thread may call it. */
bool tree_has_room(Tree *tree, TreeSlab *slab, int threads);
/* Grows the pools so that each thread may take more. No other thread may use the tree. Returns
 * false if the memory limit forbids growth or if there is no memory; the tree is then full. */
bool tree_make_room(Tree *tree, int threads);
/* Gives unused elements of a slab back to the pools. A pool takes them back only if they are the
 * last part of the pool. No other thread may use the tree. */
void tree_give_back(Tree *tree, const TreeSlab *slab);

void tree_clear(Tree *tree); /* keeps the memory */
void tree_free(Tree *tree);
void tree_set_method_bytes(Tree *tree, size_t bytes); /* sets method_bytes of an empty tree */
/* Adds a node and returns its index, or NODE_NONE if the tree is full. Node 0 is the root. */
uint32_t tree_add(Tree *tree, Color mover);
/* Replaces the policy of a node by `policy`, which is indexed by move_index() and has -1 for
 * illegal moves. Children get their new priors, and the other moves are packed. If `whole` is true,
 * all packed moves go to the list. Returns false if the tree is full. */
bool tree_set_policy(Tree *tree, uint32_t node, const float *policy, bool whole);
/* The functions whose names end in _in do the same if the tree may be split. `slab` is the slab of
 * the thread; it is used only if the tree is split. */
bool tree_set_policy_in(Tree *tree, TreeSlab *slab, uint32_t node, const float *policy, bool whole);
/* Writes the policy with the precision of its packed form, by move_index(), with -1 for illegal
 * moves. */
void tree_get_policy(const Tree *tree, uint32_t node, float *policy);
/* The prior of the best move without a node; -1 if all moves have nodes. */
float tree_next_prior(const Node *node);
int tree_next_move(const Node *node); /* the move_index() of the best move without a node */
/* Makes a node for the best move that has no node. Returns the index of its edge, or -1 if the tree
 * is full. */
int tree_add_child(Tree *tree, uint32_t node, Color mover);
int tree_add_child_in(Tree *tree, TreeSlab *slab, uint32_t node, Color mover);
/* Makes a node for the move with index `move`. Returns -1 also if the move has a node or is
 * illegal. */
int tree_add_child_of(Tree *tree, uint32_t node, int move, Color mover);
int tree_add_child_of_in(Tree *tree, TreeSlab *slab, uint32_t node, int move, Color mover);
/* The method data of a node: the data that methods keep for it. */
static inline void *tree_method_data(const Tree *tree, uint32_t node) {
    return tree->side + node * tree->method_bytes;
}
/* Removes the children of the root whose prior is negative, with their visits. */
void tree_drop_illegal(Tree *tree);
/* Clears `out` and copies the subtree of `node` to it. In `out` the node is the root. Parents come
 * before their children in `out`, except for children that several parents share. Returns false if
 * the copy does not fit or there is no memory. */
bool tree_extract(const Tree *tree, uint32_t node, Tree *out);
/* Writes all nodes that can be reached from the root. Children come before their parents, except
 * along cycles. `out` has room for all nodes. Returns the number of nodes written, or 0 if there is
 * no memory. */
size_t tree_order(const Tree *tree, uint32_t *out);
size_t tree_bytes(const Tree *tree); /* memory in use */
