#include "play/match/tournament/tournament_game.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/disk_guard.h"
#include "base/log.h"
#include "play/match/match_opening.h"
#include "play/match/tournament/tournament_count.h"
#include "play/match/tournament/tournament_resume.h"
#include "search/result/choose.h"
#include "sgf/sgf_game.h"

enum {
    RESERVE_MB = 16,      /* no game is saved while less disk space is free */
    SAVE_TRIES = 5,       /* maximum number of tries to write a game */
    PAUSE_FIRST_MS = 500, /* pause after the first failed try; it doubles each time */
};

int tournament_side(const ActiveGame *game) {
    int black = game->number % 2; /* game 2k: side 0 is Black */
    return game->position.mover == COLOR_BLACK ? black : 1 - black;
}

static Color color_of(const ActiveGame *game, int side) {
    return side == game->number % 2 ? COLOR_BLACK : COLOR_WHITE;
}

static const PlayerSpec *player_of(const Tournament *tournament, const ActiveGame *game, int side) {
    return &tournament->setup->players[game->player[side]];
}

static PlayerInstance *instance_of(TournamentWorker *worker, const ActiveGame *game, int side) {
    return &worker->instances[game->player[side]];
}

static Status save_game(const Tournament *tournament, const ActiveGame *game, const char *result,
                        Error *err) {
    SgfGame record;
    Path path;
    Status status = sgf_game_init_position(&record, &game->position, err);
    if (status) return status;
    int black = game->number % 2;
    record.black = player_of(tournament, game, black)->name;
    record.white = player_of(tournament, game, 1 - black)->name;
    record.black_rank = player_of(tournament, game, black)->rank;
    record.white_rank = player_of(tournament, game, 1 - black)->rank;
    Conditions conditions =
        tournament_conditions(tournament->setup, game->player[black], game->player[1 - black]);
    record.result = result;
    record.comment = conditions.text;
    status = tournament_path(tournament, game->pairing, game->number, &path, err);
    if (!status) status = sgf_game_save(&record, path.text, err);
    sgf_game_clear(&record);
    return status;
}

/* Saves a game. A full disk, or a network folder that is away for a while, must not end a match
 * that takes days. So this function waits for free space, and it tries again after a pause if a
 * write fails. */
static Status save_game_with_retries(const Tournament *tournament, const ActiveGame *game,
                                     const char *result, Error *err) {
    const TournamentSetup *setup = tournament->setup;
    int64_t reserve = setup->disk_reserve_bytes;
    const DiskGuard guard = {.path = setup->out_directory,
                             .reserve_bytes = reserve ? reserve : (int64_t)RESERVE_MB << 20};
    int pause_ms = PAUSE_FIRST_MS;
    if (!guard.path) return OK;
    for (int tries = 1;; tries++, pause_ms *= 2) {
        Error fault = {0};
        Status status = disk_guard_wait(&guard, err);
        if (status) return status;
        status = save_game(tournament, game, result, &fault);
        if (!status) return OK;
        if (status != ERR_IO || tries == SAVE_TRIES || stop_requested())
            return fail(err, status, "%s", fault.message);
        log_warning("%s; trying again", fault.message);
        for (int slept = 0; slept < pause_ms && !stop_requested(); slept += 100)
            clock_sleep_ms(100);
    }
}

/* Saves and counts a game that is over. `winner` is a side, or -1 for a draw or a void game. */
static Status finish_game(Tournament *tournament, ActiveGame *game, int winner, bool failed,
                          const char *result, Error *err) {
    uint64_t moves_hash = 0;
    for (int i = 0; i < game->position.move_count; i++)
        moves_hash = tournament_hash_move(moves_hash, position_move(&game->position, i));
    const GameResult entry = {.finished = true,
                              .failed = failed,
                              .is_void = strcmp(result, VOID_RESULT) == 0,
                              .points = winner < 0 ? 0.5 : winner == 0,
                              .moves = game->position.move_count,
                              .moves_hash = moves_hash};
    Status status = save_game_with_retries(tournament, game, result, err);
    if (!status) tournament_finish_game(tournament, game, &entry);
    game->number = -1;
    return status;
}

