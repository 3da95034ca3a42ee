/* The memory of a tree consists of three pools, each of them one array:
 * 1. nodes: a child gets its node when a descent first reaches it.
 * 2. edges: the edges of a node lie together. If they need more room, they move to a new place of
 *    twice the size. The old place stays unused until the subtree is extracted.
 * 3. policies: first a node's tail with its small priors, then its list with the larger priors (see
 *    tree.h). When a move gets a node, it is removed from the tail or the list.
 * While one thread uses the tree, it takes elements from the end of a pool, which grows within the
 * memory limit. If several threads use the tree (a split tree), each thread takes elements from its
 * own slab, which is a part of the pools. tree_has_room() refills the slab under the lock of the
 * pools. tree_make_room() lets the pools grow while no other thread uses the tree. After a move,
 * tree_extract() copies the part of the tree that stays into a second tree, without gaps. */
#include "search/tree/tree.h"

#include <assert.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { LIST_ALL_MAX_MOVES = 128, MIN_EXPONENT = 127 - 31, TAIL_BASE = (127 - 21) * 16 };
#define LIST_MIN_PRIOR (1.0f / 32)

void tree_clear(Tree *tree) {
    tree->node_count = tree->policy_count = tree->edge_count = 0;
    tree->full = tree->was_split = false;
}

void tree_free(Tree *tree) {
    free(tree->nodes);
    free(tree->policies);
    free(tree->edges);
    free(tree->side);
    *tree = (Tree){0};
}

void tree_set_method_bytes(Tree *tree, size_t bytes) {
    if (bytes == tree->method_bytes) return;
    free(tree->side);
    tree->side = NULL;
    tree->method_capacity = 0;
    tree->method_bytes = bytes;
}

size_t tree_bytes(const Tree *tree) {
    return tree->node_count * (sizeof *tree->nodes + tree->method_bytes) +
           tree->policy_count * sizeof *tree->policies + tree->edge_count * sizeof *tree->edges;
}

/* On x86, waits for slightly less than 0.1 us. Meanwhile the other hardware thread can use the
 * core. */
static void pause_core(void) {
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
}

/* A thread holds a lock for at most a few microseconds; the longest work under a lock is to update
 * the averages of a root. So a waiting thread first waits about this long. Only then it yields its
 * processor, because on a busy machine it may get the processor back only after milliseconds. */
void tree_await(const atomic_bool *locked) {
    enum { PAUSES = 200 };
    for (int tries = 0; atomic_load_explicit(locked, memory_order_relaxed); tries++) {
        if (tries < PAUSES)
            pause_core();
        else
            sched_yield(); /* the thread that holds the lock may have no processor */
    }
}

static void lock_pools(Tree *tree) {
    while (atomic_exchange_explicit(&tree->pools_locked, true, memory_order_acquire))
        tree_await(&tree->pools_locked);
}

static void unlock_pools(Tree *tree) {
    atomic_store_explicit(&tree->pools_locked, false, memory_order_release);
}

typedef struct {
    void *array; /* points to the array of the pool */
    size_t *used, *capacity, size;
    Span *own; /* the part of the pool in the caller's slab; used only if the tree is split,
                * otherwise may be NULL */
} Pool;

static Pool nodes_of(Tree *tree, TreeSlab *slab) {
    return (Pool){&tree->nodes, &tree->node_count, &tree->node_capacity, sizeof *tree->nodes,
                  slab ? &slab->nodes : NULL};
}

static Pool edges_of(Tree *tree, TreeSlab *slab) {
    return (Pool){&tree->edges, &tree->edge_count, &tree->edge_capacity, sizeof *tree->edges,
                  slab ? &slab->edges : NULL};
}

static Pool policies_of(Tree *tree, TreeSlab *slab) {
    return (Pool){&tree->policies, &tree->policy_count, &tree->policy_capacity,
                  sizeof *tree->policies, slab ? &slab->policies : NULL};
}

/* Makes room for `more` elements of a pool, within the memory limit. */
static bool reserve_in_pool(Tree *tree, Pool pool, size_t more) {
    bool within =
        tree_bytes(tree) + more * pool.size <= tree->limit_bytes && *pool.used + more < UINT32_MAX;
    if (!within || (*pool.used + more > *pool.capacity &&
                    mem_grow(pool.array, pool.capacity, *pool.used + more, pool.size, NULL)))
        return false;
    return true;
}

