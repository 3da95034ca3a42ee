/* Draws one of the positions that a search evaluated. The function descends from the root. At each
 * node it draws whether to stop or along which edge to go on. Stopping has the weight 1, for the
 * evaluation of the node itself; an edge has its number of visits as weight. */
#include "search/core/search.h"
#include "search/core/search_private.h"

void search_sample(const Search *search, Rng *rng, SearchSample *out) {
    enum { MAX = sizeof out->line / sizeof *out->line };
    const Tree *tree = &search->tree;
    uint32_t at = 0;
    *out = (SearchSample){0};
    while (out->count < MAX && tree->node_count) {
        const Node *node = &tree->nodes[at];
        const Edge *edges = tree->edges + node->edges;
        double weights[MOVES_MAX + 1];
        if (node->state != NODE_EXPANDED) break;
        for (int i = 0; i < node->child_count; i++) {
            bool open = tree->nodes[edges[i].child].state == NODE_EXPANDED;
            weights[i] = open ? (double)edges[i].visits : 0;
        }
        weights[node->child_count] = 1; /* the evaluation of the node itself */
        int choice = rng_pick(rng, weights, node->child_count + 1);
        if (choice < 0 || choice == node->child_count) break;
        int width = search->root.board.width, height = search->root.board.height;
        out->line[out->count++] = move_at_index(edges[choice].move, width, height);
        at = edges[choice].child;
    }
    if (!tree->node_count) return;
    out->white_win_loss = tree->nodes[at].win_loss;
    out->white_score = tree->nodes[at].score_mean;
}
