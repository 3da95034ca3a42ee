/* The choice of a move if methods have terms. (Without terms, puct_select() chooses.) For each
 * move:
 * 1. At the root, methods may add a bonus to the utility that the search found.
 * 2. Descents under way count as losses, as in puct_select().
 * 3. The terms of the methods change prior, value and exploration, or replace the result.
 * 4. The move with the largest sum value + exploration * prior / (1 + weight) is chosen. */
#include "search/core/search_private.h"

static double larger(double a, double b) {
    return a > b ? a : b;
}

/* Computes the numbers that all moves of the node share. */
static void prepare_choice(Choice *choice, const Search *search) {
    int visits = 0;
    choice->most_visited = -1;
    for (int i = 0; i < choice->node->child_count; i++) {
        const Edge *edge = &choice->edges[i];
        choice->total += (double)edge->weight + edge->waiting;
        choice->max_weight = larger(choice->max_weight, (double)edge->weight);
        if (edge->visits <= visits) continue;
        visits = edge->visits;
        choice->most_visited = i;
    }
    choice->exploration = puct_exploration(choice->frame, choice->node, choice->total);
    choice->unvisited = puct_unvisited_value(choice->frame, choice->node, choice->root);
    if (!choice->root) return;
    choice->weight_per_visit =
        choice->node->visits > 0 ? (double)choice->node->weight / choice->node->visits : 1;
    choice->visits_left = search_visits_left(search, choice->node->visits);
}

/* Returns the value of a move after the terms of all methods. */
static double value_of(const Choice *choice, const MethodList *methods, const double *prepared,
                       const Edge *edge, Term *term) {
    for (int i = 0; i < methods->count; i++) {
        const MethodUse *use = methods->uses[i];
        if (use->method->term(choice, use, prepared[i], edge, term)) return term->value;
    }
    return term->value + term->exploration * term->prior / (1 + term->weight);
}

static double value_of_edge(const Choice *choice, const MethodList *methods, const double *prepared,
                            int index) {
    Edge edge = choice->edges[index];
    if (choice->root && edge.weight > 0)
        edge.utility += (float)search_move_bonus(choice->search, &edge);
    EdgeValue seen = puct_edge_value(choice->frame, choice->node, &edge, choice->unvisited);
    Term term = {.move = edge.move,
                 .index = index,
                 .prior = (double)edge.prior,
                 .value = choice->side * seen.utility,
                 .weight = seen.weight,
                 .exploration = choice->exploration};
    return value_of(choice, methods, prepared, &edge, &term);
}

static double value_of_next(const Choice *choice, const MethodList *methods,
                            const double *prepared) {
    Term term = {.move = tree_next_move(choice->node),
                 .index = -1,
                 .prior = (double)tree_next_prior(choice->node),
                 .value = choice->side * choice->unvisited,
                 .exploration = choice->exploration};
    return value_of(choice, methods, prepared, NULL, &term);
}

int search_select_by_methods(Search *search, const Position *position, uint32_t at) {
    const Node *node = &search->tree.nodes[at];
    const MethodList *methods =
        at == 0 ? &search->methods.root_terms : &search->methods.inner_terms;
    Choice choice = {.search = search,
                     .settings = &search->settings,
                     .frame = &search->frame,
                     .tree = &search->tree,
                     .position = position,
                     .at = at,
                     .node = node,
                     .edges = search->tree.edges + node->edges,
                     .rng = &search->rng,
                     .root = at == 0,
                     .side = side_of(node)};
    double best_value = -1e300, prepared[METHODS_MAX] = {0};
    int best = -1;
    prepare_choice(&choice, search);
    for (int i = 0; i < methods->count; i++) {
        const MethodUse *use = methods->uses[i];
        if (use->method->prepare) prepared[i] = use->method->prepare(&choice, use);
    }
    for (int i = 0; i < node->child_count; i++) {
        if (choice.edges[i].prior < 0) continue;
        double value = value_of_edge(&choice, methods, prepared, i);
        if (value <= best_value) continue;
        best_value = value;
        best = i;
    }
    if (!node->next) return best;
    return value_of_next(&choice, methods, prepared) > best_value ? node->child_count : best;
}