/* Takes `more` elements from *at .. end. Returns false if fewer elements are left. */
static bool take_from_span(size_t *at, size_t end, size_t more, size_t *out) {
    *out = *at;
    if (*at + more > end) return false;
    *at += more;
    return true;
}

/* Takes `more` elements of a pool and returns where they begin, or NODE_NONE if the tree is
 * full. */
static uint32_t take_from_pool(Tree *tree, Pool pool, size_t more) {
    Span *own = pool.own;
    size_t at = 0;
    bool fits;
    assert(!tree->split || own);
    if (tree->split) {
        fits = take_from_span(&own->rest_at, own->rest_end, more, &at) ||
               take_from_span(&own->at, own->end, more, &at);
    } else {
        fits = reserve_in_pool(tree, pool, more) &&
               take_from_span(pool.used, *pool.capacity, more, &at);
    }
    if (!fits) atomic_store_explicit(&tree->full, true, memory_order_relaxed);
    return fits ? (uint32_t)at : NODE_NONE;
}

static size_t tail_size(const Tree *tree) {
    return ((size_t)tree->move_count + 3) / 4;
}

/* A visit takes at most one node, a new place for the edges of one node with all its moves, and one
 * policy. */
static size_t visit_edges(const Tree *tree) {
    return (size_t)tree->move_count;
}

static size_t visit_policies(const Tree *tree) {
    return (size_t)tree->move_count + tail_size(tree);
}

/* Returns the number of visits for which the slab of each of `threads` threads should have room.
 * The number is smaller near the memory limit; 0 means that the tree is full. It depends on the
 * memory limit. It does not depend on the capacities of the pools, because pools grow by more than
 * is requested. */
static size_t slab_visits(const Tree *tree, int threads) {
    size_t used = tree_bytes(tree), left = tree->limit_bytes > used ? tree->limit_bytes - used : 0;
    size_t visit = sizeof *tree->nodes + tree->method_bytes +
                   visit_edges(tree) * sizeof *tree->edges +
                   visit_policies(tree) * sizeof *tree->policies;
    size_t each = left / visit / (size_t)threads;
    size_t wanted = each / 16 < TREE_SLAB_VISITS ? each / 16 : TREE_SLAB_VISITS;
    return wanted >= 2 ? wanted : each < 2 ? each : 2;
}

/* How many nodes a slab has. Most visits take one node, but only a small part of the edges and
 * policies that a visit may take. So the edges and policies of a slab are enough for more than
 * `visits` visits, and these visits need more nodes. */
static size_t slab_nodes(size_t visits) {
    return visits > 1 ? 4 * visits : 1;
}

static bool slab_has_visit(const Tree *tree, const TreeSlab *slab) {
    return slab->nodes.at < slab->nodes.end &&
           slab->edges.end - slab->edges.at >= visit_edges(tree) &&
           slab->policies.end - slab->policies.at >= visit_policies(tree);
}

/* Makes sure that the thread's part of a pool has at least `min` unused elements. If it has fewer,
 * it gets `more` elements: at its end if it is the last part of the pool, otherwise as a new part.
 * Returns false if the pool has to grow first. */
static bool refill_span(Pool pool, size_t min, size_t more) {
    if (pool.own->end - pool.own->at >= min) return true;
    if (*pool.used + more > *pool.capacity || *pool.used + more >= UINT32_MAX) return false;
    if (pool.own->end != *pool.used) *pool.own = (Span){*pool.used, 0, pool.own->at, pool.own->end};
    *pool.used += more;
    pool.own->end = *pool.used;
    return true;
}

/* Whether the array of method data has room for `nodes` nodes. */
static bool side_fits(const Tree *tree, size_t nodes) {
    return !tree->method_bytes || nodes <= tree->method_capacity;
}

/* If a slab has no node left, takes nodes for it. Clears these nodes and their method data. Returns
 * false if the pools have to grow first. */
