/* Evaluations of a session's position by its nets, without a search. */
#include <math.h>

#include "protocol/session/session_private.h"

/* Which net evaluates, and how. */
typedef struct {
    const SearchSettings *search; /* NULL means the session's settings */
    int symmetry;                 /* -1 means a random one */
    bool human;                   /* the second net evaluates, the net of human play */
} NetQuery;

/* Uses the session's evaluators if they fit the query, and otherwise makes an evaluator for this
 * call. */
static Status evaluate_position(Session *session, const NetQuery *query, const Position *position,
                                Evaluation *out, Error *err) {
    Evaluator *evaluator = NULL;
    const SessionSetup *setup = &session->setup;
    const SearchSettings *settings = query->search ? query->search : &setup->search;
    const EvaluationRequest request = {
        .position = position, .options = search_settings_options(settings, position->mover, true)};
    if (query->symmetry < 0 && !query->search && !query->human)
        return driver_evaluate(session->driver, &request, out, err);
    EvaluatorSpec spec = {setup->width, setup->height, query->symmetry, settings};
    Status status = (query->human ? setup->make_human
                                  : setup->make_evaluator)(setup->context, &spec, &evaluator, err);
    if (!status) status = evaluator_evaluate(evaluator, &request, 1, out, err);
    evaluator_free(evaluator);
    return status;
}

/* Evaluates the position with `color` to move. With search.ignore_history the net does not see the
 * moves that led to the position. */
static Status evaluate_with_mover(Session *session, Color color, const NetQuery *query,
                                  Evaluation *out, Error *err) {
    const SearchSettings *settings = query->search ? query->search : &session->setup.search;
    bool restarts = color != session->now.mover;
    Position changed = {0};
    if (!restarts && !settings->ignore_history)
        return evaluate_position(session, query, &session->now, out, err);
    Status status = position_copy(&changed, &session->now, err);
    if (!status && restarts) status = position_restart(&changed, color, err);
    if (settings->ignore_history) changed.valid_turns = 0;
    if (!status) status = evaluate_position(session, query, &changed, out, err);
    position_clear(&changed);
    return status;
}

Status session_evaluate(Session *session, Color color, int symmetry, const SearchSettings *search,
                        Evaluation *out, Error *err) {
    return evaluate_with_mover(session, color, &(NetQuery){search, symmetry, false}, out, err);
}

Status session_evaluate_human(Session *session, Color color, int symmetry, Evaluation *out,
                              Error *err) {
    SearchSettings search = session->setup.search;
    search.root_policy_optimism = 0; /* human nets have no optimistic policy */
    search.conservative_pass = search.passing_hacks = false;
    search.policy_temperature = 1;
    if (!session->setup.make_human)
        return fail(err, ERR_UNSUPPORTED, "there is no second net of human play (--human-net)");
    return evaluate_with_mover(session, color, &(NetQuery){&search, symmetry, true}, out, err);
}

static Status evaluate_all_symmetries(Session *session, const Position *position, Evaluation *out,
                                      Error *err) {
    const EvaluationRequest request = {.position = position, .options.symmetries = SYMMETRY_COUNT};
    return driver_evaluate(session->driver, &request, out, err);
}

/* Finds White's lead: the number of points that must be subtracted from komi so that the net finds
 * the game even. The net's own lead output is good only in close games. In other games the sign of
 * this output may be wrong, even if the net predicts the right winner. KataGo finds its lead in the
 * same way, but with searches (cpp/program/playutils.cpp). A cut is a number that is subtracted
 * from komi. The area is the number of points of the board.
 * 1. If komi is from -area to area, the first cut is 0. Otherwise the first cut brings komi to the
 *    nearer of these two numbers.
 * 2. If |win - loss| < 0.1 at the komi after a cut, the lead is this cut plus the lead that the net
 *    gives at this komi.
 * 3. Otherwise the cut moves toward an even game. Its steps double until an even game lies between
 *    two cuts. Bisection follows, down to 1 point; the lead is then the middle of the two cuts.
 * `*out` begins as the net's lead at the game's own komi, and stays so if no komi within the area
 * makes the game even. */
static Status find_lead(Session *session, const Evaluation *first, float *out, Error *err) {
    enum { EVALUATIONS_MAX = 16 };
    const double even = 0.1, komi = (double)session->now.rules.komi,
                 max = session->now.board.width * session->now.board.height;
    double low = -HUGE_VAL, high = HUGE_VAL, step = fmax(1, round(fabs((double)*out))),
           komi_cut = komi - fmax(-max, fmin(komi, max));
    Position shifted = {0};
    Evaluation evaluation = *first;
    Status status = position_copy(&shifted, &session->now, err);
    for (int i = 0; i < EVALUATIONS_MAX && !status; i++) {
        if (i > 0 || komi_cut != 0) {
            position_set_komi(&shifted, (float)(komi - komi_cut));
            status = evaluate_all_symmetries(session, &shifted, &evaluation, err);
            if (status) break;
        }
        float win_loss = value_for_white(evaluation.win - evaluation.loss, session->now.mover);
        if (fabs((double)win_loss) < even) {
            *out = (float)(komi_cut + (double)value_for_white(evaluation.lead, session->now.mover));
            break;
        }
        if (win_loss > 0)
            low = komi_cut;
        else
            high = komi_cut;
        bool between = isfinite(low) && isfinite(high);
        if (between && high - low <= 1) {
            *out = (float)((low + high) / 2);
            break;
        }
        komi_cut = between ? floor((low + high) / 2) : komi_cut + (win_loss > 0 ? step : -step);
        step *= 2;
        komi_cut = fmax(komi - max, fmin(komi_cut, komi + max));
        if (komi_cut == low || komi_cut == high)
            break; /* one side wins at every komi within the area */
    }
    position_clear(&shifted);
    return status;
}

Status session_estimate_score(Session *session, float *white_lead,
                              float white_ownership[BOARD_POINTS_MAX], Error *err) {
    Evaluation evaluation;
    Status status = evaluate_all_symmetries(session, &session->now, &evaluation, err);
    if (status) return status;
    if (evaluation.lacks_ownership)
        return fail(err, ERR_UNSUPPORTED,
                    "the net has no head \"ownership\", which says what is dead");
    Color mover = session->now.mover;
    *white_lead = value_for_white(evaluation.lead, mover);
    int area = evaluation.width * evaluation.height;
    for (int i = 0; i < area; i++)
        white_ownership[i] =
            evaluation.has_ownership ? value_for_white(evaluation.ownership[i], mover) : 0;
    return find_lead(session, &evaluation, white_lead, err);
}
