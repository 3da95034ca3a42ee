/* A visit goes down from the root to a node without evaluation or to the end of a game, and back
 * up.
 *
 * search_descend() goes down. At each node, from the root on:
 * 1. If the node is new, it is the leaf, and from now on it waits for its evaluation. The descent
 *    also ends at the end of a game, at the maximum depth, and at a node that already waits. Some
 *    descents end at a node that has more visits than the edge to it: see has_more(), and arrive()
 *    in graph.c.
 * 2. Otherwise a move is chosen. The first of these ways that applies is taken: Gumbel's halving at
 *    the root; Gumbel's rule for inner nodes; a method with a choose_edge hook; the terms of
 *    methods; PUCT.
 * 3. If the chosen move has no node yet, it gets a node. The edge of the move counts the descent as
 *    under way.
 * 4. The move is played. If the move turns out to be illegal, it is struck out, and the descent is
 *    given up.
 * 5. A method may make the edge lead to another node (graph search).
 *
 * search_back_up() goes back from the leaf to the root. At each node, the edge of the path takes
 * the averages of its child. If it is time (is_due()), the averages of the node are computed again.
 * The nodes from PendingLeaf.counts_from on count the visit. Their edges count it too, except those
 * for which PendingLeaf.weightless says that a method does not want it (search_select_human()).
 *
 * Several threads may descend and back up in one tree, because a node, its edges and its policy are
 * read and written only under the node's lock. */
#include <math.h>

#include "search/core/search_private.h"

void search_abandon_path(Search *search, const PendingLeaf *leaf, int edges) {
    Tree *tree = &search->tree;
    for (int i = 0; i < edges; i++) {
        tree_lock(tree, leaf->path[i]);
        tree->edges[tree->nodes[leaf->path[i]].edges + (uint32_t)leaf->edges[i]].waiting--;
        tree_unlock(tree, leaf->path[i]);
    }
}

static void count_visit(Tree *tree, Edge *edge, bool counts) {
    edge->visits += counts;
    edge->waiting--;
    tree_lock(tree, edge->child);
    puct_take_child(tree, edge);
    tree_unlock(tree, edge->child);
}

/* Whether the averages of a node that has just been visited must be computed again. One more visit
 * hardly changes averages over many visits. So it is enough to compute them after every k visits. k
 * is 1/256 of the node's visits, rounded down to a power of two from 1 to 16. If `last` is false,
 * another thread is waiting to count a visit at this node, and will compute the averages; they may
 * then be computed after at most 2 k visits. (This idea is our own. Without it, a visit of a node
 * with many visits spends most of its time on the averages, under the node's lock.) */
static bool is_due(Node *node, bool last) {
    enum { LAG_DIVISOR = 256, LAG_MAX = 16 };
    int every = 1;
    while (every < LAG_MAX && node->visits >= 2 * every * LAG_DIVISOR)
        every *= 2;
    node->behind++;
    bool due = node->behind >= 2 * every || (last && node->behind >= every);
    if (due) node->behind = 0;
    return due;
}

/* Counts a visit along the path and updates the averages from the leaf to the root. */
void search_back_up(Search *search, const PendingLeaf *leaf, const Evaluation *evaluation) {
    Tree *tree = &search->tree;
    const MethodList *visits = &search->methods.visits;
    for (int i = leaf->depth - 1; i >= 0; i--) {
        uint32_t at = leaf->path[i];
        if (leaf->caught_up && i == leaf->depth - 1) continue;
        bool last = tree_lock_to_count(tree, at);
        Node *node = &tree->nodes[at];
        node->visits += i >= leaf->counts_from;
        if (i + 1 < leaf->depth)
            count_visit(tree, &tree->edges[node->edges + (uint32_t)leaf->edges[i]],
                        i >= leaf->counts_from && !leaf->weightless[i]);
        if (tree->shared) /* a child may have changed through another parent */
            puct_recompute(&search->frame, tree, at, i == 0);
        else if (is_due(node, last))
            puct_update(&search->frame, tree, at, i == 0);
        if (i == 0 && !tree->split)
            root_changes_note(&search->changes, node->visits, node->utility);
        if (i == 0 && node->visits >= TREE_VISITS_MAX)
            atomic_store_explicit(&tree->full, true, memory_order_relaxed);
        tree_unlock(tree, at);
    }
    /* if several threads search the tree, each counts its own playouts */
    if (!tree->split && leaf->counts_from <= 0) search->playouts++;
    for (int i = 0; i < visits->count; i++)
        visits->uses[i]->method->visited(search, visits->uses[i], leaf, evaluation);
}

