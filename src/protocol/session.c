#include "protocol/session.h"
#include "base/clock.h"
#include "base/memory.h"
#include "protocol/session_private.h"
#include "search/choose.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void free_evaluators(Evaluator **evaluators) {
    for (int i = 0; i < SEARCH_THREADS_MOST; i++)
        evaluator_free(evaluators[i]);
}

/* One for each thread. */
static Status renew_evaluators(Session *session, Error *err) {
    Evaluator *evaluators[SEARCH_THREADS_MOST] = {0};
    Driver *driver = NULL;
    EvaluatorWish wish = {session->setup.width, session->setup.height, -1, &session->setup.search};
    Status status = OK;
    for (int i = 0; i < session->setup.threads && !status; i++)
        status = session->setup.make_evaluator(session->setup.context, &wish, &evaluators[i], err);
    if (!status) status = driver_new_threads(evaluators, session->setup.threads, &driver, err);
    if (status) {
        free_evaluators(evaluators);
        return status;
    }
    driver_free(session->driver);
    free_evaluators(session->evaluators);
    memcpy(session->evaluators, evaluators, sizeof evaluators);
    session->driver = driver;
    return OK;
}

Status session_new(const SessionSetup *setup, Session **out, Error *err) {
    Session *session;
    *out = NULL;
    Status status = mem_new(1, sizeof *session, &session, err);
    if (status) return status;
    session->setup = *setup;
    session->rng = rng_seeded(setup->seed);
    if (session->setup.threads < 1) session->setup.threads = 1;
    status = mem_new(1, sizeof *session->report, &session->report, err);
    if (!status) status = search_new(&setup->search, setup->seed, &session->search, err);
    if (!status) search_set_shapes(session->search, setup->shapes);
    if (!status) status = session_resize(session, setup->width, setup->height, err);
    if (status)
        session_free(session);
    else
        *out = session;
    return status;
}

void session_free(Session *session) {
    if (!session) return;
    driver_free(session->driver);
    free_evaluators(session->evaluators);
    search_free(session->search);
    position_clear(&session->start);
    position_clear(&session->now);
    free(session->moves);
    free(session->report);
    free(session);
}

const SessionSetup *session_setup(const Session *session) {
    return &session->setup;
}

void session_forget(Session *session) {
    search_clear_tree(session->search);
}

SessionLimits session_limits(const SessionSetup *setup) {
    return (SessionLimits){setup->visits, setup->playouts, setup->visits_without_clock,
                           setup->seconds};
}

static void note_side(Session *session, const SearchSettings *search) {
    session->side_matters = search->playout_doubling_advantage != 0 &&
                            search->playout_doubling_player == DOUBLING_OF_MOVER;
}

Status session_configure(Session *session, const SearchSettings *search,
                         const SessionLimits *limits, Error *err) {
    SearchSettings before = session->setup.search;
    NetEvaluatorConfig asked_before = {0}, asked = {0};
    if (!limits->visits && !limits->playouts && limits->seconds <= 0)
        return fail(err, ERR_ARGUMENT, "without a limit of visits, one of time is needed");
    Status status = search_set_settings(session->search, search, err);
    if (status) return status;
    session->setup.search = *search;
    note_side(session, search);
    search_settings_evaluator(&before, &asked_before);
    search_settings_evaluator(search, &asked);
    if (asked.symmetries != asked_before.symmetries ||
        asked.policy_temperature != asked_before.policy_temperature ||
        strcmp(before.human_profile, search->human_profile) != 0) {
        status = renew_evaluators(session, err);
        if (status) {
            session->setup.search = before;
            note_side(session, &before);
            return search_set_settings(session->search, &before, NULL) ? ERR_MEMORY : status;
        }
        search_clear_tree(session->search);
    }
    session->setup.visits = limits->visits;
    session->setup.playouts = limits->playouts;
    session->setup.visits_without_clock = limits->visits_without_clock;
    session->setup.seconds = limits->seconds;
    return OK;
}

