#include "search/methods/passing.h"

#include "search/core/search_private.h"

void search_cap_pass(float *policy, int move_count) {
    double rest = 0;
    float *pass = &policy[move_count - 1];
    for (int i = 0; i < move_count - 1; i++)
        rest += policy[i] > 0 ? (double)policy[i] : 0;
    if (rest <= 0 || (double)*pass <= 19 * rest) return;
    for (int i = 0; i < move_count - 1; i++)
        policy[i] = policy[i] < 0 ? -1 : (float)((double)policy[i] / (20 * rest));
    *pass = 0.95f;
}

static bool cap_is_on(const SearchSettings *settings, const void *state) {
    (void)state;
    return settings->passing_hacks;
}

static void cap_priors(const Search *search, const MethodUse *use, const Position *position,
                       bool root, float *policy) {
    (void)use, (void)position, (void)root;
    search_cap_pass(policy, search->tree.move_count);
}

const SearchMethod METHOD_PASS_CAP = {
    .name = "passing hacks", .is_on = cap_is_on, .splits = true, .priors = cap_priors};

/* Whether the child has a visit, or a visit is under way. Visits that the edge did not count are
 * visits too. */
static bool is_seen(const Tree *tree, const Edge *edge) {
    if (edge->visits > 0 || edge->waiting) return true;
    tree_lock(tree, edge->child);
    bool seen = tree->nodes[edge->child].visits > 0;
    tree_unlock(tree, edge->child);
    return seen;
}

static bool is_better(const Edge *edge, const Edge *than) {
    return edge->prior >= 0 && (!than || edge->prior > than->prior);
}

/* Returns the index of the edge of the best move other than the pass. Returns child_count if this
 * move has no node yet, and -1 if there is no such move. */
static int best_unseen(const Tree *tree, const Node *node) {
    const Edge *edges = tree->edges + node->edges;
    int pass = tree->move_count - 1, best = -1;
    for (int i = 0; i < node->child_count; i++) {
        if (edges[i].move != pass && is_better(&edges[i], best < 0 ? NULL : &edges[best])) best = i;
    }
    bool is_new = node->next && tree_next_move(node) != pass &&
                  (best < 0 || tree_next_prior(node) > edges[best].prior);
    return is_new ? node->child_count : best;
}

int search_unseen_choice(Search *search, TreeSlab *slab, const Position *position, uint32_t at) {
    Tree *tree = &search->tree;
    const Node *node = &tree->nodes[at];
    const Edge *edges = tree->edges + node->edges;
    int64_t visits = 0;
    int pass = -1;
    bool pass_seen = false, other_seen = false;
    if (!position_pass_would_end_phase(position)) return -1;
    for (int i = 0; i < node->child_count; i++) {
        bool is_pass = edges[i].move == tree->move_count - 1;
        visits += edges[i].visits;
        if (is_pass) pass = i;
        pass_seen |= is_pass && is_seen(tree, &edges[i]);
        other_seen |= !is_pass && is_seen(tree, &edges[i]);
    }
    if (visits < 2 || (pass_seen && other_seen)) return -1;
    if (pass_seen) return best_unseen(tree, node);
    if (pass >= 0) return edges[pass].prior >= 0 ? pass : -1;
    return tree_add_child_of_in(tree, slab, at, tree->move_count - 1, color_other(position->mover));
}

static bool unseen_is_on(const SearchSettings *settings, const void *state) {
    (void)state;
    return settings->more_passing_hacks;
}

/* Lets the visit count for the child and the nodes below it, but not for the node itself and the
 * nodes above. */
static int choose_unseen(Search *search, const MethodUse *use, PendingLeaf *leaf, uint32_t at) {
    (void)use;
    if (leaf->counts_from) return -1;
    int index = search_unseen_choice(search, leaf->slab, &leaf->position, at);
    if (index >= 0) leaf->counts_from = leaf->depth;
    return index;
}

const SearchMethod METHOD_UNSEEN_PASS = {.name = "more passing hacks",
                                         .is_on = unseen_is_on,
                                         .splits = true,
                                         .choose_edge = choose_unseen};
