#include "search/methods/mirror.h"

#include <math.h>

#include "search/core/search_private.h"
#include "search/methods/passing.h"

Point mirror_point(Point point, int width, int height) {
    if (point == POINT_PASS || point == POINT_NONE) return point;
    return point_at(width - 1 - point_x(point), height - 1 - point_y(point));
}

/* By how many points Black wins, after komi, if the rest of the game is mirrored. */
static double black_points(const Position *root) {
    int stones = position_handicap(root);
    bool odd = root->board.width % 2 == 1 && root->board.height % 2 == 1;
    double points = -(double)root->rules.komi;
    if (root->rules.scoring == SCORING_AREA) {
        if (stones > 0) points += stones - 1;
        points += odd == (stones == 0 || stones % 2 == 1);
    }
    if (root->rules.white_bonus == WHITE_BONUS_N) points -= stones;
    if (root->rules.white_bonus == WHITE_BONUS_N_MINUS_ONE && stones > 0) points -= stones - 1;
    return points;
}

/* How asymmetric the stones within 3 points of the center are. Each stone of the mirrored player
 * counts 1 if the mirroring player has no stone on the opposite point. If there is at least one
 * such stone, each stone of the mirroring player whose opposite point is empty also counts 0.2. A
 * sum s of 1 or more becomes s (1 + s) / 2. On a board with a side below 7 the result is 1e10. */
static double asymmetry_of(const Board *board, Color mirrors) {
    double unanswered = 0, unmatched = 0;
    if (board->width < 7 || board->height < 7) return 1e10;
    for (int dy = -3; dy <= 3; dy++) {
        for (int dx = -3; dx <= 3; dx++) {
            Point point = point_at(board->width / 2 + dx, board->height / 2 + dy),
                  image = mirror_point(point, board->width, board->height);
            Color color = board->color[point], other = board->color[image];
            if (point == image) continue;
            unanswered += color == color_other(mirrors) && other != mirrors;
            unmatched += color == mirrors && other == COLOR_EMPTY;
        }
    }
    double error = unanswered > 0 ? unanswered + 0.2 * unmatched : 0;
    return error >= 1 ? 0.5 * error * (1 + error) : error;
}

Mirror mirror_detect(const Position *root) {
    const Board *board = &root->board;
    Mirror mirror = {.root_mover = root->mover,
                     .moves = root->move_count,
                     .width = board->width,
                     .height = board->height};
    double late = 0, all_late = 0;
    int count = 0, all = 0;
    bool last = false;
    for (int i = 1; i < root->move_count; i++) {
        Move move = position_move(root, i), before = position_move(root, i - 1);
        if (move.color == root->mover) continue;
        last = move.point == mirror_point(before.point, board->width, board->height);
        count += last;
        all++;
        late = 0.75 * (late + last);
        all_late = 0.75 * (all_late + 1);
    }
    if (!last || count < 7 + 0.5 * all || late < 0.45 * all_late) return mirror;
    mirror.player = color_other(root->mover);
    mirror.advantage = mirror.player == COLOR_BLACK ? black_points(root) : -black_points(root);
    mirror.asymmetry = asymmetry_of(board, mirror.player);
    if (board->width % 2 == 1 && board->height % 2 == 1)
        mirror.center = point_at(board->width / 2, board->height / 2);
    return mirror;
}

/* Whether mirroring is hard to stop: the mirroring player has a stone in the center, and would lose
 * by at most half a point by mirroring to the end. */
static bool is_hard(const Mirror *mirror, const Board *board) {
    return mirror->center != POINT_NONE && board->color[mirror->center] == mirror->player &&
           mirror->advantage >= -0.5;
}

/* Returns the mirror image of the last move, or the pass if a stone there is not `legal`. Returns
 * POINT_NONE if the last move was a pass, or if there is no last move. */
static Point answer_to(const Mirror *mirror, const Position *position, bool legal) {
    Point last = position_last_move(position, 0).point;
    if (last == POINT_NONE || last == POINT_PASS) return POINT_NONE;
    return legal ? mirror_point(last, mirror->width, mirror->height) : POINT_PASS;
}

/* The squared distance from the middle of the board. The unit of the distance is half the distance
 * between two neighbouring lines. */
