#include "protocol/session/game_score.h"

#include <math.h>
#include <string.h>

#include "go/score.h"

bool game_is_settled(const Position *position) {
    return position->over &&
           (position->rules.scoring == SCORING_TERRITORY || !position->rules.friendly_pass);
}

bool game_is_passed_out(const Position *position) {
    return position->over || (position->past_normal_end && position->passes >= 2);
}

/* Whether the chain at `point` is dead by the ownership. */
static bool is_dead_by_ownership(const Board *board, Point point, const float *white_ownership) {
    Color color = (Color)board->color[point];
    double sum = 0, min = 1;
    int stones = 0;
    Point at = point;
    do {
        double own = (double)white_ownership[move_index(at, board->width, board->height)] *
                     (color == COLOR_WHITE ? 1 : -1);
        sum += own;
        min = fmin(min, own);
        stones++;
        at = board->chain_next[at];
    } while (at != point);
    return !(sum / stones > 0.2 && min > -0.6);
}

static bool is_zero(const float *values, int count) {
    for (int i = 0; i < count; i++) {
        if (values[i] != 0) return false;
    }
    return true;
}

void game_dead_stones(const Position *position, const float *white_ownership,
                      bool dead[POINT_COUNT]) {
    const Board *board = &position->board;
    uint8_t owner[POINT_COUNT];
    int area = board->width * board->height;
    bool settled = game_is_settled(position);
    memset(dead, 0, POINT_COUNT * sizeof *dead);
    if (settled)
        score_position(position, owner);
    else if (is_zero(white_ownership, area))
        return;
    for (int i = 0; i < area; i++) {
        Point point = move_at_index(i, board->width, board->height);
        Color color = (Color)board->color[point];
        if (color == COLOR_EMPTY) continue;
        dead[point] = settled ? owner[point] == color_other(color)
                              : is_dead_by_ownership(board, point, white_ownership);
    }
}

Status game_count(const Position *position, const bool dead[POINT_COUNT], float *white_score,
                  uint8_t owner[POINT_COUNT], Error *err) {
    Position counted = {0};
    uint8_t colors[POINT_COUNT];
    const Board *board = &position->board;
    Status status = position_copy(&counted, position, err);
    if (status) return status;
    memcpy(colors, board->color, sizeof colors);
    for (int i = 0; i < board->width * board->height; i++) {
        Point point = move_at_index(i, board->width, board->height);
        if (dead[point]) colors[point] = COLOR_EMPTY;
    }
    if (!board_set_all(&counted.board, colors)) counted.board = *board;
    *white_score = score_position(&counted, owner);
    position_clear(&counted);
    return OK;
}

/* Rounds White's points to a score that is possible with this komi. */
static float possible_score(float white_score, const Rules *rules) {
    bool whole = (rules->komi == floorf(rules->komi)) != rules->button;
    return whole ? roundf(white_score) : roundf(white_score + 0.5f) - 0.5f;
}

/* The owner that the net expects for each point: a player whose ownership is more than 0.4. */
static void expect_owners(const Board *board, const float *white_ownership,
                          uint8_t owner[POINT_COUNT]) {
    memset(owner, COLOR_EMPTY, POINT_COUNT);
    for (int i = 0; i < board->width * board->height; i++) {
        float white = white_ownership[i];
        if (fabsf(white) > 0.4f)
            owner[move_at_index(i, board->width, board->height)] =
                white > 0 ? COLOR_WHITE : COLOR_BLACK;
    }
}

/* Counts the ended game. A stone in pass-alive territory of the opponent is dead by the rules,
 * whatever the net says. */
static Status count_final(const Position *position, GameScore *out, Error *err) {
    const Board *board = &position->board;
    Status status = game_count(position, out->dead, &out->white_score, out->owner, err);
    for (int i = 0; i < board->width * board->height && !status; i++) {
        Point point = move_at_index(i, board->width, board->height);
        Color color = (Color)board->color[point];
        if (color != COLOR_EMPTY && out->owner[point] == color_other(color))
            out->dead[point] = true;
    }
    return status;
}

Status session_score(Session *session, GameScore *out, Error *err) {
    const Position *now = session_position(session);
    float ownership[BOARD_POINTS_MAX];
    *out = (GameScore){.final = game_is_passed_out(now),
                       .no_result = now->over && now->outcome.no_result};
    if (out->no_result) return OK;
    if (game_is_settled(now)) {
        game_dead_stones(now, NULL, out->dead);
        score_position(now, out->owner);
        out->white_score = now->outcome.white_score;
        return OK;
    }
    Status status = session_estimate_score(session, &out->white_score, ownership, err);
    if (status) return status;
    game_dead_stones(now, ownership, out->dead);
    if (out->final)
        status = count_final(now, out, err);
    else
        expect_owners(&now->board, ownership, out->owner);
    out->white_score = possible_score(out->white_score, &now->rules);
    return status;
}
