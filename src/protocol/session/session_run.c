/* The searches of a session: their limits, their settings, and the move that is chosen.
 *
 * session_run() makes call->color the player to move, and gives the settings to the search. If the
 * moves since the last search are known (session->in_search), the search plays these moves and
 * keeps the part of its tree below them. Otherwise the search gets the position, and a new tree.
 * Then session_run() sets three limits: visits, playouts and seconds. With a clock,
 * has_searched_enough() may end the search earlier. With a clock and time.carry_over above 0, the
 * time that an earlier search spent on the kept part of the tree also shortens this search. */
#include <math.h>

#include "base/clock.h"
#include "protocol/session/session_private.h"
#include "search/result/choose.h"

/* Makes `color` the player to move. If it was not, the game's history begins anew. */
static Status set_mover(Session *session, Color color, Error *err) {
    if (color == session->now.mover) return OK;
    session->in_search = false;
    return position_restart(&session->now, color, err);
}

/* Sets the search to the present position. If the game is over, it searches as if play went on,
 * with a new tree each time. */
static Status set_search_position(Session *session, Error *err) {
    if (session->in_search && !session->now.over) {
        session_catch_up(session);
        if (session->in_search) return OK;
    }
    session->unsearched_count = 0;
    session->in_search = !session->now.over;
    return search_set_position(session->search, &session->now, err);
}

static void on_progress(void *context, const Search *search) {
    Session *session = context;
    search_report(search, session->report);
    session->unread |= !session->call->on_report(session->call->context, session->report);
}

static bool is_unread(void *context, const Search *search, double elapsed) {
    const Session *session = context;
    (void)search, (void)elapsed;
    return session->unread;
}

static bool has_searched_enough(void *context, const Search *search, double elapsed) {
    Session *session = context;
    const Board *board = &session->now.board;
    if (session->unread) return true;
    search_report(search, session->report);
    return time_is_enough(&session->budget, &session->setup.time, session->report,
                          board->width * board->height, elapsed);
}

/* The lower of two bounds. A bound of 0 means that there is none. */
static double lower_bound(double a, double b) {
    return a <= 0 || (b > 0 && b < a) ? b : a;
}

/* The limits on visits and playouts are multiplied by this factor. If the factor is below 1, the
 * limit on time is multiplied by it, too. The factor differs from 1 only if each of the last three
 * searches for a move found a win - loss above time.winning_threshold. */
static double won_game_factor(const Session *session, const SessionSearch *call) {
    float min;
    bool known = resign_min_win_loss(&session->resign_history, call->color, 3, &min);
    return call->for_move && known ? time_winning_factor(&session->setup.time, (double)min) : 1;
}

/* Seconds that the search may take, where 0 means no limit. If the clock has run out, the search
 * takes a millisecond. */
static double seconds_limit(const Session *session, const SessionSearch *call) {
    double limit = lower_bound(session->setup.seconds, call->seconds);
    limit *= fmin(1, search_pass_factor(session->search)) * fmin(1, won_game_factor(session, call));
    return call->budget ? lower_bound(limit, fmax(0.001, call->budget->max)) : limit;
}

/* The visits of the root at which the search ends; 0 means no limit. */
static int64_t visits_limit(const Session *session, const SessionSearch *call) {
    if (call->visits > 0) return call->visits;
    if (call->budget && session->setup.visits_without_clock) return 0;
    double eased = (double)session->setup.visits * won_game_factor(session, call);
    return session->setup.visits && eased < 1 ? 1 : (int64_t)eased;
}

/* Sets the budget of this search: the budget of the clock, shortened by the carried time. The
 * carried time is the time that earlier searches spent on the part of the tree that is kept,
 * multiplied by time.carry_over. Returns the carried time in seconds. Called after
 * search_begin(). */
static double set_budget(Session *session, const SessionSearch *call) {
    double factor =
        fmin(1, search_pass_factor(session->search)) * fmin(1, won_game_factor(session, call));
    double kept = session->tree_visits > 0
                      ? (double)search_root_visits(session->search) / (double)session->tree_visits
                      : 0;
    double carried = session->tree_seconds * fmin(1, kept) * session->setup.time.carry_over;
    if (!call->budget) return carried;
    session->budget = *call->budget;
    session->budget.wanted = time_carried_over(factor * session->budget.wanted, carried);
    return carried;
}

/* Runs a search that was begun. Notes the seconds that were spent on the tree, and the visits of
 * the root. */
static Status run_and_time_search(Session *session, const DriverRun *run, double carried,
                                  Error *err) {
    double start = clock_seconds();
    Status status = driver_run(session->driver, session->search, run, err);
    session->tree_seconds = carried + clock_seconds() - start;
    session->tree_visits = search_root_visits(session->search);
    return status;
}

