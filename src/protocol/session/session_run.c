/* The searches of a session: how long, by which settings, and what is chosen. */
#include <math.h>

#include "base/clock.h"
#include "protocol/session/session_private.h"
#include "search/result/choose.h"

/* `color` to move; another than the mover starts the game's history anew. */
static Status set_mover(Session *session, Color color, Error *err) {
    if (color == session->now.mover) return OK;
    session->in_search = false;
    return position_restart(&session->now, color, err);
}

/* The search at the position; after the end of the game, as if play went on. */
static Status place_search(Session *session, Error *err) {
    Position resumed = {0};
    if (session->in_search && !session->now.over) session_catch_up(session);
    if (session->in_search && !session->now.over) return OK;
    session->behind_count = 0;
    session->in_search = !session->now.over;
    if (session->in_search) return search_set_position(session->search, &session->now, err);
    Status status = position_copy(&resumed, &session->now, err);
    if (!status) status = position_restart(&resumed, session->now.mover, err);
    if (!status) status = search_set_position(session->search, &resumed, err);
    position_clear(&resumed);
    return status;
}

static void on_progress(void *context, const Search *search) {
    Session *session = context;
    search_report(search, session->report);
    session->how->on_report(session->how->context, session->report);
}

static bool is_enough(void *context, const Search *search, double elapsed) {
    Session *session = context;
    const Board *board = &session->now.board;
    search_report(search, session->report);
    return time_is_enough(&session->budget, &session->setup.time, session->report,
                          board->width * board->height, elapsed);
}

/* The lesser of two bounds of which 0 is none. */
static double lesser(double a, double b) {
    return a <= 0 || (b > 0 && b < a) ? b : a;
}

/* Of all limits, where the last searches for a move found the game won. */
static double ease_of(const Session *session, const SessionSearch *how) {
    float min;
    bool known = resign_min_win_loss(&session->resign_history, how->color, 3, &min);
    return how->for_move && known ? time_winning_factor(&session->setup.time, (double)min) : 1;
}

/* Seconds of the search; 0: no bound. A clock that has run out is a quick move. */
static double limit_of(const Session *session, const SessionSearch *how) {
    double limit = lesser(session->setup.seconds, how->seconds);
    limit *= fmin(1, search_pass_factor(session->search)) * fmin(1, ease_of(session, how));
    return how->budget ? lesser(limit, fmax(0.001, how->budget->max)) : limit;
}

static int64_t visits_of(const Session *session, const SessionSearch *how) {
    if (how->visits > 0) return how->visits;
    if (how->budget && session->setup.visits_without_clock) return 0;
    double eased = (double)session->setup.visits * ease_of(session, how);
    return session->setup.visits && eased < 1 ? 1 : (int64_t)eased;
}

/* What the clock gives, less what was thought already and need not be; once the search has begun.
 * Returns the seconds that count as thought. */
static double take_budget(Session *session, const SessionSearch *how) {
    double factor = fmin(1, search_pass_factor(session->search)) * fmin(1, ease_of(session, how));
    double share = session->thought_visits > 0 ? (double)search_root_visits(session->search) /
                                                     (double)session->thought_visits
                                               : 0;
    double carried = session->thought * fmin(1, share) * session->setup.time.carry_over;
    if (!how->budget) return carried;
    session->budget = *how->budget;
    session->budget.wanted = time_carried_over(factor * session->budget.wanted, carried);
    return carried;
}

/* Runs a search that was begun, and keeps count of the time. */
static Status run_search(Session *session, const DriverRun *run, double carried, Error *err) {
    double start = clock_seconds();
    Status status = driver_run(session->driver, session->search, run, err);
    session->thought = carried + clock_seconds() - start;
    session->thought_visits = search_root_visits(session->search);
    return status;
}

/* A tree that is full, or a game that is over: reports go on until the client says stop. */
static void await_stop(Session *session) {
    const SessionSearch *how = session->how;
    double next = clock_seconds() + how->interval_seconds;
    while (!atomic_load_explicit(how->stop, memory_order_relaxed)) {
        clock_sleep_ms(5);
        if (!how->on_report || clock_seconds() < next) continue;
        on_progress(session, session->search);
        next = clock_seconds() + how->interval_seconds;
    }
}

