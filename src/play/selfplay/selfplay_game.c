/* The loop of a self-play game. Where a step needs a search, it begins one and goes on when that is
 * done:
 * 1. The opening (selfplay_opening.c) finds the position of the first recorded turn, with komi,
 *    handicap, forks and random moves.
 * 2. A turn is searched fully or cheaply. As a rule a full search makes a training row. A cheap
 *    search makes one only by cheap.row_weight or by its policy surprise. If the winner is certain
 *    already, a full search has fewer visits, and its row has a smaller weight.
 * 3. A move is drawn by temperature, recorded and played. Steps 2 and 3 are repeated until the game
 *    is over, all points are pass-alive, or the move limit is reached.
 * 4. The searches after the game are made (selfplay_followup.c). Then the record is complete. */
#include "play/selfplay/selfplay_game.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "play/selfplay/selfplay_branches.h"
#include "play/selfplay/selfplay_followup.h"
#include "play/selfplay/selfplay_opening.h"
#include "play/selfplay/selfplay_search.h"
#include "search/result/choose.h"

/* Returns how certain the last searches were of the winner. If they all agree on the winner, this
 * is the smallest abs(win - loss) of them, otherwise a number of at most 0. As in KataGo, no game
 * is resigned; instead, games whose winner is certain get fewer visits (KataGo,
 * cpp/program/play.cpp). */
static double certainty_of_winner(const SelfplayGame *game) {
    int turns = game->settings->reduce.turns;
    if (!turns || game->recent_count < turns) return 0;
    double min = 1, max = -1;
    for (int i = game->recent_count - turns; i < game->recent_count; i++) {
        min = fmin(min, (double)game->recent[i]);
        max = fmax(max, (double)game->recent[i]);
    }
    return fmax(min, -max);
}

/* Returns how far the game is decided: 0 up to reduce.threshold, from there linearly to 1, where
 * the winner is certain. */
static double decided_fraction(const SelfplayGame *game) {
    double threshold = game->settings->reduce.threshold;
    if (threshold >= 1) return 0;
    return fmax(0, (certainty_of_winner(game) - threshold) / (1 - threshold));
}

/* Returns the visits of the mover in a search that normally has `visits`. The result differs from
 * `visits` only in games in which one side has more visits than the other. */
static int visits_of(const SelfplayGame *game, int visits) {
    float doublings = value_for_mover(game->draw.white_doublings, game->now.mover);
    return doublings == 0 ? visits : asymmetric_visits(visits, (double)doublings);
}

static Status begin_full(SelfplayGame *game, Error *err) {
    const SelfplaySettings *s = game->settings;
    bool hinted = game->hint != POINT_NONE && !game->record.turn_count;
    int visits = s->full.visits * (hinted ? HINT_VISITS : 1);
    game->row_weight = 1;
    double decided = decided_fraction(game);
    if (decided > 0) {
        double fraction = pow(decided, s->reduce.power);
        int min = s->reduce.visits < visits ? s->reduce.visits : visits;
        visits = (int)lround(visits + fraction * (min - visits));
        game->row_weight = (float)(1 + fraction * (s->reduce.weight - 1));
    }
    game->stage = STAGE_FULL;
    search_clear_tree(game->search);
    Status status = selfplay_search_set_settings(game, game->full, game->now.mover, err);
    if (hinted) search_set_hint(game->search, game->hint);
    if (!status) search_begin(game->search, &(SearchLimits){.visits = visits_of(game, visits)});
    return status;
}

/* Returns the probability that this turn is searched fully. It may fall in decided games (p3achygo,
 * cc/selfplay/self_play_thread.cc). A game that begins at a hint always searches its first turn
 * fully. In its next HINT_TURNS turns the probability of a cheap search is half of what it is in
 * other games (KataGo, hint positions). */
static double full_probability(const SelfplayGame *game) {
    double probability = game->settings->full.probability *
                         pow(1 - decided_fraction(game), game->settings->reduce.full_power);
    size_t turn = game->record.turn_count;
    if (game->hint == POINT_NONE || turn > HINT_TURNS) return probability;
    return turn == 0 ? 1 : 1 - (1 - probability) / 2;
}

static Status begin_turn(SelfplayGame *game, Error *err) {
    Status status = game_record_use_net(&game->record, game->net_name, err);
    if (status) return status;
    if (rng_uniform(&game->rng) < full_probability(game)) return begin_full(game, err);
    game->stage = STAGE_CHEAP;
    game->row_weight = (float)game->settings->cheap.row_weight;
    int visits = visits_of(game, game->settings->cheap.visits);
    /* One side must not use what the other has searched with more visits. */
    if (game->draw.white_doublings != 0) search_clear_tree(game->search);
    status = selfplay_search_set_settings(game, game->cheap, game->now.mover, err);
    if (!status) search_begin(game->search, &(SearchLimits){.visits = visits});
    return status;
}

