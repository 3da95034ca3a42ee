/* The last moves of a game: moves of the root that settle nothing are worth a little less, and
 * neutral points are filled before the pass (KataGo, cpp/search/searchhelpers.cpp). */
#include <math.h>

#include "go/score.h"
#include "search/methods.h"
#include "search/search_private.h"
#include "search/utility.h"

static const double SURE = 0.95; /* an ownership from which a point is taken to be settled */

static bool touches(const Board *board, Point point, Color color) {
    for (int i = 0; i < 4; i++) {
        if (board->color[point + POINT_STEPS[i]] == color) return true;
    }
    return false;
}

/* Two of the mover's chains, one of them not pass-alive. */
static bool connects(const Board *board, Point point, Color mover, const uint8_t *safe) {
    int first = -1;
    bool several = false, unsafe = false;
    for (int i = 0; i < 4; i++) {
        Point next = point + POINT_STEPS[i];
        if (board->color[next] != mover) continue;
        several |= first >= 0 && board->chain_head[next] != first;
        first = board->chain_head[next];
        unsafe |= safe[next] != mover;
    }
    return several && unsafe;
}

/* Points that the mover loses by a stone there. */
static double points_lost(const Search *search, Point point, double owned, const uint8_t *safe) {
    const Position *root = &search->root;
    const Board *board = &root->board;
    bool territory = root->rules.scoring == SCORING_TERRITORY && root->encore_phase < 2;
    if (owned <= -SURE && (territory || !board_would_capture(board, point, root->mover)))
        return (-SURE - owned) / (1 - SURE);
    if (owned >= SURE && !touches(board, point, color_other(root->mover)) &&
        !connects(board, point, root->mover, safe))
        return (owned - SURE) / (1 - SURE);
    return 0;
}

void search_set_ending(Search *search) {
    const Position *root = &search->root;
    const Board *board = &root->board;
    double bonus = (double)search->settings.ending_bonus;
    int area = board->width * board->height;
    uint8_t safe[POINT_COUNT];
    search->has_ending = bonus != 0 && search->has_ownership;
    if (!search->has_ending) return;
    passalive_compute(board, score_suicide(root), safe);
    bool territory = root->rules.scoring == SCORING_TERRITORY && root->encore_phase < 2;
    for (int i = 0; i < area; i++) {
        Point point = move_at_index(i, board->width, board->height);
        double lost = board->color[point] == COLOR_EMPTY && board->ko == POINT_NONE
                          ? points_lost(search, point, (double)search->ownership[i], safe)
                          : 0;
        search->ending_points[i] = value_for_white((float)(-bonus * lost), root->mover);
    }
    double pass = territory ? -2.0 / 3 : root->button ? -0.5 : 0;
    search->ending_points[area] = value_for_white((float)(bonus * pass), root->mover);
}

double search_ending_utility(const Search *search, const Edge *edge) {
    double points = (double)search->ending_points[edge->move], mean = (double)edge->score_mean;
    if (points == 0 || edge->visits <= 0) return 0;
    ValueForWhite value = {.score_mean = mean, .score_mean_sq = (double)edge->score_mean_sq};
    double before = utility_of(&search->settings, &value, search->frame.center, search->frame.edge);
    value.score_mean += points;
    value.score_mean_sq += points * (2 * mean + points); /* the same deviation */
    return utility_of(&search->settings, &value, search->frame.center, search->frame.edge) - before;
}

/* Neither in the opponent's settled area nor far from the mover's. */
static bool may_be_dame(const Search *search, int move) {
    const Board *board = &search->root.board;
    Point point = move_at_index(move, board->width, board->height);
    if (!search->has_ownership) return true;
    if ((double)search->ownership[move] > -SURE) return true;
    for (int i = 0; i < 4; i++) {
        Point next = point + POINT_STEPS[i];
        if (board_on(board, next) &&
            (double)search->ownership[move_index(next, board->width, board->height)] > SURE)
            return true;
    }
    return false;
}

static bool is_as_good(const Node *move, const Node *pass, double side) {
    return side * (double)(move->utility - pass->utility) > -0.1 &&
           side * (double)(move->score_mean - pass->score_mean) > -0.5 &&
           side * (double)(move->lead - pass->lead) > -0.5;
}

int search_suppressed_pass(const Search *search) {
    const Position *root = &search->root;
    const Tree *tree = &search->tree;
    const Node *node = tree->nodes;
    const Edge *edges = tree->edges + node->edges;
    int area = root->board.width * root->board.height, pass = -1;
    if (!search->settings.fill_dame_before_pass || root->rules.scoring != SCORING_TERRITORY ||
        root->encore_phase)
        return -1;
    for (int i = 0; i < node->child_count; i++) {
        if (edges[i].move == area && edges[i].visits > 0) pass = i;
    }
    if (pass < 0) return -1;
    double enough = 2 * sqrt(puct_edge_weight(tree, &edges[pass]));
    for (int i = 0; i < node->child_count; i++) {
        if (i == pass || edges[i].prior < 0 || edges[i].visits <= 0) continue;
        bool seen = edges[i].visits > 500 || puct_edge_weight(tree, &edges[i]) > enough;
        if (seen && may_be_dame(search, edges[i].move) &&
            is_as_good(&tree->nodes[edges[i].child], &tree->nodes[edges[pass].child],
                       side_of(node)))
            return pass;
    }
    return -1;
}
