/* One game of a tournament: its opening, turns and end. */
#include "play/match/tournament_game.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/disk_guard.h"
#include "base/log.h"
#include "play/match/match_opening.h"
#include "play/match/tournament_count.h"
#include "play/match/tournament_resume.h"
#include "search/result/choose.h"
#include "sgf/sgf_game.h"

enum {
    RESERVE_MB = 16, /* with less free space games wait for it */
    SAVE_TRIES = 5,  /* of a game, where there is room and yet it cannot be written */
    PAUSE_FIRST_MS = 500,
};

int tournament_side(const Slot *slot) {
    int black = slot->number % 2; /* game 2k: side 0 is Black */
    return slot->position.mover == COLOR_BLACK ? black : 1 - black;
}

static Color color_of(const Slot *slot, int side) {
    return side == slot->number % 2 ? COLOR_BLACK : COLOR_WHITE;
}

static const PlayerSpec *spec_of(const Tournament *tournament, const Slot *slot, int side) {
    return &tournament->setup->players[slot->player[side]];
}

static Seat *seat_of(TournamentWorker *worker, const Slot *slot, int side) {
    return &worker->seats[slot->player[side]];
}

static Status save_game(const Tournament *tournament, const Slot *slot, const char *result,
                        Error *err) {
    SgfGame game;
    Path path;
    Status status = sgf_game_init_position(&game, &slot->position, err);
    if (status) return status;
    int black = slot->number % 2;
    game.black = spec_of(tournament, slot, black)->name;
    game.white = spec_of(tournament, slot, 1 - black)->name;
    Conditions conditions =
        tournament_conditions(tournament->setup, slot->player[black], slot->player[1 - black]);
    game.result = result;
    game.comment = conditions.text;
    status = tournament_path(tournament, slot->pairing, slot->number, &path, err);
    if (!status) status = sgf_game_save(&game, path.text, err);
    sgf_game_clear(&game);
    return status;
}

/* A full disk, or a folder of another machine that is away, ends no match of days: it is waited for
 * room, and what fails then is tried again. */
static Status keep_game(const Tournament *tournament, const Slot *slot, const char *result,
                        Error *err) {
    const DiskGuard guard = {.path = tournament->setup->out_directory,
                             .reserve_bytes = (int64_t)RESERVE_MB << 20};
    int pause_ms = PAUSE_FIRST_MS;
    if (!guard.path) return OK;
    for (int tries = 1;; tries++, pause_ms *= 2) {
        Error fault = {0};
        Status status = disk_guard_wait(&guard, err);
        if (status) return status;
        status = save_game(tournament, slot, result, &fault);
        if (!status) return OK;
        if (status != ERR_IO || tries == SAVE_TRIES || stop_requested())
            return fail(err, status, "%s", fault.message);
        log_warning("%s; it is tried again", fault.message);
        for (int slept = 0; slept < pause_ms && !stop_requested(); slept += 100)
            clock_sleep_ms(100);
    }
}

/* `winner`: a side, -1 for a draw. */
static Status finish_game(Tournament *tournament, Slot *slot, int winner, bool failed,
                          const char *result, Error *err) {
    uint64_t course = 0;
    for (int i = 0; i < slot->position.move_count; i++)
        course = tournament_course(course, position_move(&slot->position, i));
    const GameResult entry = {.finished = true,
                              .failed = failed,
                              .is_void = strcmp(result, VOID_RESULT) == 0,
                              .points = winner < 0 ? 0.5 : winner == 0,
                              .moves = slot->position.move_count,
                              .course = course};
    Status status = keep_game(tournament, slot, result, err);
    if (!status) tournament_count(tournament, slot, &entry);
    slot->number = -1;
    return status;
}

static Status finish_by_rules(Tournament *tournament, Slot *slot, Error *err) {
    SgfResultText result = sgf_result_text(&slot->position.outcome, false);
    Color winner = slot->position.outcome.winner;
    int side = winner == COLOR_EMPTY ? -1 : color_of(slot, 0) == winner ? 0 : 1;
    return finish_game(tournament, slot, side, false, result.text, err);
}

static Status lose(TournamentWorker *worker, Slot *slot, int side, bool failed, const char *why,
                   Error *err) {
    char result[16];
    snprintf(result, sizeof result, "%s+%s", color_of(slot, side) == COLOR_BLACK ? "W" : "B",
             failed ? "F" : "R");
    if (failed)
        log_warning("game %d: %s loses: %s", slot->number,
                    spec_of(worker->tournament, slot, side)->name, why);
    if (failed) {
        Seat *seat = seat_of(worker, slot, side);
        gtp_client_stop(seat->program);
        seat->program = NULL;
    }
    return finish_game(worker->tournament, slot, 1 - side, failed, result, err);
}

/* A program's fault loses its game, unless we are the ones who stop: then the game is left. */
static Status fault_of(TournamentWorker *worker, Slot *slot, int side, Status status,
                       const Error *fault, Error *err) {
    return status == ERR_STOPPED ? OK : lose(worker, slot, side, true, fault->message, err);
}

