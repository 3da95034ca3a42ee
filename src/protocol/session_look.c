/* What the nets say of a session's position without a search. */
#include "protocol/session_private.h"

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
    EvaluatorWish wish = {setup->width, setup->height, asked->symmetry, settings};
    Status status = (asked->human ? setup->make_human
                                  : setup->make_evaluator)(setup->context, &wish, &evaluator, err);
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

Status session_judge(Session *session, float *white_lead, float white_ownership[BOARD_POINTS_MAX],
                     Error *err) {
    Evaluation evaluation;
    const EvaluationRequest request = {.position = &session->now,
                                       .options.symmetries = SYMMETRY_COUNT};
    Status status = driver_evaluate(session->driver, &request, &evaluation, err);
    if (status) return status;
    Color mover = session->now.mover;
    *white_lead = value_for_white(evaluation.lead, mover);
    int area = evaluation.width * evaluation.height;
    for (int i = 0; i < area; i++)
        white_ownership[i] =
            evaluation.has_ownership ? value_for_white(evaluation.ownership[i], mover) : 0;
    return OK;
}