static bool refill_nodes(Tree *tree, TreeSlab *slab, size_t more) {
    size_t before = tree->node_count;
    if (slab->nodes.end == slab->nodes.at && !side_fits(tree, before + more)) return false;
    if (!refill_span(nodes_of(tree, slab), 1, more)) return false;
    size_t taken = tree->node_count - before;
    if (taken) memset(tree->nodes + before, 0, taken * sizeof *tree->nodes);
    if (taken && tree->method_bytes)
        memset(tree_method_data(tree, (uint32_t)before), 0, taken * tree->method_bytes);
    return true;
}

bool tree_has_room(Tree *tree, TreeSlab *slab, int threads) {
    if (slab_has_visit(tree, slab)) return true;
    lock_pools(tree);
    size_t visits = slab_visits(tree, threads);
    bool fits =
        visits && refill_nodes(tree, slab, slab_nodes(visits)) &&
        refill_span(edges_of(tree, slab), visit_edges(tree), visits * visit_edges(tree)) &&
        refill_span(policies_of(tree, slab), visit_policies(tree), visits * visit_policies(tree));
    unlock_pools(tree);
    return fits;
}

/* Makes room for the method data of `more` further nodes. */
static bool reserve_side(Tree *tree, size_t more) {
    if (side_fits(tree, tree->node_count + more)) return true;
    return !mem_grow(&tree->side, &tree->method_capacity, tree->node_count + more,
                     tree->method_bytes, NULL);
}

bool tree_make_room(Tree *tree, int threads) {
    size_t visits = slab_visits(tree, threads), slabs = (size_t)threads;
    bool fits =
        visits && reserve_in_pool(tree, nodes_of(tree, NULL), slabs * slab_nodes(visits)) &&
        reserve_side(tree, slabs * slab_nodes(visits)) &&
        reserve_in_pool(tree, edges_of(tree, NULL), slabs * visits * visit_edges(tree)) &&
        reserve_in_pool(tree, policies_of(tree, NULL), slabs * visits * visit_policies(tree));
    if (!fits) atomic_store_explicit(&tree->full, true, memory_order_relaxed);
    return fits;
}

static void return_span(Pool pool) {
    if (pool.own->end == *pool.used) *pool.used = pool.own->at;
}

void tree_give_back(Tree *tree, const TreeSlab *slab) {
    TreeSlab left = *slab;
    return_span(nodes_of(tree, &left));
    return_span(edges_of(tree, &left));
    return_span(policies_of(tree, &left));
}

/* Makes sure that the array of edges exists. The first node points into this array even while the
 * node has no edges. */
static bool has_first_edge(Tree *tree) {
    bool has = tree->edges || reserve_in_pool(tree, edges_of(tree, NULL), 1);
    if (!has) atomic_store_explicit(&tree->full, true, memory_order_relaxed);
    return has;
}

static uint32_t add_node(Tree *tree, TreeSlab *slab, Color mover) {
    uint32_t at = has_first_edge(tree) ? take_from_pool(tree, nodes_of(tree, slab), 1) : NODE_NONE;
    if (at == NODE_NONE) return NODE_NONE;
    if (tree->method_bytes && !tree->split) { /* refill_nodes() has done this in a split tree */
        if (mem_grow(&tree->side, &tree->method_capacity, (size_t)at + 1, tree->method_bytes,
                     NULL)) {
            atomic_store_explicit(&tree->full, true, memory_order_relaxed);
            tree->node_count--;
            return NODE_NONE;
        }
        memset(tree_method_data(tree, at), 0, tree->method_bytes);
    }
    tree->nodes[at] = (Node){.mover = (uint8_t)mover};
    return at;
}

uint32_t tree_add(Tree *tree, Color mover) {
    return add_node(tree, NULL, mover);
}

/* Packs a move of the list into one number: 5 bits of exponent and 10 bits of mantissa of the
 * prior, then 16 bits of 65535 - move. A larger prior gives a larger number; of two moves with
 * equal priors, the smaller move gives the larger number. A prior of at most 2^-31 counts as 0. */
static int32_t pack_listed(float prior, int move) {
    uint32_t bits;
    memcpy(&bits, &prior, sizeof bits);
    bits = (bits + (1u << 12)) >> 13;
    uint32_t min = (uint32_t)MIN_EXPONENT << 10, max = min + 0x7fff;
    if (bits > max) bits = max;
    return (int32_t)((bits <= min ? 0 : bits - min) << 16 | (uint32_t)(65535 - move));
}