Status session_configure_play(Session *session, const TimeSettings *time,
                              const ResignSettings *resign, int threads, Error *err) {
    int before = session->setup.threads;
    if (threads < 1 || threads > SEARCH_THREADS_MOST)
        return fail(err, ERR_ARGUMENT, "%d threads, wanted 1 to %d", threads, SEARCH_THREADS_MOST);
    session->setup.threads = threads;
    Status status = threads == before ? OK : renew_evaluators(session, err);
    if (status) {
        session->setup.threads = before;
        return status;
    }
    session->setup.time = *time;
    session->setup.resign = *resign;
    return OK;
}

const Position *session_position(const Session *session) {
    return &session->now;
}

Status session_set_start(Session *session, const Position *start, Error *err) {
    Position copy = {0};
    Status status = position_copy(&copy, start, err);
    if (!status) status = position_copy(&session->now, start, err);
    if (status) {
        position_clear(&copy);
        return status;
    }
    position_clear(&session->start);
    session->start = copy;
    session->in_search = false;
    session->hopes.count = 0;
    session->move_count = session->followed = 0;
    return OK;
}

Status session_clear(Session *session, Error *err) {
    Position empty;
    Status status = position_init(&empty, session->setup.width, session->setup.height,
                                  &session->setup.rules, err);
    if (status) return status;
    empty.prevent_encore = true;
    status = session_set_start(session, &empty, err);
    position_clear(&empty);
    return status;
}

Status session_resize(Session *session, int width, int height, Error *err) {
    Board board;
    Status status = board_init(&board, width, height, err);
    if (status) return status;
    int before[2] = {session->setup.width, session->setup.height};
    session->setup.width = width;
    session->setup.height = height;
    status = renew_evaluators(session, err);
    if (status) {
        session->setup.width = before[0];
        session->setup.height = before[1];
        return status;
    }
    return session_clear(session, err);
}

/* Plays a move of a game record: as in SGF a color may repeat without a new start. */
static Status follow_move(Position *position, Move move, Error *err) {
    position->mover = move.color;
    return position_play_tolerant(position, move, err);
}

/* The game from this start up to `count` moves; `*out` is {0} on failure. */
static Status replay(const Session *session, const Position *start, size_t count, Position *out,
                     Error *err) {
    *out = (Position){0};
    Status status = position_copy(out, start, err);
    for (size_t i = 0; i < count && !status; i++)
        status = i < session->followed ? follow_move(out, session->moves[i], err)
                                       : position_play_tolerant(out, session->moves[i], err);
    if (status) position_clear(out);
    return status;
}

/* Takes `now`. */
static void go_to(Session *session, Position now, size_t count) {
    position_clear(&session->now);
    session->now = now;
    session->move_count = count;
    if (session->followed > count) session->followed = count;
    session->in_search = false;
    session->hopes.count = 0;
}

Status session_set_komi(Session *session, float komi, Error *err) {
    float doubled = komi * 2;
    if (!(komi >= -400 && komi <= 400) || doubled != (float)(int)doubled)
        return fail(err, ERR_ARGUMENT,
                    "komi must be an integer or half-integer within -400 to 400");
    session->setup.rules.komi = komi;
    session->in_search = false;
    session->hopes.count = 0;
    position_set_komi(&session->start, komi);
    position_set_komi(&session->now, komi);
    return OK;
}

Status session_set_rules(Session *session, const Rules *rules, Error *err) {
    Position fresh, now;
    Rules wanted = *rules;
    wanted.komi = session->setup.rules.komi;
    Status status =
        position_init_board(&fresh, &session->start.board, session->start.mover, &wanted, err);
    if (status) return status;
    fresh.prevent_encore = true;
    status = replay(session, &fresh, session->move_count, &now, err);
    if (status) {
        position_clear(&fresh);
        return status;
    }
    position_clear(&session->start);
    session->start = fresh;
    session->setup.rules = wanted;
    go_to(session, now, session->move_count);
    return OK;
}

void session_catch_up(Session *session) {
    for (int i = 0; i < session->behind_count && session->in_search; i++)
        session->in_search = !search_play(session->search, session->behind[i], true, NULL);
    session->behind_count = 0;
}