static Status begin_recording(SelfplayGame *game, Error *err) {
    Status status = game_record_init(&game->record, &game->now, err);
    if (status) return status;
    GameRecord *record = &game->record;
    game->recording = true;
    float doublings = game->draw.white_doublings;
    record->mode = game->opening.encore_phase ? GAME_CLEANUP
                   : doublings != 0           ? GAME_ASYMMETRIC
                   : game->draw.handicap      ? GAME_HANDICAP
                                              : game->mode;
    if (doublings != 0) {
        record->playout_doubling_advantage[COLOR_WHITE] = doublings;
        record->playout_doubling_advantage[COLOR_BLACK] = -doublings;
    }
    record->hash[0] = rng_next(&game->rng);
    record->hash[1] = rng_next(&game->rng);
    record->draw_equivalent_wins_for_white = selfplay_search_draw_wins(game);
    status = search_set_position(game->search, &game->now, err);
    return status ? status : begin_turn(game, err);
}

/* Begins the next search of the opening. If the opening is complete, begins the first recorded
 * turn. */
static Status begin_next_search(SelfplayGame *game, Error *err) {
    bool ready;
    Status status = selfplay_opening_next(game, &ready, err);
    return status || !ready ? status : begin_recording(game, err);
}

static void remember_value(SelfplayGame *game, float white_win_loss) {
    if (game->recent_count == RECENT_MAX) {
        memmove(game->recent, game->recent + 1, (RECENT_MAX - 1) * sizeof *game->recent);
        game->recent_count--;
    }
    game->recent[game->recent_count++] = white_win_loss;
}

static Status after_turn(SelfplayGame *game, const Report *report, bool *over, Error *err) {
    Position *now = &game->now;
    bool full = game->stage == STAGE_FULL;
    double temperature =
        choose_temperature(full ? game->full : game->cheap, now->move_count, area_of(now));
    Point point = choose_move(report, temperature, true, &game->rng);
    Move move = {point, now->mover};
    Status status = game_record_add(&game->record, move, report, game->row_weight, err);
    if (!status) status = selfplay_followup_side(game, report, point, err);
    if (!status) status = position_play(now, point, err);
    if (status) return status;
    remember_value(game, value_for_white(report->win_loss, report->mover));
    int limit = area_of(now) * game->settings->move_limit_per_area_percent / 100;
    bool capped = !now->over && now->move_count >= limit;
    if (capped) position_end_and_score(now);
    if (game->ends_when_passalive && !now->over) position_end_if_all_passalive(now);
    if (now->over) {
        status = game_record_finish(&game->record, now, capped, err);
        return status ? status : selfplay_followup_next(game, NULL, over, err);
    }
    status = selfplay_branches_keep(game, report, err);
    if (!status) status = search_play(game->search, point, true, err);
    return status ? status : begin_turn(game, err);
}

Status selfplay_game_advance(SelfplayGame *game, const char *net_name, Report *scratch, bool *over,
                             Error *err) {
    *over = false;
    game->net_name = net_name;
    search_report(game->search, scratch);
    switch (game->stage) {
    case STAGE_CHEAP:
    case STAGE_FULL:
        return after_turn(game, scratch, over, err);
    case STAGE_SIDE:
    case STAGE_LEAD:
        return selfplay_followup_next(game, scratch, over, err);
    case STAGE_KOMI:
    case STAGE_HANDICAP:
    case STAGE_OPENING:
    case STAGE_FORK:
        break;
    }
    Status status = selfplay_opening_receive(game, scratch, err);
    return status ? status : begin_next_search(game, err);
}

Status selfplay_game_new(const SelfplayGameSetup *setup, Rng rng, SelfplayGame **out, Error *err) {
    SelfplayGame *game;
    *out = NULL;
    Status status = mem_new(1, sizeof *game, &game, err);
    if (status) return status;
    game->settings = setup->settings;
    game->choices = setup->choices;
    game->full = setup->full;
    game->cheap = setup->cheap;
    game->surprise = setup->surprise;
    game->net_name = setup->net_name;
    game->rng = rng;
    status = search_new(setup->cheap, rng_next(&game->rng), &game->search, err);
    if (!status) status = selfplay_opening_set_up(game, setup, err);
    if (!status) status = begin_next_search(game, err);
    if (status) {
        selfplay_game_free(game);
        return status;
    }
    *out = game;
    return OK;
}

void selfplay_game_free(SelfplayGame *game) {
    if (!game) return;
    search_free(game->search);
    position_clear(&game->now);
    komi_plan_clear(&game->komi);
    selfplay_followup_clear(game);
    selfplay_branches_clear(game);
    if (game->recording) game_record_clear(&game->record);
    free(game);
}

Search *selfplay_game_search(SelfplayGame *game) {
    return game->search;
}

GameRecord *selfplay_game_record(SelfplayGame *game) {
    return &game->record;
}
