#include "search/methods/ending.h"

#include <math.h>

#include "go/area.h"
#include "go/score.h"
#include "search/core/search_private.h"
#include "search/select/utility.h"

static const double SURE = 0.95; /* a point with at least this ownership counts as settled */

static bool touches(const Board *board, Point point, Color color) {
    for (int i = 0; i < 4; i++) {
        if (board->color[point + POINT_STEPS[i]] == color) return true;
    }
    return false;
}

/* Whether the move connects several chains of the mover, at least one of them not pass-alive. */
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

/* How many points the mover loses by a stone on `point`, 0 to 1. `owned` is the mover's ownership
 * of the point. */
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

static bool is_on(const SearchSettings *settings, const void *state) {
    (void)state;
    return settings->ending_bonus != 0;
}

static void root_expanded(Search *search, const MethodUse *use, const Evaluation *evaluation) {
    (void)evaluation;
    EndingState *state = use->state;
    const Position *root = &search->root;
    const Board *board = &root->board;
    double bonus = search->settings.ending_bonus;
    int area = board->width * board->height;
    uint8_t safe[POINT_COUNT];
    state->known = bonus != 0 && search->has_ownership;
    if (!state->known) return;
    passalive_compute(board, score_suicide(root), safe);
    bool territory = root->rules.scoring == SCORING_TERRITORY && root->encore_phase < 2;
    for (int i = 0; i < area; i++) {
        Point point = move_at_index(i, board->width, board->height);
        double lost = board->color[point] == COLOR_EMPTY && board->ko == POINT_NONE
                          ? points_lost(search, point, (double)search->ownership[i], safe)
                          : 0;
        state->points[i] = value_for_white((float)(-bonus * lost), root->mover);
    }
    double pass = territory ? -2.0 / 3 : root->button ? -0.5 : 0;
    state->points[area] = value_for_white((float)(bonus * pass), root->mover);
}

/* Returns what the points of EndingState add to White's utility of a child of the root. */
static double move_bonus(const Search *search, const MethodUse *use, const Edge *edge) {
    const EndingState *state = use->state;
    double points = (double)state->points[edge->move], mean = (double)edge->score_mean;
    if (!state->known || points == 0 || edge->visits <= 0) return 0;
    ValueForWhite value = {.score_mean = mean, .score_mean_sq = (double)edge->score_mean_sq};
    double before =
        utility_of(&search->settings, &value, search->frame.center, search->frame.board_scale);
    value.score_mean += points;
    value.score_mean_sq += points * (2 * mean + points); /* this keeps the deviation */
    return utility_of(&search->settings, &value, search->frame.center, search->frame.board_scale) -
           before;
}

/* EndingState.points come from the ownership of the root. A kept root was an inner node, for which
 * the search stores no ownership. */
static RootNeed root_need(const Search *search, const MethodUse *use) {
    (void)search, (void)use;
    return ROOT_WAS_INNER;
}

static void forget(Search *search, const MethodUse *use, bool all) {
    (void)search, (void)all;
    ((EndingState *)use->state)->known = false;
}

const SearchMethod METHOD_ENDING = {.name = "ending bonus",
                                    .is_on = is_on,
                                    .splits = true,
                                    .state_bytes = sizeof(EndingState),
                                    .root_expanded = root_expanded,
                                    .move_bonus = move_bonus,
                                    .root_need = root_need,
                                    .forget = forget};

/* Whether the point may be neutral: it is outside the opponent's settled area, or it touches the
 * mover's settled area. */
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
    if (!search_fills_dame(search)) return -1;
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