static Status finish_by_rules(Tournament *tournament, ActiveGame *game, Error *err) {
    SgfResultText result = sgf_result_text(&game->position.outcome, false);
    Color winner = game->position.outcome.winner;
    int side = winner == COLOR_EMPTY ? -1 : color_of(game, 0) == winner ? 0 : 1;
    return finish_game(tournament, game, side, false, result.text, err);
}

static Status lose_game(TournamentWorker *worker, ActiveGame *game, int side, bool failed,
                        const char *why, Error *err) {
    char result[16];
    snprintf(result, sizeof result, "%s+%s", color_of(game, side) == COLOR_BLACK ? "W" : "B",
             failed ? "F" : "R");
    if (failed)
        log_warning("game %d: %s loses: %s", game->number,
                    player_of(worker->tournament, game, side)->name, why);
    if (failed) {
        PlayerInstance *instance = instance_of(worker, game, side);
        gtp_client_stop(instance->program);
        instance->program = NULL;
    }
    return finish_game(worker->tournament, game, 1 - side, failed, result, err);
}

/* A program that fails loses its game. If it failed only because the user stopped the tournament,
 * the game stays unfinished. */
static Status lose_by_fault(TournamentWorker *worker, ActiveGame *game, int side, Status status,
                            const Error *fault, Error *err) {
    return status == ERR_STOPPED ? OK : lose_game(worker, game, side, true, fault->message, err);
}

/* Handles a program that did not accept a move. The move is legal by the rules of the match. So a
 * program that refuses it (ERR_ILLEGAL) plays by other rules. Then nobody has lost, and the game is
 * void. A program that failed in another way loses. */
static Status handle_refused_move(TournamentWorker *worker, ActiveGame *game, int side,
                                  Status status, const Error *fault, Error *err) {
    const Tournament *tournament = worker->tournament;
    if (status != ERR_ILLEGAL) return lose_by_fault(worker, game, side, status, fault, err);
    log_warning("game %d is left unfinished: %s: %s; the move is legal by the rules of the match, "
                "%s. Choose rules that both players know",
                game->number, player_of(tournament, game, side)->name, fault->message,
                rules_text(&game->position.rules).text);
    return finish_game(worker->tournament, game, -1, false, VOID_RESULT, err);
}

/* If the player of `side` is a program, tells it a move that was played. */
static Status send_move(TournamentWorker *worker, ActiveGame *game, int side, Move move,
                        Error *err) {
    const PlayerSpec *spec = player_of(worker->tournament, game, side);
    if (spec->kind != PLAYER_GTP) return OK;
    return gtp_client_ask(instance_of(worker, game, side)->program, spec->move_seconds, NULL, err,
                          "play %s %s", move.color == COLOR_BLACK ? "B" : "W",
                          point_text(move.point, game->position.board.height).text);
}