static int twice_distance_squared(const Mirror *mirror, Point point) {
    int dx = 2 * point_x(point) - (mirror->width - 1),
        dy = 2 * point_y(point) - (mirror->height - 1);
    return dx * dx + dy * dy;
}

static bool touches_chain(const Board *board, Point point, Point stone) {
    for (int i = 0; i < 4; i++) {
        Point next = point + POINT_STEPS[i];
        if (board->color[next] == board->color[stone] &&
            board->chain_head[next] == board->chain_head[stone])
            return true;
    }
    return false;
}

static double lean_to_center(const Mirror *mirror, const Position *position, Point point) {
    int squared = twice_distance_squared(mirror, point);
    if (squared <= 2) return 0.3; /* one of the 1, 2 or 4 middle points */
    double lean = squared <= 8 ? 0.05 : 0;
    if (mirror->center == POINT_NONE || position->board.color[mirror->center] != mirror->player)
        return lean;
    if (squared <= 8 || touches_chain(&position->board, point, mirror->center)) return 0.05;
    return squared <= 16 ? 0.03 : 0;
}

double mirror_prior_lean(const Mirror *mirror, const Position *position, Point point,
                         bool mirror_legal) {
    double lean = 0;
    if (position->mover == mirror->player)
        lean = point == answer_to(mirror, position, mirror_legal)
                   ? is_hard(mirror, &position->board) ? 3 : 1
                   : 0;
    else if (point != POINT_PASS)
        lean = lean_to_center(mirror, position, point);
    return fmin(1, lean / (1 + sqrt(position->move_count - mirror->moves)));
}

/* The minimum fraction of weight for the mirror move. The fraction is larger if mirroring to the
 * end wins by more points, and if mirroring is hard to stop. It is smaller if the stones near the
 * center are no longer mirrored. */
static double fraction_for_answer(const Mirror *mirror, const Position *position, Point answer) {
    double fraction = mirror->advantage >= 5 ? 0.15 : mirror->advantage >= -5 ? 0.10 : 0.05;
    if (is_hard(mirror, &position->board)) {
        double distance = 0.5 * sqrt(twice_distance_squared(mirror, answer));
        fraction = answer == POINT_PASS
                       ? 0.20
                       : fmax(0.20, 1 / (0.75 + 0.5 * distance) / fmax(1, mirror->asymmetry));
    }
    if (answer == POINT_PASS) fraction *= 0.35 / fmax(1, sqrt(mirror->asymmetry));
    return fraction / fmax(1, mirror->asymmetry);
}

double mirror_min_fraction(const Mirror *mirror, const Position *position, Point point,
                           bool mirror_legal) {
    const Board *board = &position->board;
    if (position->mover == mirror->player)
        return point == answer_to(mirror, position, mirror_legal)
                   ? fraction_for_answer(mirror, position, point)
                   : 0;
    if (point == POINT_PASS || mirror->center == POINT_NONE) return 0;
    if (point == mirror->center) return position->move_count == mirror->moves ? 0.06 : 0.12;
    if (!is_hard(mirror, board)) return 0;
    int squared = twice_distance_squared(mirror, point);
    double near = squared <= 8 ? 0.010 : squared <= 16 ? 0.005 : 0;
    if (!touches_chain(board, point, mirror->center)) return near;
    return fmax(near, 0.10 / board_liberties(board, mirror->center));
}

double mirror_value(const Mirror *mirror, double value, double center_ownership) {
    double scale = mirror->asymmetry <= 0 ? 0.7 : 0.3, max = 1 - 1e-7;
    return tanh(atanh(fmin(fmax(value, -max), max)) + scale * center_ownership);
}

static bool is_on(const SearchSettings *settings, const void *state) {
    (void)state;
    return settings->anti_mirror;
}

static void configure(Search *search, const MethodUse *use) {
    (void)search;
    if (!use->on) ((MirrorState *)use->state)->mirror = (Mirror){0};
}

/* While the opponent mirrors, the search uses settings that turn off whatever changes the weights
 * or values of children. So mirror moves count in full. KataGo does the same. */