static float listed_prior(int32_t packed) {
    uint32_t bits = (uint32_t)packed >> 16;
    float prior;
    if (!bits) return 0;
    bits = (bits + ((uint32_t)MIN_EXPONENT << 10)) << 13;
    memcpy(&prior, &bits, sizeof prior);
    return prior;
}

static int listed_move(int32_t packed) {
    return 65535 - (packed & 65535);
}

/* Packs a prior of the tail into a byte: 4 bits of exponent, which begin at 2^-21, and 4 bits of
 * mantissa. The byte 0 means that the tail does not have the move. */
static uint8_t pack_tail_prior(float prior) {
    uint32_t bits;
    memcpy(&bits, &prior, sizeof bits);
    int level = (int)((bits + (1u << 18)) >> 19) - TAIL_BASE;
    return (uint8_t)(level < 0 ? 1 : level > 254 ? 255 : level + 1);
}

static float unpack_tail_prior(uint8_t byte) {
    uint32_t bits = (uint32_t)(byte - 1 + TAIL_BASE) << 19;
    float prior;
    memcpy(&prior, &bits, sizeof prior);
    return prior;
}

/* The tail comes before the list, so that the list may shrink. */
static uint8_t *tail_of(const Tree *tree, const Node *node) {
    return (uint8_t *)(tree->policies + node->policy);
}

static int32_t *list_of(const Tree *tree, const Node *node) {
    return tree->policies + node->policy + (node->has_tail ? tail_size(tree) : 0);
}

/* Returns the best move of the list or, if the list is empty, of the tail, in the form of
 * pack_listed(). Returns 0 if there is no move. */
static int32_t best_without_node(const Tree *tree, const Node *node) {
    if (!node->listed && !node->has_tail) return 0;
    const int32_t *list = list_of(tree, node);
    int32_t best = 0;
    for (int i = 0; i < node->listed; i++)
        best = list[i] > best ? list[i] : best;
    if (node->listed || !node->has_tail) return best;
    const uint8_t *tail = tail_of(tree, node);
    uint8_t max = 0;
    for (int i = 0; i < tree->move_count; i++)
        max = tail[i] > max ? tail[i] : max;
    if (!max) return 0;
    int move = 0;
    while (tail[move] != max)
        move++;
    return pack_listed(unpack_tail_prior(max), move);
}

float tree_next_prior(const Node *node) {
    return node->next ? listed_prior(node->next) : -1;
}

int tree_next_move(const Node *node) {
    return listed_move(node->next);
}

static void remove_next(const Tree *tree, Node *node) {
    uint8_t *small = node->has_tail ? tail_of(tree, node) + listed_move(node->next) : NULL;
    if (!small || !*small) {
        int32_t *list = list_of(tree, node);
        int at = 0;
        while (list[at] != node->next)
            at++;
        list[at] = list[--node->listed];
    } else {
        *small = 0;
    }
    node->next = best_without_node(tree, node);
}

/* Makes room for a policy with `left` moves in the list and perhaps a tail. */
static bool reserve_policy(Tree *tree, TreeSlab *slab, Node *node, int left, bool tail) {
    if (!tail && !node->has_tail && node->listed && node->listed >= left)
        return true; /* it fits in its old place */
    uint32_t at =
        take_from_pool(tree, policies_of(tree, slab), (size_t)left + (tail ? tail_size(tree) : 0));
    if (at == NODE_NONE) return false;
    node->policy = at;
    return true;
}

bool tree_set_policy(Tree *tree, uint32_t index, const float *policy, bool whole) {
    return tree_set_policy_in(tree, NULL, index, policy, whole);
}

