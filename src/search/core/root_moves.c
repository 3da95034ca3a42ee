/* The root does not search all legal moves. This file leaves out three kinds of moves: the moves
 * that the caller wants avoided; of several moves that a symmetry maps to each other, all except
 * one; and useless moves at the end of the game (KataGo, cpp/search/search.cpp). */
#include <string.h>

#include "go/area.h"
#include "go/score.h"
#include "go/symmetry.h"
#include "search/core/search.h"
#include "search/core/search_private.h"

/* The state of a point as one number. The state consists of the stone on the point, its stone at
 * the start of the second encore, whether a recapture is blocked there, and whether `policy` allows
 * a move there. The last part shows moves that ko forbids. */
static int look_of(const Search *search, const float *policy, Point point) {
    const Position *root = &search->root;
    int move = move_index(point, root->board.width, root->board.height);
    return root->board.color[point] | root->second_encore_start[point] << 2 |
           (root->recapture_blocked[point] != 0) << 4 | (policy[move] >= 0) << 5;
}

static bool is_symmetric(const Search *search, const float *policy, Symmetry symmetry) {
    const Board *board = &search->root.board;
    if ((symmetry & 4) && board->width != board->height) return false;
    for (int i = 0; i < board->width * board->height; i++) {
        Point point = move_at_index(i, board->width, board->height),
              image = symmetry_point(symmetry, point, board->width, board->height);
        if (look_of(search, policy, point) != look_of(search, policy, image)) return false;
    }
    return true;
}

static void find_symmetries(const Search *search, const float *policy, bool holds[SYMMETRY_COUNT]) {
    for (Symmetry s = 0; s < SYMMETRY_COUNT; s++)
        holds[s] = is_symmetric(search, policy, s);
}

/* If a symmetry maps several points to each other, only the rightmost stays. If several are
 * rightmost, the topmost of these stays. */
static void prune_symmetric(const Search *search, float *policy) {
    const Board *board = &search->root.board;
    bool holds[SYMMETRY_COUNT];
    find_symmetries(search, policy, holds);
    for (int i = 0; i < board->width * board->height; i++) {
        Point point = move_at_index(i, board->width, board->height);
        for (Symmetry s = 1; s < SYMMETRY_COUNT; s++) {
            Point image = symmetry_point(s, point, board->width, board->height);
            int right = point_x(image) - point_x(point), up = point_y(point) - point_y(image);
            if (holds[s] && (right > 0 || (right == 0 && up > 0))) policy[i] = -1;
        }
    }
}

static bool opponent_passes(const Position *root, int times) {
    for (int i = 0; i < times; i++) {
        Move move = position_last_move(root, 2 * i);
        if (move.point != POINT_PASS || move.color != color_other(root->mover)) return false;
    }
    return true;
}

static void prune_useless(const Search *search, float *policy) {
    const Board *board = &search->root.board;
    uint8_t safe[POINT_COUNT];
    passalive_compute(board, score_suicide(&search->root), safe);
    for (int i = 0; i < board->width * board->height; i++) {
        if (safe[move_at_index(i, board->width, board->height)] != COLOR_EMPTY) policy[i] = -1;
    }
}

static double sum_of(const float *policy, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += policy[i] > 0 ? (double)policy[i] : 0;
    return sum;
}

/* Removes the moves that are to be avoided. The other moves keep their priors; with
 * search.avoid_rescale, their priors are scaled to the old sum. */
static void avoid_moves(const Search *search, float *policy) {
    int count = search->tree.move_count;
    double before = sum_of(policy, count);
    search_avoid_moves(search, search->root.mover, 0, policy);
    double after = sum_of(policy, count);
    if (!search->settings.avoid_rescale || after <= 0) return;
    for (int i = 0; i < count; i++) {
        if (policy[i] > 0) policy[i] = (float)((double)policy[i] * before / after);
    }
}

void search_open_policy(const Search *search, float *policy) {
    memcpy(policy, search->raw_policy, (size_t)search->tree.move_count * sizeof *policy);
    if (search->avoids) avoid_moves(search, policy);
    if (search->settings.prune_useless_moves && opponent_passes(&search->root, 4))
        prune_useless(search, policy);
}

void search_root_policy(const Search *search, float *policy) {
    search_open_policy(search, policy);
    if (search->settings.root_symmetry_pruning) prune_symmetric(search, policy);
}

void search_root_symmetries(const Search *search, bool holds[SYMMETRY_COUNT]) {
    float policy[MOVES_MAX];
    memset(holds, 0, SYMMETRY_COUNT * sizeof *holds);
    holds[0] = true;
    if (!search->settings.root_symmetry_pruning || !search_visits(search)) return;
    search_open_policy(search, policy);
    find_symmetries(search, policy, holds);
}

double search_pass_factor(const Search *search) {
    const SearchSettings *s = &search->settings;
    if (!opponent_passes(&search->root, 1)) return 1;
    return (double)(opponent_passes(&search->root, 2) ? s->factor_after_two_passes
                                                      : s->factor_after_one_pass);
}
