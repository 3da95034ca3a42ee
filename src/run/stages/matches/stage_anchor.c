#include "run/stages/matches/stage_anchor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "play/match/gnu_go.h"

/* Seconds that GNU Go, level 10, takes for a game, divided by the square of the board's area. A
 * game takes 1 s on 7x7, 14 s on 13x13 and 65 s on 19x19. */
static const double SECONDS_PER_AREA_SQUARED = 5e-4;

Status anchor_player(const char *setting, PlayerSpec *out, bool *exists, Error *err) {
    *exists = false;
    if (strcmp(setting, "none") == 0) return OK;
    if (strcmp(setting, "auto") == 0) return gnu_go_player(out, exists, err);
    Status status = player_parse(setting, out, err);
    *exists = !status;
    return status;
}

/* If the games in the index are against another anchor, removes them, because one rating cannot
 * stand for two players. */
static Status adopt_anchor(RunIndex *index, const char *name, Error *err) {
    AnchorName before;
    Status status = run_index_anchor(index, &before, err);
    if (status || !*before.text || strcmp(before.text, name) == 0) return status;
    log_info("the ratings forget the games with %s, because the anchor is now %s", before.text,
             name);
    return run_index_remove_anchor(index, err);
}

/* Sets `*due` to true if the net has not played the anchor yet, and if run.anchor_share allows the
 * time that the games take. */
static Status is_due(const NetMatchSetup *match, const RunClock *clock, int number, bool *due,
                     Error *err) {
    const RunConfig *config = &match->plan->config;
    EloGames *pairings;
    int count, edge;
    double spent, games = 0;
    bool played = false;
    Status status = run_index_read(match->store->index, ANCHOR_FACT, &spent, err);
    if (!status) status = selfplay_board_size_at(&config->selfplay, match->rows, &edge, err);
    if (status) return status;
    status = run_index_pairings(match->store->index, &pairings, &count, err);
    for (int i = 0; i < count && !status; i++) {
        if (pairings[i].second != ANCHOR_NUMBER) continue;
        games += pairings[i].wins + pairings[i].draws + pairings[i].losses;
        played |= pairings[i].first == number;
    }
    free(pairings);
    double area = (double)edge * edge,
           first_guess = SECONDS_PER_AREA_SQUARED * area * area / match->plan->threads,
           per_game = games > 0 && spent > 0 ? spent / games : first_guess;
    *due = !played &&
           spent + per_game * match->games <= config->run.anchor_share * run_clock_seconds(clock);
    return status;
}

/* Keeps the result of the match. If the anchor failed and lost a game by that, the game does not
 * count, because it says nothing about the strength of the anchor. */
static Status keep_result(const NetMatchSetup *match, const RunClock *clock, int number,
                          const MatchResult *result, Error *err) {
    RunIndex *index = match->store->index;
    char curve[160];
    EloGames games = {number, ANCHOR_NUMBER, result->wins[0] - result->failures[1], result->draws,
                      result->wins[1]};
    double count = games.wins + games.draws + games.losses;
    snprintf(curve, sizeof curve, SCORE_METRIC "%s", match->opponent->name);
    Status status = run_index_begin(index, err);
    if (!status) status = run_index_add_value(index, ANCHOR_FACT, result->seconds, err);
    if (!status && count > 0)
        status = run_index_add_games(index, &games, match->opponent->name, err);
    if (!status && count > 0)
        status = run_index_set_metric(index, curve, match->samples, run_clock_seconds(clock),
                                      (games.wins + 0.5 * games.draws) / count, err);
    status = run_index_end(index, status, err);
    if (!status) net_match_forget(match->store, match->phase);
    return status;
}

Status stage_anchor(const NetMatchSetup *rating, const RunClock *clock, int number, bool *failed,
                    Error *err) {
    const RunSettings *run = &rating->plan->config.run;
    NetMatchSetup match = *rating;
    PlayerSpec anchor;
    MatchResult result;
    Error fault = {0};
    bool exists, due = false;
    if (*failed) return OK;
    Status status = anchor_player(run->anchor, &anchor, &exists, err);
    if (status || !exists) return status;
    match.phase = "anchor";
    match.opponent = &anchor;
    match.games = run->anchor_games;
    status = adopt_anchor(rating->store->index, anchor.name, err);
    if (!status) status = is_due(&match, clock, number, &due, err);
    if (status || !due) return status;
    status = net_match_play(&match, &result, &fault);
    if (status == ERR_STOPPED || status == ERR_MEMORY)
        return fail(err, status, "%s", fault.message);
    if (!status && result.games == 0)
        status = fail(&fault, ERR_ILLEGAL, "it refused a legal move in every game");
    *failed = status || result.failures[1];
    if (*failed)
        log_warning("anchor %s: %s; it does not play until the next start", anchor.name,
                    status ? fault.message : "it failed during a game");
    return status ? OK : keep_result(&match, clock, number, &result, err);
}
