#include "search/result/tree_view.h"

#include <stdlib.h>

#include "base/memory.h"
#include "search/core/search_private.h"
#include "search/select/puct.h"

typedef struct {
    const Search *search;
    const TreeViewSetup *setup;
    TreeViewNode *nodes;
    size_t count, capacity;
} Viewer;

static Status check_setup(const TreeViewSetup *setup, Error *err) {
    if (setup->depth < 0 || setup->depth > TREE_VIEW_DEPTH_MAX || setup->branches < 0 ||
        setup->line_length < 0)
        return fail(err, ERR_ARGUMENT,
                    "a tree to show has a depth of 0 to %d and at least 0 branches; got %d and %d",
                    TREE_VIEW_DEPTH_MAX, setup->depth, setup->branches);
    return OK;
}

static Status add_node(Viewer *viewer, const TreeViewNode *node, Error *err) {
    Status status =
        mem_grow(&viewer->nodes, &viewer->capacity, viewer->count + 1, sizeof *viewer->nodes, err);
    if (!status) viewer->nodes[viewer->count++] = *node;
    return status;
}

static TreeViewNode view_of(const Node *node) {
    return (TreeViewNode){.point = POINT_NONE,
                          .player = COLOR_EMPTY,
                          .visits = node->visits,
                          .edge_visits = node->visits,
                          .prior = -1,
                          .weight_fraction = -1,
                          .white_win_loss = node->win_loss,
                          .white_lead = node->lead,
                          .white_utility = node->utility,
                          .no_result = node->no_result,
                          .net_white_win_loss = node->own_win_loss,
                          .net_white_lead = node->own_lead,
                          .over = node->state == NODE_TERMINAL};
}

/* The view of the child at edge `i` of a node. */
static TreeViewNode view_of_child(const Search *search, uint32_t parent, int i) {
    const Tree *tree = &search->tree;
    const Node *node = &tree->nodes[parent];
    const Edge *edge = &tree->edges[node->edges + (uint32_t)i];
    double weights[MOVES_MAX], sum = puct_value_weights(&search->frame, tree, parent, weights);
    for (int k = 0; k < node->child_count; k++)
        sum += weights[k];
    TreeViewNode view = view_of(&tree->nodes[edge->child]);
    view.point = move_at_index(edge->move, search->root.board.width, search->root.board.height);
    view.player = (Color)node->mover;
    view.edge_visits = edge->visits;
    view.prior = parent == 0 ? search->raw_policy[edge->move] : edge->prior;
    view.weight_fraction = sum > 0 ? (float)(weights[i] / sum) : 0;
    return view;
}

typedef struct {
    int64_t visits;
    float prior;
    int edge;
} Branch;

static int by_visits(const void *a, const void *b) {
    const Branch *x = a, *y = b;
    if (x->visits != y->visits) return x->visits < y->visits ? 1 : -1;
    if (x->prior != y->prior) return x->prior < y->prior ? 1 : -1;
    return x->edge - y->edge;
}

static int list_branches(const Tree *tree, const Node *node, Branch *branches) {
    const Edge *edges = tree->edges + node->edges;
    int count = 0;
    for (int i = 0; i < node->child_count; i++) {
        if (edges[i].visits > 0) branches[count++] = (Branch){edges[i].visits, edges[i].prior, i};
    }
    qsort(branches, (size_t)count, sizeof *branches, by_visits);
    return count;
}

static bool is_shown(const Viewer *viewer, const Branch *branch, int depth, int shown) {
    const TreeViewSetup *setup = viewer->setup;
    return depth <= setup->depth && shown < setup->branches &&
           branch->visits >= setup->min_visits && viewer->count < TREE_VIEW_NODES_MAX;
}

/* Adds the moves of a node that the limits allow, and the moves that follow them. Before the call,
 * the view of the node is the last one of the list. */
static Status view_children(Viewer *viewer, uint32_t index, int depth, Error *err) {
    const Tree *tree = &viewer->search->tree;
    Branch branches[MOVES_MAX];
    int count = list_branches(tree, &tree->nodes[index], branches), shown = 0;
    size_t parent = viewer->count - 1;
    Status status = OK;
    for (int i = 0; i < count && !status; i++) {
        if (!is_shown(viewer, &branches[i], depth, shown)) {
            viewer->nodes[parent].hidden_moves++;
            viewer->nodes[parent].hidden_visits += branches[i].visits;
            continue;
        }
        const Edge *edge = &tree->edges[tree->nodes[index].edges + (uint32_t)branches[i].edge];
        TreeViewNode view = view_of_child(viewer->search, index, branches[i].edge);
        view.depth = depth;
        shown++;
        status = add_node(viewer, &view, err);
        if (!status) status = view_children(viewer, edge->child, depth + 1, err);
    }
    return status;
}

/* The index of the edge of a move with visits, or -1. */
static int edge_of(const Search *search, uint32_t index, Point point) {
    const Tree *tree = &search->tree;
    const Node *node = &tree->nodes[index];
    int move = move_index(point, search->root.board.width, search->root.board.height);
    for (int i = 0; i < node->child_count; i++) {
        const Edge *edge = &tree->edges[node->edges + (uint32_t)i];
        if (edge->move == move && edge->visits > 0) return i;
    }
    return -1;
}

Status search_view_tree(const Search *search, const TreeViewSetup *setup, TreeViewNode **out,
                        size_t *count, Error *err) {
    const Tree *tree = &search->tree;
    Viewer viewer = {.search = search, .setup = setup};
    *out = NULL;
    *count = 0;
    Status status = check_setup(setup, err);
    if (status || !tree->node_count || tree->nodes[0].visits <= 0) return status;
    TreeViewNode first = view_of(&tree->nodes[0]);
    uint32_t at = 0;
    for (int i = 0; i < setup->line_length; i++) {
        int edge = edge_of(search, at, setup->line[i]);
        if (edge < 0)
            return fail(err, ERR_ARGUMENT, "the search has not visited %s as move %d of the line",
                        point_text(setup->line[i], search->root.board.height).text, i + 1);
        first = view_of_child(search, at, edge);
        at = tree->edges[tree->nodes[at].edges + (uint32_t)edge].child;
    }
    status = add_node(&viewer, &first, err);
    if (!status) status = view_children(&viewer, at, 1, err);
    if (status) {
        free(viewer.nodes);
        return status;
    }
    *out = viewer.nodes;
    *count = viewer.count;
    return OK;
}