/* A program did not take a move. One that refuses it (ERR_ILLEGAL) plays by other rules than we
 * do, for the move is legal here: nobody has lost. */
static Status not_taken(TournamentWorker *worker, Slot *slot, int side, Status status,
                        const Error *fault, Error *err) {
    const Tournament *tournament = worker->tournament;
    if (status != ERR_ILLEGAL) return fault_of(worker, slot, side, status, fault, err);
    log_warning("game %d is left unfinished: %s: %s; the move is legal by the rules of the match, "
                "%s: choose rules that both know",
                slot->number, spec_of(tournament, slot, side)->name, fault->message,
                rules_text(&tournament->setup->rules).text);
    return finish_game(worker->tournament, slot, -1, false, VOID_RESULT, err);
}

static Status tell(TournamentWorker *worker, Slot *slot, int side, Move move, Error *err) {
    const PlayerSpec *spec = spec_of(worker->tournament, slot, side);
    if (spec->kind != PLAYER_GTP) return OK;
    return gtp_client_ask(seat_of(worker, slot, side)->program, spec->move_seconds, NULL, err,
                          "play %s %s", move.color == COLOR_BLACK ? "B" : "W",
                          point_text(move.point, slot->position.board.height).text);
}

/* Whether the program lists this command, a line each. */
static Status lists_command(Seat *seat, const PlayerSpec *spec, const char *command, bool *out,
                            Error *err) {
    const char *at;
    size_t length = strlen(command);
    Status status = gtp_client_ask(seat->program, spec->move_seconds, &at, err, "list_commands");
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

/* GTP itself has no word for rules; programs that know KataGo's are told. One that refuses them
 * plays by its own, as others do. */
static Status tell_rules(TournamentWorker *worker, Seat *seat, const PlayerSpec *spec, Error *err) {
    Error fault = {0};
    if (!seat->takes_rules) return OK;
    Status status =
        gtp_client_ask(seat->program, spec->move_seconds, NULL, &fault, "kata-set-rules %s",
                       rules_text(&worker->tournament->setup->rules).text);
    if (status != ERR_ILLEGAL) return status ? fail(err, status, "%s", fault.message) : OK;
    log_warning("%s: %s: it plays by its own rules", spec->name, fault.message);
    seat->takes_rules = false;
    return OK;
}

static Status start_program(Seat *seat, const PlayerSpec *spec, Error *err) {
    if (seat->program) return OK;
    Status status = gtp_client_start(spec->command, &seat->program, err);
    return status ? status : lists_command(seat, spec, "kata-set-rules", &seat->takes_rules, err);
}

/* Begins a game in the program. *hopeless: it cannot be started, or refuses the board or the komi,
 * so that no game can be played. */
static Status set_up_program(TournamentWorker *worker, Slot *slot, int side, bool *hopeless,
                             Error *err) {
    const TournamentSetup *setup = worker->tournament->setup;
    const PlayerSpec *spec = spec_of(worker->tournament, slot, side);
    Seat *seat = seat_of(worker, slot, side);
    atomic_bool *answered = &worker->tournament->answered[slot->player[side]];
    Status status = start_program(seat, spec, err);
    if (!status && setup->width == setup->height)
        status = gtp_client_ask(seat->program, spec->move_seconds, NULL, err, "boardsize %d",
                                setup->width);
    else if (!status)
        status = gtp_client_ask(seat->program, spec->move_seconds, NULL, err,
                                "rectangular_boardsize %d %d", setup->width, setup->height);
    if (!status)
        status = gtp_client_ask(seat->program, spec->move_seconds, NULL, err, "clear_board");
    if (!status)
        status = gtp_client_ask(seat->program, spec->move_seconds, NULL, err, "komi %g",
                                (double)setup->rules.komi);
    if (!status) status = tell_rules(worker, seat, spec, err);
    if (!status) atomic_store(answered, true);
    *hopeless = status == ERR_ILLEGAL || (status && !atomic_load(answered));
    for (int i = 0; i < slot->position.move_count && !status; i++)
        status = tell(worker, slot, side, position_move(&slot->position, i), err);
    return status;
}

/* The search of a side, with its player's settings. */
static Status set_up_search(TournamentWorker *worker, Slot *slot, int side, uint64_t seed,
                            Error *err) {
    const PlayerSpec *spec = spec_of(worker->tournament, slot, side);
    Status status = OK;
    if (!slot->search[side])
        status = search_new(&spec->search, seed, &slot->search[side], err);
    else if (slot->search_player[side] != slot->player[side])
        status = search_set_settings(slot->search[side], &spec->search, err);
    if (status) return status;
    slot->search_player[side] = slot->player[side];
    search_seed(slot->search[side], seed);
    return search_set_position(slot->search[side], &slot->position, err);
}

Status tournament_begin(TournamentWorker *worker, Slot *slot, const GamePlace *place, Error *err) {
    Tournament *tournament = worker->tournament;
    const TournamentSetup *setup = tournament->setup;
    const TournamentPairing *pairing = &setup->pairings[place->pairing];
    uint64_t seed = setup->seed * 7919 + tournament->salts[place->pairing];
    *slot = (Slot){.pairing = place->pairing,
                   .number = place->number,
                   .player = {pairing->first, pairing->second},
                   .position = slot->position,
                   .search = {slot->search[0], slot->search[1]},
                   .search_player = {slot->search_player[0], slot->search_player[1]},
                   .rng = rng_seeded(seed + (uint64_t)place->number)};
    Status status = match_play_opening(
        setup, tournament->openings[place->pairing][place->number / 2], &slot->position, err);
    for (int side = 0; side < 2 && !status; side++) {
        const PlayerSpec *spec = spec_of(tournament, slot, side);
        if (spec->kind == PLAYER_ENGINE)
            status = set_up_search(worker, slot, side,
                                   seed + (uint64_t)(2 * place->number + side) + 1, err);
        if (status || spec->kind != PLAYER_GTP) continue;
        Error fault = {0};
        bool hopeless;
        Status begun = set_up_program(worker, slot, side, &hopeless, &fault);
        if (hopeless) return fail(err, begun, "%s: %s", spec->name, fault.message);
        if (begun) return not_taken(worker, slot, side, begun, &fault, err);
    }
    return status;
}

/* Plays a move that the rules allow, tells everybody, and ends the game where it ends. */
static Status play(TournamentWorker *worker, Slot *slot, int side, Point point, Error *err) {
    const TournamentSetup *setup = worker->tournament->setup;
    Move move = {point, slot->position.mover};
    Status status = position_play(&slot->position, point, err);
    for (int s = 0; s < 2 && !status; s++) {
        if (spec_of(worker->tournament, slot, s)->kind == PLAYER_ENGINE)
            status = search_play(slot->search[s], point, true, err);
    }
    if (status) return status;
    int limit = setup->move_limit ? setup->move_limit : 4 * setup->width * setup->height;
    if (!slot->position.over && slot->position.move_count >= limit)
        position_end_and_score(&slot->position);
    if (slot->position.over) return finish_by_rules(worker->tournament, slot, err);
    Error fault = {0};
    status = tell(worker, slot, 1 - side, move, &fault);
    return status ? not_taken(worker, slot, 1 - side, status, &fault, err) : OK;
}

/* Says what a program answered instead of a move, in one line of plain characters. */
static Status not_a_move(const char *answer, Error *err) {
    char shown[41];
    size_t length = 0;
    for (; answer[length] && length < sizeof shown - 1; length++)
        shown[length] = answer[length] >= ' ' && answer[length] <= '~' ? answer[length] : '?';
    shown[length] = 0;
    return fail(err, ERR_SYNTAX, "its move \"%s%s\" is not a point such as C3, pass or resign",
                shown, answer[length] ? "..." : "");
}

static Status ask_program(TournamentWorker *worker, Slot *slot, int side, Error *err) {
    const PlayerSpec *spec = spec_of(worker->tournament, slot, side);
    const char *answer;
    Error fault = {0};
    Point point;
    const Board *board = &slot->position.board;
    Status status =
        gtp_client_ask(seat_of(worker, slot, side)->program, spec->move_seconds, &answer, &fault,
                       "genmove %s", slot->position.mover == COLOR_BLACK ? "B" : "W");
    if (!status && strcasecmp(answer, "resign") == 0)
        return lose(worker, slot, side, false, "", err);
    if (!status && strlen(answer) > 5) status = not_a_move(answer, &fault);
    if (!status) status = point_parse(answer, board->width, board->height, &point, &fault);
    if (!status && !position_is_legal(&slot->position, point))
        status = fail(&fault, ERR_ILLEGAL, "illegal move %.20s", answer);
    if (status) return fault_of(worker, slot, side, status, &fault, err);
    return play(worker, slot, side, point, err);
}

Status tournament_advance(TournamentWorker *worker, Slot *slot, Error *err) {
    const TournamentSetup *setup = worker->tournament->setup;
    int side = tournament_side(slot);
    const PlayerSpec *spec = spec_of(worker->tournament, slot, side);
    if (spec->kind == PLAYER_RANDOM)
        return play(worker, slot, side, match_random_move(&slot->position, &slot->rng, true), err);
    if (spec->kind == PLAYER_GTP) return ask_program(worker, slot, side, err);
    if (!slot->searching) {
        search_begin(slot->search[side], &(SearchLimits){.visits = spec->visits});
        slot->searching = true;
    }
    if (!search_done(slot->search[side])) return OK;
    slot->searching = false;
    search_report(slot->search[side], worker->report);
    if (setup->resign &&
        resign_is_due(setup->resign, &slot->resign_history, &slot->position, worker->report))
        return lose(worker, slot, side, false, "", err);
    double temperature =
        choose_temperature(&spec->search, slot->position.move_count, setup->width * setup->height);
    return play(worker, slot, side, choose_move(worker->report, temperature, false, &slot->rng),
                err);
}
