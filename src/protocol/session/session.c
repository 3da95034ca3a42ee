#include "protocol/session/session.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "protocol/session/session_private.h"

static void free_evaluators(Evaluator **evaluators) {
    for (int i = 0; i < SEARCH_THREADS_MAX; i++)
        evaluator_free(evaluators[i]);
}

/* Makes an evaluator for each thread, and a driver for them. On failure the old ones stay. */
static Status renew_evaluators(Session *session, Error *err) {
    Evaluator *evaluators[SEARCH_THREADS_MAX] = {0};
    Driver *driver = NULL;
    EvaluatorSpec spec = {session->setup.width, session->setup.height, -1, &session->setup.search};
    Status status = OK;
    for (int i = 0; i < session->setup.threads && !status; i++)
        status = session->setup.make_evaluator(session->setup.context, &spec, &evaluators[i], err);
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

static Status check_rules(const Session *session, const Rules *rules, Error *err) {
    Rules known = session_nearest_rules(session, rules);
    return rules_equal(&known, rules)
               ? OK
               : fail(err, ERR_ARGUMENT,
                      "the net does not know the rules %s; the nearest that it knows are %s",
                      rules_text(rules).text, rules_text(&known).text);
}

Status session_new(const SessionSetup *setup, Session **out, Error *err) {
    Session *session;
    *out = NULL;
    Status status = mem_new(1, sizeof *session, &session, err);
    if (status) return status;
    session->setup = *setup;
    session->rng = rng_seeded(setup->seed);
    if (session->setup.threads < 1) session->setup.threads = 1;
    status = check_rules(session, &setup->rules, err);
    if (!status) status = mem_new(1, sizeof *session->report, &session->report, err);
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

void session_clear_tree(Session *session) {
    search_clear_tree(session->search);
}

bool session_has_human_policy(const SessionSetup *setup) {
    return setup->make_human || (setup->model_format && setup->model_format->metadata);
}

SessionLimits session_limits(const SessionSetup *setup) {
    return (SessionLimits){setup->visits, setup->playouts, setup->visits_without_clock,
                           setup->seconds};
}

void session_note_advantage(Session *session, const SearchSettings *search) {
    session->advantage_follows_mover = search->playout_doubling_advantage != 0 &&
                                       search->playout_doubling_player == DOUBLING_OF_MOVER;
}

Status session_configure(Session *session, const SearchSettings *search,
                         const SessionLimits *limits, Error *err) {
    SearchSettings before = session->setup.search;
    NetEvaluatorSetup evaluator_before = {0}, evaluator = {0};
    if (!limits->visits && !limits->playouts && limits->seconds <= 0)
        return fail(err, ERR_ARGUMENT,
                    "there is no limit of visits, playouts or seconds; one of them is needed");
    if (*search->human.profile && strcmp(before.human.profile, search->human.profile) != 0 &&
        !session_has_human_policy(&session->setup))
        return fail(err, ERR_ARGUMENT,
                    "human.profile is %.60s, but there is no net of human play (--human-net)",
                    search->human.profile);
    Status status = search_set_settings(session->search, search, err);
    if (status) return status;
    session->setup.search = *search;
    session_note_advantage(session, search);
    search_settings_evaluator(&before, &evaluator_before);
    search_settings_evaluator(search, &evaluator);
    if (evaluator.symmetries != evaluator_before.symmetries ||
        evaluator.policy_temperature != evaluator_before.policy_temperature ||
        strcmp(before.human.profile, search->human.profile) != 0) {
        status = renew_evaluators(session, err);
        if (status) {
            session->setup.search = before;
            session_note_advantage(session, &before);
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
    if (threads < 1 || threads > SEARCH_THREADS_MAX)
        return fail(err, ERR_ARGUMENT, "%d threads, expected 1 to %d", threads, SEARCH_THREADS_MAX);
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
    session->resign_history.count = 0;
    session->move_count = session->record_count = 0;
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

static Status check_length(size_t moves, Error *err) {
    if (moves <= GAME_MOVES_MAX) return OK;
    return fail(err, ERR_UNSUPPORTED, "a game can have at most %d moves", GAME_MOVES_MAX);
}

/* Replays a move of a game record. As in SGF, a color may move twice in a row. The game's history
 * then keeps the earlier moves; position_play_tolerant() alone would begin a new history. */
static Status replay_record_move(Position *position, Move move, Error *err) {
    bool in_turn = position->mover == move.color;
    position->mover = move.color;
    Status status = position_replay_on(position, move, err);
    if (!status && !in_turn) position->legal_turns = 0;
    return status;
}

/* Plays the first `count` moves of the game from `start`. `*out` is {0} after a failure. */
static Status replay_moves(const Session *session, const Position *start, size_t count,
                           Position *out, Error *err) {
    *out = (Position){0};
    Status status = position_copy(out, start, err);
    for (size_t i = 0; i < count && !status; i++)
        status = i < session->record_count ? replay_record_move(out, session->moves[i], err)
                                           : position_replay_on(out, session->moves[i], err);
    if (status)
        position_clear(out);
    else
        position_end_replay(out);
    return status;
}

/* Makes `now`, the position after `count` moves, the present position. Takes over its memory. */
static void set_position(Session *session, Position now, size_t count) {
    position_clear(&session->now);
    session->now = now;
    session->move_count = count;
    if (session->record_count > count) session->record_count = count;
    session->in_search = false;
    session->resign_history.count = 0;
}

Status session_check_komi(float komi, Error *err) {
    if (!rules_komi_is_valid((double)komi))
        return fail(err, ERR_ARGUMENT,
                    "komi is %g, expected an integer or half-integer from -400 to 400",
                    (double)komi);
    return OK;
}

Status session_set_komi(Session *session, float komi, Error *err) {
    Status status = session_check_komi(komi, err);
    if (status) return status;
    const Position *start = &session->start, *now = &session->now;
    if (session->setup.rules.komi == komi && start->rules.komi == komi && now->rules.komi == komi)
        return OK; /* the search and its tree go on */
    session->setup.rules.komi = komi;
    session->in_search = false;
    session->resign_history.count = 0;
    position_set_komi(&session->start, komi);
    position_set_komi(&session->now, komi);
    return OK;
}

Status session_set_rules(Session *session, const Rules *rules, Error *err) {
    Position fresh, now;
    Rules wanted = *rules;
    wanted.komi = session->setup.rules.komi;
    Status status = check_rules(session, &wanted, err);
    if (!status)
        status =
            position_init_board(&fresh, &session->start.board, session->start.mover, &wanted, err);
    if (status) return status;
    fresh.prevent_encore = true;
    status = replay_moves(session, &fresh, session->move_count, &now, err);
    if (status) {
        position_clear(&fresh);
        return status;
    }
    position_clear(&session->start);
    session->start = fresh;
    session->setup.rules = wanted;
    set_position(session, now, session->move_count);
    return OK;
}

Rules session_nearest_rules(const Session *session, const Rules *rules) {
    const ModelFormat *model_format = session->setup.model_format;
    return model_format ? model_format_rules(model_format, rules) : *rules;
}

void session_catch_up(Session *session) {
    for (int i = 0; i < session->unsearched_count && session->in_search; i++)
        session->in_search = !search_play(session->search, session->unsearched[i], true, NULL);
    session->unsearched_count = 0;
}

Status session_play(Session *session, Move move, Error *err) {
    Status status = check_length(session->move_count + 1, err);
    if (!status)
        status = mem_grow(&session->moves, &session->move_capacity, session->move_count + 1,
                          sizeof *session->moves, err);
    bool follows = session->in_search && move.color == session->now.mover &&
                   position_is_legal(&session->now, move.point);
    if (!status) status = position_play_tolerant(&session->now, move, err);
    if (status) return status;
    session->moves[session->move_count++] = move;
    if (!session->in_search) session->unsearched_count = 0;
    session->in_search = follows;
    if (follows && session->unsearched_count == UNSEARCHED_MAX) session_catch_up(session);
    if (session->in_search) session->unsearched[session->unsearched_count++] = move.point;
    return OK;
}

Status session_undo(Session *session, Error *err) {
    if (!session->move_count) return fail(err, ERR_ILLEGAL, "cannot undo");
    Position earlier;
    Status status = replay_moves(session, &session->start, session->move_count - 1, &earlier, err);
    if (!status) set_position(session, earlier, session->move_count - 1);
    return status;
}

/* Checks that all moves of a game can be played. */
static Status check_moves(const Position *start, const Move *moves, int count, Error *err) {
    Position trial = {0};
    Status status = check_length((size_t)count, err);
    if (!status) status = position_copy(&trial, start, err);
    for (int i = 0; i < count && !status; i++)
        status = replay_record_move(&trial, moves[i], err);
    position_clear(&trial);
    return status;
}

Status session_set_game(Session *session, const Position *start, const Move *moves, int count,
                        Error *err) {
    const Board *board = &start->board;
    Status status = check_moves(start, moves, count, err);
    if (status) return status;
    if (board->width != session->setup.width || board->height != session->setup.height)
        status = session_resize(session, board->width, board->height, err);
    if (!status) status = session_set_start(session, start, err);
    if (!status) session->setup.rules = start->rules;
    for (int i = 0; i < count && !status; i++) {
        status = mem_grow(&session->moves, &session->move_capacity, session->move_count + 1,
                          sizeof *session->moves, err);
        if (!status) status = replay_record_move(&session->now, moves[i], err);
        if (!status) session->moves[session->move_count++] = moves[i];
    }
    position_end_replay(&session->now);
    session->record_count = session->move_count;
    return status;
}
