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

/* Whether our last move belongs to this game, which it does if the game still holds it. */
static bool is_of_game(const Gtp *gtp, const Position *now) {
    const Followed *last = &gtp->followed;
    if (!last->known || last->index >= now->move_count) return false;
    Move move = position_move(now, last->index);
    return move.point == last->move.point && move.color == last->move.color;
}

/* Whether the board holds a white stone. If not, the handicap game has only just begun. */
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
    if (is_of_game(gtp, now) && has_white(&now->board)) {
        double win_loss = (double)value_for_mover(gtp->followed.white_win_loss, behind);
        doublings = doubling_step(gtp->followed.doublings, cap, win_loss);
    }
    if (plays) gtp->followed.doublings = doublings;
    *out = (float)(color == behind ? doublings : -doublings);
    return out;
}

void gtp_follow(Gtp *gtp, Move move, const Report *report) {
    Followed *followed = &gtp->followed;
    followed->known = report->visits > 0;
    followed->index = session_position(gtp->session)->move_count - 1;
    followed->move = move;
    followed->white_win_loss = value_for_white(report->win_loss, report->mover);
}
