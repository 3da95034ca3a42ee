#include "play/match/tournament/tournament_resume.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/log.h"
#include "play/match/tournament/tournament_count.h"
#include "sgf/sgf_game.h"

/* Added to the hash of the conditions if each pairing has openings of its own. */
static const uint64_t OWN_OPENINGS = 1;

Status tournament_path(const Tournament *tournament, int pairing, int number, Path *out,
                       Error *err) {
    const TournamentSetup *setup = tournament->setup;
    char name[64];
    if (setup->is_match)
        snprintf(name, sizeof name, "game-%05d.sgf", number);
    else
        snprintf(name, sizeof name, "%016llx-%05d.sgf",
                 (unsigned long long)tournament->salts[pairing], number);
    return path_join(out, setup->out_directory, name, err);
}

/* Does the same as tournament_conditions(). `own_openings` is true if each pairing has openings of
 * its own, as in a tournament. In a match, and in the tournaments of earlier versions, all pairings
 * share them. */
static Conditions conditions_of(const TournamentSetup *setup, int black, int white,
                                bool own_openings) {
    Conditions conditions;
    RulesText rules = rules_text(&setup->rules);
    uint64_t played_by = setup->draw ? match_draw_fingerprint(setup->draw)
                                     : hash_bytes(rules.text, strlen(rules.text), 1);
    uint64_t parts[7] = {player_fingerprint(&setup->players[black]),
                         player_fingerprint(&setup->players[white]), played_by,
                         (uint64_t)setup->opening_moves, (uint64_t)setup->move_limit};
    size_t count = 5;
    if (setup->resign) parts[count++] = resign_fingerprint(setup->resign);
    if (own_openings && setup->opening_moves) parts[count++] = OWN_OPENINGS;
    snprintf(conditions.text, sizeof conditions.text, "conditions %016llx",
             (unsigned long long)hash_bytes(parts, count * sizeof *parts, 1));
    conditions.settings_length = strlen(conditions.text);
    snprintf(conditions.text + conditions.settings_length,
             sizeof conditions.text - conditions.settings_length, " seed %llu",
             (unsigned long long)setup->seed);
    return conditions;
}

Conditions tournament_conditions(const TournamentSetup *setup, int black, int white) {
    return conditions_of(setup, black, white, !setup->is_match);
}

static bool has_conditions(const char *known, const Conditions *conditions) {
    return strncmp(known, conditions->text, conditions->settings_length) == 0;
}

/* Checks that a game of the folder belongs to this pairing and was played under its conditions. */
static Status check_finished(const TournamentSetup *setup, const TournamentPairing *pairing,
                             int number, MatchBoard board, const SgfGame *game, const char *path,
                             Error *err) {
    int black = number % 2 ? pairing->second : pairing->first,
        white = number % 2 ? pairing->first : pairing->second;
    bool same = strcmp(game->black, setup->players[black].name) == 0 &&
                strcmp(game->white, setup->players[white].name) == 0 &&
                game->width == board.width && game->height == board.height &&
                game->rules.komi == board.rules.komi;
    const char *known = strstr(game->comment, "conditions ");
    Conditions now = tournament_conditions(setup, black, white);
    Conditions shared_openings = conditions_of(setup, black, white, false);
    if (same && known && !has_conditions(known, &now) && has_conditions(known, &shared_openings))
        return fail(err, ERR_ARGUMENT,
                    "%s was played when all pairs of players had the same openings; such games "
                    "cannot be mixed with new ones: choose another folder (--out), or move "
                    "the games away",
                    path);
    if (same && known && !has_conditions(known, &now))
        return fail(err, ERR_ARGUMENT,
                    "%s was played with other settings of the players, rules, opening moves, move "
                    "limit or resigning; choose another folder (--out)",
                    path);
    const char *seed = known ? strstr(known, " seed ") : NULL;
    if (same && seed && strcmp(seed, now.text + now.settings_length) != 0)
        return fail(
            err, ERR_ARGUMENT,
            "%s was played with another seed (%.30s, not %llu); choose another folder (--out)",
            path, seed + 1, (unsigned long long)setup->seed);
    if (same) return OK;
    return fail(err, ERR_ARGUMENT,
                "%.200s is of another match: it is %.40s against %.40s, %dx%d, komi %g, where this "
                "match has %.40s against %.40s, %dx%d, komi %g; choose another folder (--out)",
                path, game->black, game->white, game->width, game->height, (double)game->rules.komi,
                setup->players[black].name, setup->players[white].name, board.width, board.height,
                (double)board.rules.komi);
}

static uint64_t hash_of_record(const SgfGame *game) {
    uint64_t moves_hash = 0;
    for (size_t i = 0; i < game->move_count; i++)
        moves_hash = tournament_hash_move(moves_hash, game->moves[i].move);
    return moves_hash;
}

/* Reads a game from its file, if there is one. */
static Status read_finished(Tournament *tournament, int pairing, int number, Error *err) {
    const TournamentSetup *setup = tournament->setup;
    Path path;
    SgfGame game;
    Error fault = {0};
    if (tournament_path(tournament, pairing, number, &path, NULL) || !file_exists(path.text))
        return OK;
    if (sgf_game_load(path.text, NULL, &game, &fault)) {
        log_warning("%s; the game is played again", fault.message);
        return OK;
    }
    MatchBoard board = tournament_board(setup, tournament->openings[pairing][number / 2]);
    Status status =
        check_finished(setup, &setup->pairings[pairing], number, board, &game, path.text, err);
    if (!status) {
        Color winner = sgf_game_winner(&game), first = number % 2 == 0 ? COLOR_BLACK : COLOR_WHITE;
        tournament_keep_result(
            tournament, pairing, number,
            &(GameResult){.finished = true,
                          .failed = strstr(game.result, "+F") != NULL,
                          .is_void = strcmp(game.result, VOID_RESULT) == 0,
                          .points = winner == COLOR_EMPTY ? 0.5 : winner == first,
                          .moves = (int)game.move_count,
                          .moves_hash = hash_of_record(&game)});
    }
    sgf_game_clear(&game);
    return status;
}

Status tournament_resume(Tournament *tournament, Error *err) {
    Status status = OK;
    for (int i = 0; i < tournament->schedule_count && !status; i++) {
        const ScheduledGame *scheduled = &tournament->schedule[i];
        status = read_finished(tournament, scheduled->pairing, scheduled->number, err);
    }
    return status;
}