bool tree_set_policy_in(Tree *tree, TreeSlab *slab, uint32_t index, const float *policy,
                        bool whole) {
    Node *node = &tree->nodes[index];
    Edge *edges = tree->edges + node->edges;
    bool tail = !whole && tree->move_count > LIST_ALL_MAX_MOVES;
    float min = tail ? LIST_MIN_PRIOR : 0, left[MOVES_MAX];
    int listed = 0;
    memcpy(left, policy, (size_t)tree->move_count * sizeof *left);
    node->visited_policy = 0;
    for (int i = 0; i < node->child_count; i++) {
        edges[i].prior = policy[edges[i].move];
        node->visited_policy += fmaxf(0, edges[i].prior);
        left[edges[i].move] = -1;
    }
    for (int i = 0; i < tree->move_count; i++)
        listed += left[i] >= min;
    if (!reserve_policy(tree, slab, node, listed, tail)) return false;
    node->has_tail = tail;
    node->listed = 0;
    node->next = 0;
    if (!listed && !tail) return true;
    int32_t *list = list_of(tree, node);
    for (int i = 0; i < tree->move_count; i++) {
        if (left[i] >= min) list[node->listed++] = pack_listed(left[i], i);
    }
    uint8_t *bytes = tail_of(tree, node);
    for (int i = 0; tail && i < tree->move_count; i++)
        bytes[i] = left[i] < 0 || left[i] >= min ? 0 : pack_tail_prior(left[i]);
    node->next = best_without_node(tree, node);
    return true;
}

void tree_get_policy(const Tree *tree, uint32_t index, float *policy) {
    const Node *node = &tree->nodes[index];
    const uint8_t *tail = node->has_tail ? tail_of(tree, node) : NULL;
    for (int i = 0; i < tree->move_count; i++)
        policy[i] = tail && tail[i] ? unpack_tail_prior(tail[i]) : -1;
    for (int i = 0; i < node->listed; i++) {
        int32_t packed = list_of(tree, node)[i];
        policy[listed_move(packed)] = listed_prior(packed);
    }
    for (int i = 0; i < node->child_count; i++) {
        const Edge *edge = &tree->edges[node->edges + (uint32_t)i];
        policy[edge->move] = edge->prior;
    }
}

static bool grow_edges(Tree *tree, TreeSlab *slab, uint32_t index) {
    uint16_t capacity = tree->nodes[index].child_capacity;
    int twice = capacity * 2, max = tree->move_count;
    uint16_t grown = (uint16_t)(!capacity ? 1 : twice < max ? twice : max);
    uint32_t at = take_from_pool(tree, edges_of(tree, slab), grown);
    if (at == NODE_NONE) return false;
    Node *node = &tree->nodes[index];
    if (node->child_count)
        memcpy(tree->edges + at, tree->edges + node->edges,
               node->child_count * sizeof *tree->edges);
    node->edges = at;
    node->child_capacity = grown;
    return true;
}

int tree_add_child(Tree *tree, uint32_t index, Color mover) {
    return tree_add_child_in(tree, NULL, index, mover);
}

int tree_add_child_in(Tree *tree, TreeSlab *slab, uint32_t index, Color mover) {
    if (tree->nodes[index].child_count == tree->nodes[index].child_capacity &&
        !grow_edges(tree, slab, index))
        return -1;
    uint32_t child = add_node(tree, slab, mover);
    if (child == NODE_NONE) return -1;
    Node *node = &tree->nodes[index];
    Edge *edge = &tree->edges[node->edges + node->child_count];
    *edge = (Edge){.child = child,
                   .prior = listed_prior(node->next),
                   .move = (int16_t)listed_move(node->next)};
    node->visited_policy += edge->prior;
    remove_next(tree, node);
    return node->child_count++;
}

/* Returns the move with index `move`, in the form of pack_listed(), if it has no node yet. Returns
 * 0 if the move has a node or is illegal. */
static int32_t find_without_node(const Tree *tree, const Node *node, int move) {
    if (!node->next) return 0;
    const int32_t *list = list_of(tree, node);
    for (int i = 0; i < node->listed; i++) {
        if (listed_move(list[i]) == move) return list[i];
    }
    uint8_t byte = node->has_tail ? tail_of(tree, node)[move] : 0;
    return byte ? pack_listed(unpack_tail_prior(byte), move) : 0;
}

int tree_add_child_of(Tree *tree, uint32_t index, int move, Color mover) {
    return tree_add_child_of_in(tree, NULL, index, move, mover);
}