/* The mean square of a final score. A whole number stands for two scores: half a point above it,
 * with the weight `draw_wins`, and half a point below it, with the weight 1 - draw_wins. */
static double gridded_square(double score, double draw_wins) {
    if (score != floor(score)) return score * score;
    double low = (score - 0.5) * (score - 0.5), high = (score + 0.5) * (score + 0.5);
    return low + (high - low) * draw_wins;
}

static void set_terminal(Search *search, Node *node, const Position *position) {
    const Outcome *outcome = &position->outcome;
    double draw = search->settings.draw_equivalent_wins_for_white,
           wins = outcome->winner == COLOR_WHITE   ? 1
                  : outcome->winner == COLOR_BLACK ? 0
                                                   : draw;
    double score = (double)outcome->white_score;
    node->state = NODE_TERMINAL;
    node->own_weight =
        search->settings.uncertainty.on ? (float)search->settings.uncertainty.max_weight : 1;
    node->own_no_result = outcome->no_result;
    if (!outcome->no_result) {
        bool whole = score == floor(score);
        node->own_win_loss = (float)(2 * wins - 1);
        node->own_score_mean_sq = (float)gridded_square(score, draw);
        node->own_score_mean = node->own_lead = (float)(whole ? score + draw - 0.5 : score);
    }
    puct_set_own_utility(&search->frame, node);
}

/* Lets the choose_edge hooks choose. Returns the index of an edge, child_count for the best move
 * without a node, or -1 if no hook chose. */
static int select_by_method(Search *search, PendingLeaf *leaf, uint32_t at) {
    const MethodList *edge_choosers = &search->methods.edge_choosers;
    int index = -1;
    for (int i = 0; i < edge_choosers->count && index < 0; i++)
        index =
            edge_choosers->uses[i]->method->choose_edge(search, edge_choosers->uses[i], leaf, at);
    return index;
}

/* Returns the index of the chosen edge, child_count for the best move without a node, or -1 if
 * there is no move. */
static int select_edge(Search *search, PendingLeaf *leaf, uint32_t at) {
    const SearchSettings *s = &search->settings;
    leaf->weightless[leaf->depth - 1] = false;
    if (s->gumbel.on && at == 0 && search->gumbel.count)
        return gumbel_select(&search->gumbel, &search->frame, &search->tree, leaf->slab);
    if (s->gumbel.on && at && s->gumbel.inner == GUMBEL_INNER_DETERMINISTIC)
        return gumbel_select_inner(&search->frame, &search->tree, at);
    int choose_edge = select_by_method(search, leaf, at);
    if (choose_edge >= 0) return choose_edge;
    if (search->methods.changes_inner_choice || (at == 0 && search->methods.changes_root_choice))
        return search_select_by_methods(search, &leaf->position, at);
    return puct_select(&search->frame, &search->tree, at, at == 0);
}

typedef struct {
    uint32_t child;
    int16_t move;
    /* Whether the child has more visits than its edge. If so, the descent ends at the child. The
     * edge counts this visit, but the child does not. */
    bool known;
} Step;

/* Whether the child has more visits than the edge. This happens after visits that the edge did not
 * count. Later visits that count then end at the child: the edge counts them, but the child does
 * not. This goes on until the edge has as many visits as the child (KataGo, cpp/search/search.cpp).
 * If edges share nodes, the result is false, because graph search decides where descents end. */
static bool has_more(const Search *search, const PendingLeaf *leaf, const Edge *edge) {
    const Tree *tree = &search->tree;
    int here = leaf->depth - 1;
    if (!search->methods.edge_choosers.count || search->methods.arrivals.count ||
        leaf->weightless[here] || leaf->counts_from == leaf->depth)
        return false;
    tree_lock(tree, edge->child);
    bool more = edge->visits + edge->waiting <= tree->nodes[edge->child].visits;
    tree_unlock(tree, edge->child);
    return more;
}

/* Handles one node of a descent, under its lock. If the descent does not end here, sets *out to the
 * next step; if the step leads to no child yet, adds the child. */