/* Sets `*out` to whether the answer of the program to list_commands contains `command`. */
static Status lists_command(PlayerInstance *instance, const PlayerSpec *spec, const char *command,
                            bool *out, Error *err) {
    const char *at;
    size_t length = strlen(command);
    Status status =
        gtp_client_ask(instance->program, spec->move_seconds, &at, err, "list_commands");
    *out = false;
    if (status == ERR_ILLEGAL) return OK; /* it has no list */
    while (!status && *at && !*out) {
        size_t word = strcspn(at, " \t\n");
        *out = word == length && strncmp(at, command, word) == 0;
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return status;
}

/* Sends the rules to a program that knows KataGo's kata-set-rules; GTP has no command for them. A
 * program that refuses the rules, or does not know the command, plays by its own rules. */
static Status send_rules(PlayerInstance *instance, const PlayerSpec *spec, const Rules *rules,
                         Error *err) {
    Error fault = {0};
    if (!instance->takes_rules) return OK;
    Status status = gtp_client_ask(instance->program, spec->move_seconds, NULL, &fault,
                                   "kata-set-rules %s", rules_text(rules).text);
    if (status != ERR_ILLEGAL) return status ? fail(err, status, "%s", fault.message) : OK;
    log_warning("%s: %s: it plays by its own rules", spec->name, fault.message);
    instance->takes_rules = false;
    return OK;
}

static Status start_program(PlayerInstance *instance, const PlayerSpec *spec, Error *err) {
    if (instance->program) return OK;
    Status status = gtp_client_start(spec->command, &instance->program, err);
    return status ? status
                  : lists_command(instance, spec, "kata-set-rules", &instance->takes_rules, err);
}

/* Starts the program if necessary and sets up a game in it. Sets `*unusable` to true if no game can
 * be played. This is so if the program refuses the board or the komi. It is also so if the program
 * fails before any game has been set up in it, because it probably cannot be started then. */
static Status set_up_program(TournamentWorker *worker, ActiveGame *game, int side, bool *unusable,
                             Error *err) {
    const Board *board = &game->position.board;
    const PlayerSpec *spec = player_of(worker->tournament, game, side);
    PlayerInstance *instance = instance_of(worker, game, side);
    atomic_bool *answered = &worker->tournament->answered[game->player[side]];
    Status status = start_program(instance, spec, err);
    if (!status && board->width == board->height)
        status = gtp_client_ask(instance->program, spec->move_seconds, NULL, err, "boardsize %d",
                                board->width);
    else if (!status)
        status = gtp_client_ask(instance->program, spec->move_seconds, NULL, err,
                                "rectangular_boardsize %d %d", board->width, board->height);
    if (!status)
        status = gtp_client_ask(instance->program, spec->move_seconds, NULL, err, "clear_board");
    if (!status)
        status = gtp_client_ask(instance->program, spec->move_seconds, NULL, err, "komi %g",
                                (double)game->position.rules.komi);
    if (!status) status = send_rules(instance, spec, &game->position.rules, err);
    if (!status) atomic_store(answered, true);
    *unusable = status == ERR_ILLEGAL || (status && !atomic_load(answered));
    for (int i = 0; i < game->position.move_count && !status; i++)
        status = send_move(worker, game, side, position_move(&game->position, i), err);
    return status;
}

/* Gives a side a search with the settings of its player and the position of the game. */
static Status set_up_search(TournamentWorker *worker, ActiveGame *game, int side, uint64_t seed,
                            Error *err) {
    const PlayerSpec *spec = player_of(worker->tournament, game, side);
    Status status = OK;
    if (!game->search[side])
        status = search_new(&spec->search, seed, &game->search[side], err);
    else if (game->search_player[side] != game->player[side])
        status = search_set_settings(game->search[side], &spec->search, err);
    if (status) return status;
    game->search_player[side] = game->player[side];
    search_seed(game->search[side], seed);
    return search_set_position(game->search[side], &game->position, err);
}

Status tournament_begin(TournamentWorker *worker, ActiveGame *game, const ScheduledGame *scheduled,
                        Error *err) {
    Tournament *tournament = worker->tournament;
    const TournamentSetup *setup = tournament->setup;
    const TournamentPairing *pairing = &setup->pairings[scheduled->pairing];
    uint64_t seed = setup->seed * 7919 + tournament->salts[scheduled->pairing];
    *game = (ActiveGame){.pairing = scheduled->pairing,
                         .number = scheduled->number,
                         .player = {pairing->first, pairing->second},
                         .position = game->position,
                         .search = {game->search[0], game->search[1]},
                         .search_player = {game->search_player[0], game->search_player[1]},
                         .rng = rng_seeded(seed + (uint64_t)scheduled->number)};
    Status status =
        match_play_opening(setup, tournament->openings[scheduled->pairing][scheduled->number / 2],
                           &game->position, err);
    for (int side = 0; side < 2 && !status; side++) {
        const PlayerSpec *spec = player_of(tournament, game, side);
        if (spec->kind == PLAYER_ENGINE)
            status = set_up_search(worker, game, side,
                                   seed + (uint64_t)(2 * scheduled->number + side) + 1, err);
        if (status || spec->kind != PLAYER_GTP) continue;
        Error fault = {0};
        bool unusable;
        Status started = set_up_program(worker, game, side, &unusable, &fault);
        if (unusable) return fail(err, started, "%s: %s", spec->name, fault.message);
        if (started) return handle_refused_move(worker, game, side, started, &fault, err);
    }
    return status;
}

/* Plays a legal move. Then, if the game is over, finishes it. Otherwise, if the other player is a
 * program, sends it the move. */
static Status play_move(TournamentWorker *worker, ActiveGame *game, int side, Point point,
                        Error *err) {
    const TournamentSetup *setup = worker->tournament->setup;
    Move move = {point, game->position.mover};
    Status status = position_play(&game->position, point, err);
    for (int s = 0; s < 2 && !status; s++) {
        if (player_of(worker->tournament, game, s)->kind == PLAYER_ENGINE)
            status = search_play(game->search[s], point, true, err);
    }
    if (status) return status;
    const Board *board = &game->position.board;
    int limit = setup->move_limit ? setup->move_limit : 4 * board->width * board->height;
    if (!game->position.over && game->position.move_count >= limit)
        position_end_and_score(&game->position);
    if (game->position.over) return finish_by_rules(worker->tournament, game, err);
    Error fault = {0};
    status = send_move(worker, game, 1 - side, move, &fault);
    return status ? handle_refused_move(worker, game, 1 - side, status, &fault, err) : OK;
}

/* Fails with what a program answered instead of a move, in printable characters. */
static Status fail_not_a_move(const char *answer, Error *err) {
    char shown[41];
    size_t length = 0;
    for (; answer[length] && length < sizeof shown - 1; length++)
        shown[length] = answer[length] >= ' ' && answer[length] <= '~' ? answer[length] : '?';
    shown[length] = 0;
    return fail(err, ERR_SYNTAX, "its move \"%s%s\" is not a point such as C3, pass or resign",
                shown, answer[length] ? "..." : "");
}

static Status ask_program(TournamentWorker *worker, ActiveGame *game, int side, Error *err) {
    const PlayerSpec *spec = player_of(worker->tournament, game, side);
    const char *answer;
    Error fault = {0};
    Point point;
    const Board *board = &game->position.board;
    Status status =
        gtp_client_ask(instance_of(worker, game, side)->program, spec->move_seconds, &answer,
                       &fault, "genmove %s", game->position.mover == COLOR_BLACK ? "B" : "W");
    if (!status && strcasecmp(answer, "resign") == 0)
        return lose_game(worker, game, side, false, "", err);
    if (!status && strlen(answer) > 5) status = fail_not_a_move(answer, &fault);
    if (!status) status = point_parse(answer, board->width, board->height, &point, &fault);
    if (!status && !position_is_legal(&game->position, point))
        status = fail(&fault, ERR_ILLEGAL, "illegal move %.20s", answer);
    if (status) return lose_by_fault(worker, game, side, status, &fault, err);
    return play_move(worker, game, side, point, err);
}

Status tournament_advance(TournamentWorker *worker, ActiveGame *game, Error *err) {
    const TournamentSetup *setup = worker->tournament->setup;
    int side = tournament_side(game);
    const PlayerSpec *spec = player_of(worker->tournament, game, side);
    if (spec->kind == PLAYER_RANDOM)
        return play_move(worker, game, side, match_random_move(&game->position, &game->rng, true),
                         err);
    if (spec->kind == PLAYER_GTP) return ask_program(worker, game, side, err);
    if (!game->searching) {
        search_begin(game->search[side], &(SearchLimits){.visits = spec->visits});
        game->searching = true;
    }
    if (!search_done(game->search[side])) return OK;
    game->searching = false;
    search_report(game->search[side], worker->report);
    if (setup->resign &&
        resign_is_due(setup->resign, &game->resign_history, &game->position, worker->report))
        return lose_game(worker, game, side, false, "", err);
    Point point =
        choose_for_game(&spec->search, worker->report, game->position.move_count, &game->rng);
    return play_move(worker, game, side, point, err);
}
