#include "protocol/gtp/gtp_doubling.h"

#include <math.h>

static const double STEP = 0.125, MAX = 2.75;

double doubling_cap(double per_lead, double lead, int width, int height) {
    double scale = pow(361.0 / (width * height), 0.75), start = fmax(2, 4 / scale);
    if (width < 8 || height < 8 || lead < start) return 0;
    return round(fmin(MAX, per_lead * (lead - start) * scale) / STEP) * STEP;
}

double doubling_step(double doublings, double cap, double win_loss) {
    double next = win_loss < -0.9   ? doublings + STEP
                  : win_loss > -0.5 ? doublings - STEP
                                    : doublings;
    return fmax(0, fmin(cap, next));
}

/* Returns whether the engine's last move is still a move of the game. It is not if the move was
 * undone or a new game was begun. */
static bool last_move_is_in_game(const Gtp *gtp, const Position *now) {
    const LastMove *last = &gtp->last_move;
    if (!last->known || last->index >= now->move_count) return false;
    Move move = position_move(now, last->index);
    return move.point == last->move.point && move.color == last->move.color;
}

/* Whether there is a white stone on the board. If not, the handicap game has only just begun. */
static bool has_white(const Board *board) {
    for (Point point = 0; point < POINT_COUNT; point++) {
        if (board->color[point] == COLOR_WHITE) return true;
    }
    return false;
}

const float *gtp_doublings(Gtp *gtp, Color color, bool plays, float *out) {
    const SearchSettings *search = &session_setup(gtp->session)->search;
    const Position *now = session_position(gtp->session);
    double lead = resign_black_advantage(now);
    Color behind = lead >= 0 ? COLOR_WHITE : COLOR_BLACK;
    if (search->doublings_per_lead <= 0) return NULL;
    double cap =
        doubling_cap(search->doublings_per_lead, fabs(lead), now->board.width, now->board.height);
    double doublings = cap;
    if (last_move_is_in_game(gtp, now) && has_white(&now->board)) {
        double win_loss = (double)value_for_mover(gtp->last_move.white_win_loss, behind);
        doublings = doubling_step(gtp->last_move.doublings, cap, win_loss);
    }
    if (plays) gtp->last_move.doublings = doublings;
    *out = (float)(color == behind ? doublings : -doublings);
    return out;
}

void gtp_remember_move(Gtp *gtp, Move move, const Report *report) {
    LastMove *last_move = &gtp->last_move;
    last_move->known = report->visits > 0;
    last_move->index = session_position(gtp->session)->move_count - 1;
    last_move->move = move;
    last_move->white_win_loss = value_for_white(report->win_loss, report->mover);
}