static Descent enter_node(Search *search, PendingLeaf *leaf, uint32_t at, Step *out) {
    Tree *tree = &search->tree;
    Node *node = &tree->nodes[at];
    if (node->state == NODE_NEW && leaf->position.over && at && !leaf->goes_on)
        set_terminal(search, node, &leaf->position);
    if (node->state == NODE_TERMINAL) return DESCENT_VISIT;
    if (node->state == NODE_WAITING) return DESCENT_BUSY;
    if (node->state == NODE_NEW) {
        node->state = NODE_WAITING;
        return DESCENT_LEAF;
    }
    if (leaf->depth == DEPTH_MAX) return DESCENT_VISIT;
    if (search->methods.changes_inner_choice) position_end_line(&leaf->position, &search->root);
    int index = select_edge(search, leaf, at);
    /* This reads tree->nodes again, because the choice may have moved the nodes. */
    if (index == tree->nodes[at].child_count)
        index = tree_add_child_in(tree, leaf->slab, at, color_other(leaf->position.mover));
    if (index < 0) return DESCENT_NONE;
    Edge *edge = &tree->edges[tree->nodes[at].edges + (uint32_t)index];
    edge->waiting++;
    leaf->edges[leaf->depth - 1] = (int16_t)index;
    *out = (Step){edge->child, edge->move, has_more(search, leaf, edge)};
    return DESCENT_ON;
}

static void strike_illegal(Search *search, const PendingLeaf *leaf) {
    Tree *tree = &search->tree;
    uint32_t at = leaf->path[leaf->depth - 1];
    tree_lock(tree, at);
    tree->edges[tree->nodes[at].edges + (uint32_t)leaf->edges[leaf->depth - 1]].prior = -1;
    tree_unlock(tree, at);
    search_abandon_path(search, leaf, leaf->depth);
}

/* Lets methods make the step lead to a node that other edges lead to as well. Returns whether the
 * descent ends at this node. Methods that do this are never on while several threads search the
 * tree. */
static bool arrive_by_methods(Search *search, PendingLeaf *leaf, Step *step) {
    Tree *tree = &search->tree;
    const MethodList *arrivals = &search->methods.arrivals;
    uint32_t from = leaf->path[leaf->depth - 1];
    Edge *edge = &tree->edges[tree->nodes[from].edges + (uint32_t)leaf->edges[leaf->depth - 1]];
    /* so that the hash includes what superko forbids */
    position_end_line(&leaf->position, &search->root);
    for (int i = 0; i < arrivals->count && !leaf->caught_up; i++)
        leaf->caught_up =
            arrivals->uses[i]->method->arrive(search, arrivals->uses[i], leaf, from, edge);
    step->child = edge->child;
    if (leaf->caught_up) leaf->path[leaf->depth++] = edge->child;
    return leaf->caught_up;
}

/* Whether the search goes on after a pass in this position even if the rules end the game. */
static bool pass_goes_on(const Search *search, const Position *position, bool root) {
    const SearchSettings *s = &search->settings;
    return (root && s->conservative_pass) ||
           (s->friendly_pass && position_pass_ends_friendly(position));
}

Descent search_descend(Search *search, PendingLeaf *leaf) {
    Position *position = &leaf->position;
    Step step = {0};
    leaf->depth = 0;
    leaf->goes_on = leaf->caught_up = false;
    leaf->counts_from = 0;
    if (position_begin_line(position, &search->root, NULL)) return DESCENT_NONE;
    for (;;) {
        leaf->path[leaf->depth++] = step.child;
        tree_lock(&search->tree, step.child);
        Descent arrived = enter_node(search, leaf, step.child, &step);
        tree_unlock(&search->tree, leaf->path[leaf->depth - 1]);
        if (arrived == DESCENT_BUSY || arrived == DESCENT_NONE)
            search_abandon_path(search, leaf, leaf->depth - 1);
        if (arrived == DESCENT_LEAF) position_end_line(position, &search->root);
        if (arrived != DESCENT_ON) return arrived;
        if (step.known) {
            leaf->caught_up = true;
            leaf->path[leaf->depth++] = step.child;
            return DESCENT_VISIT;
        }
        Point point = move_at_index(step.move, position->board.width, position->board.height);
        leaf->goes_on = point == POINT_PASS && pass_goes_on(search, position, leaf->depth == 1);
        Status played = position_play_on(position, point, NULL);
        if (played == ERR_ILLEGAL) {
            strike_illegal(search, leaf);
            return DESCENT_AGAIN;
        }
        if (played) { /* no memory */
            search_abandon_path(search, leaf, leaf->depth);
            return DESCENT_NONE;
        }
        if (search->methods.arrivals.count && arrive_by_methods(search, leaf, &step))
            return DESCENT_VISIT;
    }
}