/* The settings of this search. */
static Status set_settings(Session *session, const SessionSearch *how, Error *err) {
    SearchSettings settings = how->search ? *how->search : session->setup.search;
    if (how->doublings) {
        settings.playout_doubling_advantage = *how->doublings;
        settings.playout_doubling_player = DOUBLING_OF_MOVER;
    }
    Status status = search_set_settings(session->search, &settings, err);
    if (status) return status;
    if (session->hides_history && !settings.ignore_history) session->in_search = false;
    session->hides_history = settings.ignore_history;
    session_note_side(session, &settings);
    return OK;
}

/* New playouts of the search; 0: any number. */
static int64_t playouts_of(const Session *session, const SessionSearch *how) {
    double eased = (double)session->setup.playouts * ease_of(session, how);
    if (how->visits > 0 || (how->budget && session->setup.visits_without_clock)) return 0;
    return session->setup.playouts && eased < 1 ? 1 : (int64_t)eased;
}

Status session_run(Session *session, const SessionSearch *how, const Report **report, Error *err) {
    Status status = set_mover(session, how->color, err);
    if (!status) status = set_settings(session, how, err);
    if (!status) status = place_search(session, err);
    if (status) return status;
    search_set_avoid(session->search, how->avoid);
    bool endless = how->endless && how->stop, reports = how->on_report && how->interval_seconds > 0;
    double limit = endless ? 0 : limit_of(session, how);
    bool by_clock = how->budget && !endless;
    search_begin(session->search,
                 &(SearchLimits){.visits = endless ? 0 : visits_of(session, how),
                                 .playouts = endless ? 0 : playouts_of(session, how),
                                 .seconds = limit});
    double carried = take_budget(session, how);
    DriverRun run = {.seconds = limit,
                     .stop = how->stop,
                     .on_progress = reports ? on_progress : NULL,
                     .context = session,
                     .interval_seconds = reports ? how->interval_seconds : 1,
                     .is_enough = by_clock ? is_enough : NULL,
                     .check_seconds =
                         by_clock ? fmin(0.1, fmax(0.005, how->budget->wanted / 20)) : 1};
    session->how = how;
    status = run_search(session, &run, carried, err);
    if (!status && endless) await_stop(session);
    session->how = NULL;
    if (status) return status;
    search_report(session->search, session->report);
    *report = session->report;
    return OK;
}

Status session_ponder(Session *session, const SearchSettings *search, const atomic_bool *stop,
                      Error *err) {
    const SessionSetup *setup = &session->setup;
    const SessionSearch how = {.color = session->now.mover, .search = search};
    if (session->now.over || session->side_matters || setup->time.ponder_seconds <= 0) return OK;
    Status status = set_settings(session, &how, err);
    if (!status) status = place_search(session, err);
    if (status) return status;
    search_set_avoid(session->search, NULL);
    search_begin(session->search, &(SearchLimits){.visits = setup->time.ponder_visits,
                                                  .playouts = setup->time.ponder_playouts,
                                                  .pondering = true});
    DriverRun run = {.seconds = setup->time.ponder_seconds, .stop = stop};
    return run_search(session, &run, take_budget(session, &how), err);
}

void session_keep_ownership(Session *session) {
    search_keep_ownership(session->search, true);
}

bool session_ownership(const Session *session, Point point, float *mean, float *stdev) {
    return search_ownership(session->search, point, mean, stdev);
}

float session_prior(const Session *session, const Report *report, Point point) {
    int index = move_index(point, report->width, report->height);
    float people = search_human_prior(session->search, point);
    return people >= 0 ? people : fmaxf(0, report->raw_policy[index]);
}

Point session_pick(Session *session, const Report *report) {
    const Board *board = &session->now.board;
    double temperature = choose_temperature(&session->setup.search, session->now.move_count,
                                            board->width * board->height);
    return choose_move(report, temperature, false, &session->rng);
}

bool session_resigns(Session *session, const Report *report) {
    return resign_is_due(&session->setup.resign, &session->resign_history, &session->now, report);
}
