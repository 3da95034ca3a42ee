/* What the nets say of a session's position without a search. */
#include <math.h>

#include "protocol/session/session_private.h"

/* Which net is asked, and how. */
typedef struct {
    const SearchSettings *search; /* NULL: the session's */
    int symmetry;                 /* -1: any */
    bool human;
} Asked;

static Status evaluate_fresh(Session *session, const Asked *asked, const Position *position,
                             Evaluation *out, Error *err) {
    Evaluator *evaluator = NULL;
    const SessionSetup *setup = &session->setup;
    const SearchSettings *settings = asked->search ? asked->search : &setup->search;
    const EvaluationRequest request = {
        .position = position, .options = search_settings_options(settings, position->mover, true)};
    if (asked->symmetry < 0 && !asked->search && !asked->human)
        return driver_evaluate(session->driver, &request, out, err);
    EvaluatorSpec spec = {setup->width, setup->height, asked->symmetry, settings};
    Status status = (asked->human ? setup->make_human
                                  : setup->make_evaluator)(setup->context, &spec, &evaluator, err);
    if (!status) status = evaluator_evaluate(evaluator, &request, 1, out, err);
    evaluator_free(evaluator);
    return status;
}

static Status evaluate_as(Session *session, Color color, const Asked *asked, Evaluation *out,
                          Error *err) {
    Position turned = {0};
    if (color == session->now.mover) return evaluate_fresh(session, asked, &session->now, out, err);
    Status status = position_copy(&turned, &session->now, err);
    if (!status) status = position_restart(&turned, color, err);
    if (!status) status = evaluate_fresh(session, asked, &turned, out, err);
    position_clear(&turned);
    return status;
}

Status session_evaluate(Session *session, Color color, int symmetry, const SearchSettings *search,
                        Evaluation *out, Error *err) {
    return evaluate_as(session, color, &(Asked){search, symmetry, false}, out, err);
}

Status session_evaluate_human(Session *session, Color color, int symmetry, Evaluation *out,
                              Error *err) {
    SearchSettings search = session->setup.search;
    search.root_policy_optimism = 0; /* such nets know none */
    if (!session->setup.make_human)
        return fail(err, ERR_UNSUPPORTED, "there is no second net, of human play (--human-net)");
    return evaluate_as(session, color, &(Asked){&search, symmetry, true}, out, err);
}

static Status judge_at(Session *session, const Position *position, Evaluation *out, Error *err) {
    const EvaluationRequest request = {.position = position, .options.symmetries = SYMMETRY_COUNT};
    return driver_evaluate(session->driver, &request, out, err);
}

/* White's lead is the points that komi must lose for the net to find the game even: nets know close
 * games best, and far from them some take even the sign of the lead wrong, though not who wins.
 * `*out`: what it says of the komi as it is; that stays where no komi within the board's area is
 * fair. KataGo finds its lead by searches so (cpp/program/playutils.cpp). */
static Status find_lead(Session *session, const Evaluation *first, float *out, Error *err) {
    enum { LOOKS = 16 };
    const double even = 0.1, komi = (double)session->now.rules.komi,
                 max = session->now.board.width * session->now.board.height;
    double low = -HUGE_VAL, high = HUGE_VAL, step = fmax(1, round(fabs((double)*out))),
           taken = komi - fmax(-max, fmin(komi, max));
    Position shifted = {0};
    Evaluation evaluation = *first;
    Status status = position_copy(&shifted, &session->now, err);
    for (int i = 0; i < LOOKS && !status; i++) {
        if (i > 0 || taken != 0) {
            position_set_komi(&shifted, (float)(komi - taken));
            status = judge_at(session, &shifted, &evaluation, err);
            if (status) break;
        }
        float win_loss = value_for_white(evaluation.win - evaluation.loss, session->now.mover);
        if (fabs((double)win_loss) < even) {
            *out = (float)(taken + (double)value_for_white(evaluation.lead, session->now.mover));
            break;
        }
        if (win_loss > 0)
            low = taken;
        else
            high = taken;
        bool between = isfinite(low) && isfinite(high);
        if (between && high - low <= 1) {
            *out = (float)((low + high) / 2);
            break;
        }
        taken = between ? floor((low + high) / 2) : taken + (win_loss > 0 ? step : -step);
        step *= 2;
        taken = fmax(komi - max, fmin(taken, komi + max));
        if (taken == low || taken == high) break; /* decided at every komi there may be */
    }
    position_clear(&shifted);
    return status;
}

Status session_judge(Session *session, float *white_lead, float white_ownership[BOARD_POINTS_MAX],
                     Error *err) {
    Evaluation evaluation;
    Status status = judge_at(session, &session->now, &evaluation, err);
    if (status) return status;
    Color mover = session->now.mover;
    *white_lead = value_for_white(evaluation.lead, mover);
    int area = evaluation.width * evaluation.height;
    for (int i = 0; i < area; i++)
        white_ownership[i] =
            evaluation.has_ownership ? value_for_white(evaluation.ownership[i], mover) : 0;
    return find_lead(session, &evaluation, white_lead, err);
}