Status session_play(Session *session, Move move, Error *err) {
    Status status = mem_grow(&session->moves, &session->move_capacity, session->move_count + 1,
                             sizeof *session->moves, err);
    bool follows = session->in_search && move.color == session->now.mover &&
                   position_is_legal(&session->now, move.point);
    if (!status) status = position_play_tolerant(&session->now, move, err);
    if (status) return status;
    session->moves[session->move_count++] = move;
    if (!session->in_search) session->behind_count = 0;
    session->in_search = follows;
    if (follows && session->behind_count == BEHIND_MOST) session_catch_up(session);
    if (session->in_search) session->behind[session->behind_count++] = move.point;
    return OK;
}

Status session_undo(Session *session, Error *err) {
    if (!session->move_count) return fail(err, ERR_ILLEGAL, "cannot undo");
    Position earlier;
    Status status = replay(session, &session->start, session->move_count - 1, &earlier, err);
    if (!status) go_to(session, earlier, session->move_count - 1);
    return status;
}

/* Whether a game can be played at all. */
static Status try_game(const Position *start, const Move *moves, int count, Error *err) {
    Position trial = {0};
    Status status = position_copy(&trial, start, err);
    for (int i = 0; i < count && !status; i++)
        status = follow_move(&trial, moves[i], err);
    position_clear(&trial);
    return status;
}

Status session_follow(Session *session, const Position *start, const Move *moves, int count,
                      Error *err) {
    const Board *board = &start->board;
    Status status = try_game(start, moves, count, err);
    if (status) return status;
    if (board->width != session->setup.width || board->height != session->setup.height)
        status = session_resize(session, board->width, board->height, err);
    if (!status) status = session_set_start(session, start, err);
    if (!status) session->setup.rules = start->rules;
    for (int i = 0; i < count && !status; i++) {
        status = mem_grow(&session->moves, &session->move_capacity, session->move_count + 1,
                          sizeof *session->moves, err);
        if (!status) status = follow_move(&session->now, moves[i], err);
        if (!status) session->moves[session->move_count++] = moves[i];
    }
    session->followed = session->move_count;
    return status;
}

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
    float least;
    bool known = resign_least_hope(&session->hopes, how->color, 3, &least);
    return how->for_move && known ? time_winning_factor(&session->setup.time, (double)least) : 1;
}

/* Seconds of the search; 0: no bound. A clock that has run out is a quick move. */
static double limit_of(const Session *session, const SessionSearch *how) {
    double limit = lesser(session->setup.seconds, how->seconds);
    limit *= fmin(1, search_pass_factor(session->search)) * fmin(1, ease_of(session, how));
    return how->budget ? lesser(limit, fmax(0.001, how->budget->most)) : limit;
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
    double carried = session->thought * fmin(1, share) * (double)session->setup.time.carry_over;
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
    note_side(session, &settings);
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

Status session_ponder(Session *session, const atomic_bool *stop, Error *err) {
    const SessionSetup *setup = &session->setup;
    if (session->now.over || session->side_matters || setup->time.ponder_seconds <= 0) return OK;
    Status status = place_search(session, err);
    if (status) return status;
    search_set_avoid(session->search, NULL);
    search_begin(session->search, &(SearchLimits){.visits = setup->time.ponder_visits,
                                                  .playouts = setup->time.ponder_playouts,
                                                  .pondering = true});
    DriverRun run = {.seconds = (double)setup->time.ponder_seconds, .stop = stop};
    return run_search(session, &run, take_budget(session, &(SessionSearch){0}), err);
}

Status session_search(Session *session, Color color, double seconds, const Report **report,
                      Error *err) {
    return session_run(session, &(SessionSearch){.color = color, .seconds = seconds}, report, err);
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
    return resign_is_due(&session->setup.resign, &session->hopes, &session->now, report);
}

Status session_choose(Session *session, Color color, double seconds, Point *out, Error *err) {
    const Report *report;
    Status status = session_search(session, color, seconds, &report, err);
    if (!status) *out = session_pick(session, report);
    return status;
}