int tree_add_child_of_in(Tree *tree, TreeSlab *slab, uint32_t index, int move, Color mover) {
    int32_t best = tree->nodes[index].next,
            wanted = find_without_node(tree, &tree->nodes[index], move);
    if (!wanted) return -1;
    tree->nodes[index].next = wanted;
    int edge = tree_add_child_in(tree, slab, index, mover);
    if (edge < 0) tree->nodes[index].next = best;
    return edge;
}

void tree_drop_illegal(Tree *tree) {
    Node *root = tree->nodes;
    Edge *edges = tree->edges + root->edges;
    uint16_t kept = 0;
    int32_t visits = 1;
    for (int i = 0; i < root->child_count; i++) {
        if (edges[i].prior < 0) continue;
        visits += edges[i].visits;
        edges[kept++] = edges[i];
    }
    if (kept < root->child_count) root->visits = visits;
    root->child_count = kept;
}

/* Copies one node with its policy and edges; the edges still lead to nodes of the old tree. */
static bool copy_node(const Tree *tree, uint32_t from, Tree *out) {
    const Node *node = &tree->nodes[from];
    size_t policy =
        node->state == NODE_EXPANDED ? node->listed + (node->has_tail ? tail_size(tree) : 0) : 0;
    uint32_t to = tree_add(out, (Color)node->mover);
    uint32_t policy_at = to == NODE_NONE ? to : take_from_pool(out, policies_of(out, NULL), policy);
    uint32_t edges_at = policy_at == NODE_NONE
                            ? NODE_NONE
                            : take_from_pool(out, edges_of(out, NULL), node->child_count);
    if (edges_at == NODE_NONE) return false;
    Node *copy = &out->nodes[to];
    *copy = *node;
    if (tree->method_bytes)
        memcpy(tree_method_data(out, to), tree_method_data(tree, from), tree->method_bytes);
    copy->policy = policy_at;
    copy->edges = edges_at;
    copy->child_capacity = node->child_count;
    if (policy)
        memcpy(out->policies + policy_at, tree->policies + node->policy,
               policy * sizeof *out->policies);
    if (node->child_count)
        memcpy(out->edges + edges_at, tree->edges + node->edges,
               node->child_count * sizeof *out->edges);
    return true;
}

bool tree_extract(const Tree *tree, uint32_t node, Tree *out) {
    tree_clear(out);
    out->limit_bytes = tree->limit_bytes;
    tree_set_method_bytes(out, tree->method_bytes);
    out->move_count = tree->move_count;
    uint32_t *copies = NULL; /* index of the copy of each node, plus 1; only if nodes are shared */
    if (tree->shared && mem_new(tree->node_count, sizeof *copies, &copies, NULL)) return false;
    bool fits = copy_node(tree, node, out);
    if (copies) copies[node] = 1;
    for (uint32_t at = 0; at < out->node_count && fits; at++) {
        for (uint16_t i = 0; i < out->nodes[at].child_count && fits; i++) {
            uint32_t old = out->edges[out->nodes[at].edges + i].child,
                     fresh = (uint32_t)out->node_count;
            if (copies && copies[old])
                fresh = copies[old] - 1;
            else
                fits = copy_node(tree, old, out);
            if (copies) copies[old] = fresh + 1;
            out->edges[out->nodes[at].edges + i].child = fresh;
        }
    }
    free(copies);
    return fits;
}

size_t tree_order(const Tree *tree, uint32_t *out) {
    typedef struct {
        uint32_t node;
        uint16_t edge; /* the next edge to follow */
    } Visit;
    Visit *stack;
    bool *seen;
    size_t count = 0, depth = 1;
    if (!tree->node_count || mem_new(tree->node_count, sizeof *stack, &stack, NULL)) return 0;
    if (mem_new(tree->node_count, sizeof *seen, &seen, NULL)) {
        free(stack);
        return 0;
    }
    stack[0] = (Visit){0, 0};
    seen[0] = true;
    while (depth) {
        Visit *top = &stack[depth - 1];
        const Node *node = &tree->nodes[top->node];
        if (top->edge == node->child_count) {
            out[count++] = top->node;
            depth--;
            continue;
        }
        uint32_t child = tree->edges[node->edges + top->edge++].child;
        if (seen[child]) continue;
        seen[child] = true;
        stack[depth++] = (Visit){child, 0};
    }
    free(seen);
    free(stack);
    return count;
}
