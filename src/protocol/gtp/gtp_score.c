/* The final score of the present game, and the GTP commands that answer with it and with the status
 * of stones. The game need not be over. */
#include "protocol/gtp/gtp_score.h"

#include <math.h>
#include <string.h>

#include "go/score.h"
#include "protocol/gtp/gtp_command.h"

/* Whether the rules alone give the final score. They do not if the game is not over, or if it ended
 * by friendly passes, which may leave dead stones on the board. */
static bool is_settled(const Position *now) {
    return now->over && (now->rules.scoring == SCORING_TERRITORY || !now->rules.friendly_pass);
}

/* Whether the chain at `point` is dead. If the game is settled, this follows from `owner`, the
 * owner of each point in the final count. Otherwise it follows from the net's ownership. */
static bool is_dead(const Position *now, Point point, const uint8_t owner[POINT_COUNT],
                    const float *ownership) {
    const Board *board = &now->board;
    Color color = (Color)board->color[point];
    if (is_settled(now)) return owner[point] == color_other(color);
    double sum = 0, min = 1;
    int stones = 0;
    Point at = point;
    do {
        double own = (double)ownership[move_index(at, board->width, board->height)] *
                     (color == COLOR_WHITE ? 1 : -1);
        sum += own;
        min = fmin(min, own);
        stones++;
        at = board->chain_next[at];
    } while (at != point);
    return !(sum / stones > 0.2 && min > -0.6);
}

/* Computes White's score of an ended game after the stones that are dead by the net's ownership are
 * taken off the board. Under territory rules a dead stone must give the opponent two points, the
 * prisoner and the point under it. It does: the point under it is counted, and the stone cost its
 * player a point when it was played (position->white_bonus). */
static Status count_without_dead(const Position *now, const float *ownership, float *white_score,
                                 Error *err) {
    Position counted = {0};
    uint8_t colors[POINT_COUNT];
    const Board *board = &now->board;
    Status status = position_copy(&counted, now, err);
    if (status) return status;
    memcpy(colors, board->color, sizeof colors);
    for (int i = 0; i < board->width * board->height; i++) {
        Point point = move_at_index(i, board->width, board->height);
        if (colors[point] != COLOR_EMPTY && is_dead(now, point, NULL, ownership))
            colors[point] = COLOR_EMPTY;
    }
    if (board_set_all(&counted.board, colors)) *white_score = score_position(&counted, NULL);
    position_clear(&counted);
    return OK;
}

/* Whether passes have ended normal play, so that dead stones may be taken off the board. Under
 * territory rules the game is not yet over then, but the encore is not played here. */
static bool is_passed_out(const Position *now) {
    return now->over || (now->past_normal_end && now->passes >= 2);
}

Status gtp_final_score(Gtp *gtp, float *white_score, Error *err) {
    const Position *now = session_position(gtp->session);
    float ownership[BOARD_POINTS_MAX];
    bool no_result = now->over && now->outcome.no_result;
    *white_score = no_result ? 0 : now->outcome.white_score;
    if (is_settled(now) || no_result) return OK;
    Status status = session_estimate_score(gtp->session, white_score, ownership, err);
    if (!status && is_passed_out(now))
        status = count_without_dead(now, ownership, white_score, err);
    if (status) return status;
    bool whole = (now->rules.komi == floorf(now->rules.komi)) != now->rules.button;
    *white_score = whole ? roundf(*white_score) : roundf(*white_score + 0.5f) - 0.5f;
    return OK;
}

static Status do_final_score(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)a;
    float white_score;
    Status status = gtp_final_score(gtp, &white_score, err);
    if (status) return status;
    if (white_score == 0)
        strbuf_add(out, "0");
    else
        strbuf_addf(out, "%c+%.1f", white_score > 0 ? 'W' : 'B', (double)fabsf(white_score));
    return OK;
}

static Status do_final_status_list(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    const Position *now = session_position(gtp->session);
    bool dead = strcmp(a->words[0], "dead") == 0;
    if (!dead && strcmp(a->words[0], "alive") != 0 && strcmp(a->words[0], "seki") != 0)
        return fail(err, ERR_SYNTAX,
                    "Argument to final_status_list must be 'alive' or 'seki' or 'dead'");
    if (strcmp(a->words[0], "seki") == 0) return OK;
    float lead, ownership[BOARD_POINTS_MAX];
    uint8_t owner[POINT_COUNT];
    Status status = session_estimate_score(gtp->session, &lead, ownership, err);
    if (status) return status;
    score_position(now, owner);
    const Board *board = &now->board;
    for (int i = 0; i < board->width * board->height; i++) {
        Point point = move_at_index(i, board->width, board->height);
        if (board->color[point] == COLOR_EMPTY || is_dead(now, point, owner, ownership) != dead)
            continue;
        strbuf_addf(out, "%s%s", out->length ? " " : "", point_text(point, board->height).text);
    }
    return OK;
}

const GtpCommand GTP_SCORE_COMMANDS[] = {
    {"final_score", do_final_score, 0, GTP_ARGUMENTS_MAX, true},
    {"final_status_list", do_final_status_list, 1, 1, true},
    {0},
};