static bool begin(Search *search, const MethodUse *use) {
    MirrorState *state = use->state;
    Mirror mirror = mirror_detect(&search->root);
    bool mirrors = mirror.player != COLOR_EMPTY;
    if (mirror.player != state->mirror.player) search_reset(search);
    state->mirror = mirror;
    search->frame.settings = mirrors ? &state->settings : &search->settings;
    if (!mirrors) return false;
    state->settings = search->settings;
    state->settings.noise_pruning.on = false;
    state->settings.value_weight_exponent = 0;
    state->settings.bias.factor = 0;
    return true;
}

/* Raises the priors of the mirror move and the center. */
static void lean_priors(const Mirror *mirror, const Position *position, float *policy) {
    Point last = position_last_move(position, 0).point;
    bool legal = last != POINT_NONE && last != POINT_PASS;
    if (legal)
        legal = policy[move_index(mirror_point(last, mirror->width, mirror->height), mirror->width,
                                  mirror->height)] >= 0;
    for (int i = 0; i <= mirror->width * mirror->height; i++) {
        Point point = move_at_index(i, mirror->width, mirror->height);
        if (policy[i] < 0) continue;
        policy[i] += (1 - policy[i]) * (float)mirror_prior_lean(mirror, position, point, legal);
    }
}

static void root_priors(const Search *search, const MethodUse *use, float *policy) {
    const MirrorState *state = use->state;
    /* noise and hints may have raised the prior of the pass above its cap */
    if (search->settings.passing_hacks) search_cap_pass(policy, search->tree.move_count);
    lean_priors(&state->mirror, &search->root, policy);
}

/* The priors of a kept root that was an inner node are leaned already, by priors(). */
static RootNeed root_need(const Search *search, const MethodUse *use) {
    (void)search;
    return ((const MirrorState *)use->state)->mirror.player ? ROOT_WAS_INNER : ROOT_IS_FINE;
}

static void priors(const Search *search, const MethodUse *use, const Position *position, bool root,
                   float *policy) {
    (void)search;
    const MirrorState *state = use->state;
    if (!root) lean_priors(&state->mirror, position, policy);
}

/* Whether the mirroring player is to move and the mirror image of the last move is legal. */
static double prepare(const Choice *choice, const MethodUse *use) {
    const Mirror *mirror = &((const MirrorState *)use->state)->mirror;
    const Position *position = choice->position;
    Point last = position_last_move(position, 0).point;
    if (last == POINT_NONE || last == POINT_PASS) return false;
    return position_is_legal(position,
                             mirror_point(last, position->board.width, position->board.height)) &&
           mirror->player == position->mover;
}

static bool term(const Choice *choice, const MethodUse *use, double prepared, const Edge *edge,
                 Term *out) {
    (void)edge;
    const Mirror *mirror = &((const MirrorState *)use->state)->mirror;
    Point point = move_at_index(out->move, mirror->width, mirror->height);
    double fraction = mirror_min_fraction(mirror, choice->position, point, prepared != 0);
    if (out->weight < fraction * choice->total) out->value += 100;
    return false;
}

/* Shifts the value of a new leaf towards the owner of the center. */
static void expanded(Search *search, const MethodUse *use, const PendingLeaf *leaf,
                     const Evaluation *evaluation) {
    const Mirror *mirror = &((const MirrorState *)use->state)->mirror;
    Node *node = &search->tree.nodes[leaf->path[leaf->depth - 1]];
    if (mirror->center == POINT_NONE || !evaluation->has_ownership) return;
    float owned = evaluation->ownership[move_index(mirror->center, mirror->width, mirror->height)];
    double decided = 1 - (double)node->own_no_result;
    if (decided <= 0) return;
    node->own_win_loss =
        (float)(decided * mirror_value(mirror, (double)node->own_win_loss / decided,
                                       (double)value_for_white(owned, (Color)node->mover)));
}

const SearchMethod METHOD_MIRROR = {.name = "anti-mirror",
                                    .is_on = is_on,
                                    .state_bytes = sizeof(MirrorState),
                                    .configure = configure,
                                    .begin = begin,
                                    .root_need = root_need,
                                    .root_priors = root_priors,
                                    .prepare = prepare,
                                    .term = term,
                                    .expanded = expanded,
                                    .priors = priors};
