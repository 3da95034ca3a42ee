#include "search/tree.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

void tree_clear(Tree *tree) {
    tree->node_count = tree->prior_count = tree->edge_count = 0;
    tree->full = false;
}

void tree_free(Tree *tree) {
    free(tree->nodes);
    free(tree->priors);
    free(tree->edges);
    *tree = (Tree){0};
}

size_t tree_bytes(const Tree *tree) {
    return tree->node_count * sizeof *tree->nodes + tree->prior_count * sizeof *tree->priors + tree->edge_count * sizeof *tree->edges;
}

/* Room for `more` elements of a pool, within the limit. */
static bool reserve(Tree *tree, void *array_pointer, size_t *capacity, size_t used, size_t more, size_t size) {
    bool within = tree_bytes(tree) + more * size <= tree->limit_bytes && used + more < UINT32_MAX;
    if (!within || mem_grow(array_pointer, capacity, used + more, size, NULL)) tree->full = true;
    return !tree->full;
}

uint32_t tree_add(Tree *tree, Color mover) {
    if (!reserve(tree, &tree->nodes, &tree->node_capacity, tree->node_count, 1, sizeof *tree->nodes)) return UINT32_MAX;
    tree->nodes[tree->node_count] = (Node){.mover = (uint8_t)mover};
    return (uint32_t)tree->node_count++;
}

int tree_compare_priors(const void *a, const void *b) {
    const PriorMove *x = a, *y = b;
    if (x->prior != y->prior) return x->prior < y->prior ? 1 : -1;
    return x->move - y->move;
}

bool tree_set_priors(Tree *tree, uint32_t node, PriorMove *moves, int count) {
    if (!reserve(tree, &tree->priors, &tree->prior_capacity, tree->prior_count, (size_t)count, sizeof *tree->priors)) return false;
    qsort(moves, (size_t)count, sizeof *moves, tree_compare_priors);
    tree->nodes[node].priors = (uint32_t)tree->prior_count;
    tree->nodes[node].prior_count = (uint16_t)count;
    memcpy(tree->priors + tree->prior_count, moves, (size_t)count * sizeof *moves);
    tree->prior_count += (size_t)count;
    return true;
}

static bool grow_edges(Tree *tree, uint32_t node) {
    uint16_t capacity = tree->nodes[node].child_capacity;
    uint16_t grown = capacity ? (uint16_t)(capacity * 2) : 2;
    if (!reserve(tree, &tree->edges, &tree->edge_capacity, tree->edge_count, grown, sizeof *tree->edges)) return false;
    Node *n = &tree->nodes[node];
    if (n->child_count) memcpy(tree->edges + tree->edge_count, tree->edges + n->edges, n->child_count * sizeof *tree->edges);
    n->edges = (uint32_t)tree->edge_count;
    n->child_capacity = grown;
    tree->edge_count += grown;
    return true;
}

int tree_add_child(Tree *tree, uint32_t node, Color mover) {
    if (tree->nodes[node].child_count == tree->nodes[node].child_capacity && !grow_edges(tree, node)) return -1;
    uint32_t child = tree_add(tree, mover);
    if (child == UINT32_MAX) return -1;
    Node *n = &tree->nodes[node];
    tree->edges[n->edges + n->child_count] = (Edge){.child = child};
    return n->child_count++;
}

/* Copies one node with its policy and edges; the edges still lead into the old tree. */
static bool copy_node(const Tree *tree, uint32_t from, Tree *out) {
    const Node *node = &tree->nodes[from];
    uint32_t to = tree_add(out, (Color)node->mover);
    if (to == UINT32_MAX) return false;
    if (!reserve(out, &out->priors, &out->prior_capacity, out->prior_count, node->prior_count, sizeof *out->priors)) return false;
    if (!reserve(out, &out->edges, &out->edge_capacity, out->edge_count, node->child_count, sizeof *out->edges)) return false;
    Node *copy = &out->nodes[to];
    *copy = *node;
    copy->priors = (uint32_t)out->prior_count;
    copy->edges = (uint32_t)out->edge_count;
    copy->child_capacity = node->child_count;
    if (node->prior_count) memcpy(out->priors + out->prior_count, tree->priors + node->priors, node->prior_count * sizeof *out->priors);
    if (node->child_count) memcpy(out->edges + out->edge_count, tree->edges + node->edges, node->child_count * sizeof *out->edges);
    out->prior_count += node->prior_count;
    out->edge_count += node->child_count;
    return true;
}

bool tree_extract(const Tree *tree, uint32_t node, Tree *out) {
    tree_clear(out);
    out->limit_bytes = tree->limit_bytes;
    if (!copy_node(tree, node, out)) return false;
    for (uint32_t at = 0; at < out->node_count; at++) {
        for (uint16_t i = 0; i < out->nodes[at].child_count; i++) {
            uint32_t old = out->edges[out->nodes[at].edges + i].child, fresh = (uint32_t)out->node_count;
            if (!copy_node(tree, old, out)) return false;
            out->edges[out->nodes[at].edges + i].child = fresh;
        }
    }
    return true;
}