/* Goes on with reports until the client stops the analysis or does not read them any more. Called
 * after the end of an endless search, which also ends by itself when the tree is full. */
static void await_stop(Session *session) {
    const SessionSearch *call = session->call;
    double next = clock_seconds() + call->interval_seconds;
    while (!session->unread && !atomic_load_explicit(call->stop, memory_order_relaxed)) {
        clock_sleep_ms(5);
        if (!call->on_report || clock_seconds() < next) continue;
        on_progress(session, session->search);
        next = clock_seconds() + call->interval_seconds;
    }
}

/* Gives the search the settings of this call, with its playout doubling advantage. */
static Status set_search_settings(Session *session, const SessionSearch *call, Error *err) {
    SearchSettings settings = call->search ? *call->search : session->setup.search;
    if (call->doublings) {
        settings.playout_doubling_advantage = (double)*call->doublings;
        settings.playout_doubling_player = DOUBLING_OF_MOVER;
    }
    Status status = search_set_settings(session->search, &settings, err);
    if (status) return status;
    if (session->hides_history && !settings.ignore_history) session->in_search = false;
    session->hides_history = settings.ignore_history;
    session_note_advantage(session, &settings);
    return OK;
}

/* The number of new playouts that the search may make; 0 means no limit. */
static int64_t playouts_limit(const Session *session, const SessionSearch *call) {
    double eased = (double)session->setup.playouts * won_game_factor(session, call);
    if (call->visits > 0 || (call->budget && session->setup.visits_without_clock)) return 0;
    return session->setup.playouts && eased < 1 ? 1 : (int64_t)eased;
}

Status session_run(Session *session, const SessionSearch *call, const Report **report, Error *err) {
    Status status = set_mover(session, call->color, err);
    if (!status) status = set_search_settings(session, call, err);
    if (!status) status = set_search_position(session, err);
    if (status) return status;
    search_set_avoid(session->search, call->avoid);
    bool endless = call->endless && call->stop,
         reports = call->on_report && call->interval_seconds > 0;
    double limit = endless ? 0 : seconds_limit(session, call);
    bool by_clock = call->budget && !endless;
    search_begin(session->search,
                 &(SearchLimits){.visits = endless ? 0 : visits_limit(session, call),
                                 .playouts = endless ? 0 : playouts_limit(session, call)});
    double carried = set_budget(session, call);
    DriverRun run = {.seconds = limit,
                     .stop = call->stop,
                     .on_progress = reports ? on_progress : NULL,
                     .context = session,
                     .interval_seconds = reports ? call->interval_seconds : 1,
                     .is_enough = by_clock  ? has_searched_enough
                                  : reports ? is_unread
                                            : NULL,
                     .check_seconds =
                         by_clock ? fmin(0.1, fmax(0.005, call->budget->wanted / 20)) : 1};
    session->call = call;
    session->unread = false;
    status = run_and_time_search(session, &run, carried, err);
    if (!status && endless) await_stop(session);
    session->call = NULL;
    if (status) return status;
    search_report(session->search, session->report);
    *report = session->report;
    return OK;
}

Status session_ponder(Session *session, const SearchSettings *search, const atomic_bool *stop,
                      Error *err) {
    const SessionSetup *setup = &session->setup;
    const SessionSearch call = {.color = session->now.mover, .search = search};
    if (session->now.over || setup->time.ponder_seconds <= 0) return OK;
    Status status = set_search_settings(session, &call, err);
    if (!status && session->advantage_follows_mover) return OK;
    if (!status) status = set_search_position(session, err);
    if (status) return status;
    search_set_avoid(session->search, NULL);
    search_begin(session->search, &(SearchLimits){.visits = setup->time.ponder_visits,
                                                  .playouts = setup->time.ponder_playouts,
                                                  .pondering = true});
    DriverRun run = {.seconds = setup->time.ponder_seconds, .stop = stop};
    return run_and_time_search(session, &run, set_budget(session, &call), err);
}

void session_keep_ownership(Session *session) {
    search_keep_ownership(session->search, true);
}

bool session_ownership(const Session *session, Point point, float *mean, float *stdev) {
    return search_ownership(session->search, point, mean, stdev);
}

void session_root_symmetries(const Session *session, bool holds[8]) {
    search_root_symmetries(session->search, holds);
}

float session_prior(const Session *session, const Report *report, Point point) {
    int index = move_index(point, report->width, report->height);
    float human = search_human_prior(session->search, point);
    return human >= 0 ? human : fmaxf(0, report->raw_policy[index]);
}

Point session_pick(Session *session, const Report *report) {
    return choose_for_game(&session->setup.search, report, session->now.move_count, &session->rng);
}

bool session_resigns(Session *session, const Report *report) {
    return resign_is_due(&session->setup.resign, &session->resign_history, &session->now, report);
}
