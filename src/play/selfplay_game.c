#include "play/selfplay_game.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "play/selfplay_game_private.h"
#include "search/choose.h"

static int area_of(const Position *position) {
    return position->board.width * position->board.height;
}

static bool happens(SelfplayGame *game, float probability) {
    return probability > 0 && rng_uniform(&game->rng) < (double)probability;
}

static float draw_wins(const SelfplayGame *game) {
    float wins = game->full->draw_equivalent_wins_for_white + game->draw.draw_shift;
    return wins < 0 ? 0 : wins > 1 ? 1 : wins;
}

Status selfplay_use_settings(SelfplayGame *game, const SearchSettings *of, Color mover,
                             Error *err) {
    SearchSettings settings = *of;
    settings.playout_doubling_advantage = value_for_mover(game->draw.white_doublings, mover);
    settings.playout_doubling_player = DOUBLING_OF_MOVER;
    if (game->draw.draw_shift != 0) settings.draw_equivalent_wins_for_white = draw_wins(game);
    float no_result = settings.no_result_utility_for_white + game->draw.no_result_shift;
    if (game->draw.no_result_shift != 0)
        settings.no_result_utility_for_white = fmaxf(-1, fminf(1, no_result));
    return search_set_settings(game->search, &settings, err);
}

Status selfplay_begin_other(SelfplayGame *game, Stage stage, const Position *position, int visits,
                            Error *err) {
    game->stage = stage;
    Status status = selfplay_use_settings(game, game->cheap, position->mover, err);
    if (!status) status = search_set_position(game->search, position, err);
    if (!status) search_begin(game->search, &(SearchLimits){.visits = visits});
    return status;
}

static Status begin_single(SelfplayGame *game, Stage stage, const Position *position, Error *err) {
    return selfplay_begin_other(game, stage, position, 1, err);
}

/* The least extreme of the last values if all agree on who wins, else 0 (KataGo: reduced visits
 * instead of resigning). */
static double decidedness(const SelfplayGame *game) {
    int turns = game->settings->reduce_turns;
    if (!turns || game->recent_count < turns) return 0;
    double least = 1, most = -1;
    for (int i = game->recent_count - turns; i < game->recent_count; i++) {
        least = fmin(least, (double)game->recent[i]);
        most = fmax(most, (double)game->recent[i]);
    }
    return fmax(least, -most);
}

/* The mover's share of so many visits. */
static int visits_of(const SelfplayGame *game, int visits) {
    float doublings = value_for_mover(game->draw.white_doublings, game->now.mover);
    return doublings == 0 ? visits : asymmetric_visits(visits, (double)doublings);
}

static Status begin_full(SelfplayGame *game, Error *err) {
    const SelfplaySettings *s = game->settings;
    bool hinted = game->hint != POINT_NONE && !game->record.turn_count;
    int visits = s->full_visits * (hinted ? HINT_VISITS : 1);
    game->row_weight = 1;
    double beyond = decidedness(game) - (double)s->reduce_threshold;
    if (beyond > 0 && s->reduce_threshold < 1) {
        double share = beyond / (1 - (double)s->reduce_threshold);
        share *= share;
        int least = s->reduce_visits < visits ? s->reduce_visits : visits;
        visits = (int)lround(visits + share * (least - visits));
        game->row_weight = (float)(1 + share * ((double)s->reduce_weight - 1));
    }
    game->stage = STAGE_FULL;
    search_clear_tree(game->search);
    Status status = selfplay_use_settings(game, game->full, game->now.mover, err);
    if (hinted) search_set_hint(game->search, game->hint);
    if (!status) search_begin(game->search, &(SearchLimits){.visits = visits_of(game, visits)});
    return status;
}

/* After a hint the first turn is searched fully, and of the next ones half of those that would not
 * be (KataGo, hint positions). */
static double full_probability(const SelfplayGame *game) {
    double probability = (double)game->settings->full_probability;
    size_t turn = game->record.turn_count;
    if (game->hint == POINT_NONE || turn > HINT_TURNS) return probability;
    return turn == 0 ? 1 : 1 - (1 - probability) / 2;
}

static Status begin_turn(SelfplayGame *game, Error *err) {
    if (rng_uniform(&game->rng) < full_probability(game)) return begin_full(game, err);
    game->stage = STAGE_CHEAP;
    game->row_weight = game->settings->cheap_row_weight;
    int visits = visits_of(game, game->settings->cheap_visits);
    /* One side's visits must not serve the other. */
    if (game->draw.white_doublings != 0) search_clear_tree(game->search);
    Status status = selfplay_use_settings(game, game->cheap, game->now.mover, err);
    if (!status) search_begin(game->search, &(SearchLimits){.visits = visits});
    return status;
}

static Status begin_recording(SelfplayGame *game, const char *net_name, Error *err) {
    Status status = game_record_init(&game->record, &game->now, err);
    if (status) return status;
    GameRecord *record = &game->record;
    game->recording = true;
    float doublings = game->draw.white_doublings;
    record->mode = game->encore_phase    ? GAME_CLEANUP
                   : doublings != 0      ? GAME_ASYMMETRIC
                   : game->draw.handicap ? GAME_HANDICAP
                                         : game->mode;
    if (doublings != 0) {
        record->playout_doubling_advantage[COLOR_WHITE] = doublings;
        record->playout_doubling_advantage[COLOR_BLACK] = -doublings;
    }
    record->hash[0] = rng_next(&game->rng);
    record->hash[1] = rng_next(&game->rng);
    record->draw_equivalent_wins_for_white = draw_wins(game);
    record->opening_turns = game->now.move_count;
    strncpy(record->black_net, net_name, sizeof record->black_net - 1);
    strncpy(record->white_net, net_name, sizeof record->white_net - 1);
    status = search_set_position(game->search, &game->now, err);
    return status ? status : begin_turn(game, err);
}

/* An opening or fork that ended the game teaches nothing: an empty board without it. */
static Status start_afresh(SelfplayGame *game, Error *err) {
    game->opening_left = game->random_left = game->draw.handicap = game->encore_phase = 0;
    game->fork_count = game->fork_next = 0;
    game->mode = GAME_NORMAL;
    game->hint = POINT_NONE;
    position_clear(&game->now);
    return position_init(&game->now, game->draw.width, game->draw.height, &game->draw.rules, err);
}

static Status play_random_moves(SelfplayGame *game, Error *err) {
    Status status = OK;
    for (; game->random_left && !status; game->random_left--) {
        Point legal[MOVES_MAX];
        int count = position_legal_moves(&game->now, legal) - 1; /* without the pass */
        if (count < 1) break;
        status = position_play(&game->now, legal[rng_below(&game->rng, count)], err);
        if (!status && game->now.over) return start_afresh(game, err);
    }
    game->random_left = 0;
    return status;
}

/* The next evaluation, or search, for a fair komi. */
static Status begin_fair(SelfplayGame *game, Error *err) {
    Position *now = &game->now;
    int visits = game->settings->komi_visits;
    if (!visits) return begin_single(game, STAGE_FAIR_KOMI, now, err);
    if (!game->fair_begun) fair_komi_begin(&game->fair, now, false);
    game->fair_begun = true;
    float komi = now->rules.komi;
    position_set_komi(now, game->fair.komi);
    Status status = selfplay_begin_other(game, STAGE_EVEN_KOMI, now, visits, err);
    position_set_komi(now, komi);
    return status;
}

/* Once all else is done: whether a game of territory scoring begins in an encore, after more moves
 * of the policy and with a fair komi, so that nets see those phases (KataGo, cpp/program/play.cpp).
 */
static bool draws_encore(SelfplayGame *game) {
    const SelfplaySettings *s = game->settings;
    const Position *now = &game->now;
    bool may = now->rules.scoring == SCORING_TERRITORY && !now->encore_phase &&
               game->hint == POINT_NONE && !game->encore_drawn;
    game->encore_drawn = true;
    if (!may || !happens(game, s->encore_probability)) return false;
    double mean = (double)s->encore_area_share * area_of(now);
    game->opening_left = (int)floor(rng_exponential(&game->rng) * mean);
    game->encore_phase = 1 + rng_below(&game->rng, 2);
    game->fair_opening = true;
    return true;
}

/* What comes before the first recorded turn, one evaluation at a time. */
static Status begin_next(SelfplayGame *game, const char *net_name, Error *err) {
    if (game->fork_next < game->fork_count) {
        Position candidate = {0};
        Status status = position_copy(&candidate, &game->now, err);
        if (!status) status = position_play(&candidate, game->fork_moves[game->fork_next], err);
        if (!status) status = begin_single(game, STAGE_FORK, &candidate, err);
        position_clear(&candidate);
        return status;
    }
    if (game->handicap_left) return begin_single(game, STAGE_HANDICAP, &game->now, err);
    if (game->fair_rounds) return begin_fair(game, err);
    if (game->random_left) {
        Status status = play_random_moves(game, err);
        if (status) return status;
    }
    if (game->opening_left) return begin_single(game, STAGE_OPENING, &game->now, err);
    if (game->fair_opening) {
        game->fair_opening = false;
        game->fair_rounds = FAIR_ROUNDS;
        game->last_shift = 1000;
        return begin_fair(game, err);
    }
    if (draws_encore(game)) return begin_next(game, net_name, err);
    Status status = game->encore_phase ? position_restart_phase(&game->now, game->now.mover,
                                                                game->encore_phase, err)
                                       : OK;
    return status ? status : begin_recording(game, net_name, err);
}

/* The fair komi is found. A komi that only varies lies between the old one and that, with a normal
 * noise of 3/4 of the edge (KataGo, fancyKomiVarying). */
static void set_fair_komi(SelfplayGame *game, float fair) {
    float komi = fair + game->draw.komi_noise;
    if (game->varies_komi) {
        double old = (double)game->draw.rules.komi, share = rng_uniform(&game->rng),
               edge = sqrt((double)area_of(&game->now));
        komi = (float)(old + share * ((double)fair - old) +
                       0.75 * edge * rng_normal_truncated(&game->rng, 2.5));
        game->varies_komi = false;
    }
    float rounded = komi_rounded((double)komi, area_of(&game->now), &game->rng);
    position_set_komi(&game->now, rounded);
    game->draw.rules.komi = rounded;
}

/* A komi shift is never larger than the one before (KataGo, getNaiveEvenKomi). */
static void after_fair_komi(SelfplayGame *game, const Report *report) {
    float shift = -value_for_white(report->raw_score_mean, report->mover);
    if (fabsf(shift) > fabsf(game->last_shift)) shift = copysignf(game->last_shift, shift);
    game->last_shift = shift;
    float komi = game->now.rules.komi + shift;
    if (--game->fair_rounds == 0) {
        set_fair_komi(game, komi);
        return;
    }
    float rounded = komi_rounded((double)komi, area_of(&game->now), &game->rng);
    position_set_komi(&game->now, rounded);
    game->draw.rules.komi = rounded;
}

static void after_even_komi(SelfplayGame *game, const Report *report) {
    double win_loss = (double)value_for_white(report->win_loss, report->mover),
           lead = (double)value_for_white(report->lead, report->mover);
    if (!fair_komi_take(&game->fair, win_loss, lead)) return;
    game->fair_begun = false;
    game->fair_rounds = 0;
    set_fair_komi(game, (float)game->fair.even);
}

/* A move of the raw policy without the pass; POINT_PASS if there is no other. */
static Point policy_move(SelfplayGame *game, const Report *report, double temperature) {
    double weights[BOARD_POINTS_MAX];
    int area = area_of(&game->now);
    for (int i = 0; i < area; i++) {
        double p = (double)report->raw_policy[i];
        weights[i] = p > 0 ? pow(p, 1 / temperature) : 0;
    }
    int index = rng_pick(&game->rng, weights, area);
    return index < 0 ? POINT_PASS
                     : move_at_index(index, game->now.board.width, game->now.board.height);
}

static Status after_handicap(SelfplayGame *game, const Report *report, Error *err) {
    Point point = policy_move(game, report, 1);
    game->handicap_left--;
    if (point == POINT_PASS) return OK;
    Board board = game->now.board;
    if (!board_set(&board, point, COLOR_BLACK)) return OK;
    Position next = {0};
    Status status = position_init_board(&next, &board, COLOR_BLACK, &game->draw.rules, err);
    if (!status) status = position_copy(&game->now, &next, err);
    position_clear(&next);
    return status;
}

static Status after_opening(SelfplayGame *game, const Report *report, Error *err) {
    const SelfplaySettings *s = game->settings;
    float temperature = game->encore_phase ? s->encore_temperature : s->opening_temperature;
    Point point = policy_move(game, report, (double)temperature);
    game->opening_left--;
    if (point == POINT_PASS) game->opening_left = 0;
    return point == POINT_PASS ? OK : position_play(&game->now, point, err);
}

static Status after_fork(SelfplayGame *game, const Report *report, Error *err) {
    float score = -report->raw_score_mean; /* of the one who made the move */
    if (!game->fork_next || score > game->fork_best_score) {
        game->fork_best_score = score;
        game->fork_best = game->fork_next;
    }
    if (++game->fork_next < game->fork_count) return OK;
    return position_play(&game->now, game->fork_moves[game->fork_best], err);
}

static void remember_value(SelfplayGame *game, float white_win_loss) {
    if (game->recent_count == RECENT_MOST) {
        memmove(game->recent, game->recent + 1, (RECENT_MOST - 1) * sizeof *game->recent);
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
    if (!status) status = selfplay_after_side(game, report, point, err);
    if (!status) status = position_play(now, point, err);
    if (status) return status;
    remember_value(game, value_for_white(report->win_loss, report->mover));
    int limit = area_of(now) * game->settings->move_limit_per_area_percent / 100;
    bool capped = !now->over && now->move_count >= limit;
    if (capped) position_end_and_score(now);
    if (game->ends_when_passalive && !now->over) position_end_if_all_passalive(now);
    if (now->over) {
        status = game_record_finish(&game->record, now, capped, err);
        return status ? status : selfplay_after_next(game, NULL, over, err);
    }
    status = selfplay_after_keep(game, report, err);
    if (!status) status = search_play(game->search, point, true, err);
    return status ? status : begin_turn(game, err);
}

Status selfplay_game_advance(SelfplayGame *game, const char *net_name, Report *scratch, bool *over,
                             Error *err) {
    *over = false;
    search_report(game->search, scratch);
    Status status = OK;
    switch (game->stage) {
    case STAGE_CHEAP:
    case STAGE_FULL:
        return after_turn(game, scratch, over, err);
    case STAGE_FAIR_KOMI:
        after_fair_komi(game, scratch);
        break;
    case STAGE_EVEN_KOMI:
        after_even_komi(game, scratch);
        break;
    case STAGE_SIDE:
    case STAGE_LEAD:
        return selfplay_after_next(game, scratch, over, err);
    case STAGE_HANDICAP:
        status = after_handicap(game, scratch, err);
        break;
    case STAGE_OPENING:
        status = after_opening(game, scratch, err);
        break;
    case STAGE_FORK:
        status = after_fork(game, scratch, err);
        break;
    }
    if (!status && game->now.over) status = start_afresh(game, err);
    return status ? status : begin_next(game, net_name, err);
}

/* Random legal moves of which the net will pick one. */
static void draw_fork_moves(SelfplayGame *game) {
    Point legal[MOVES_MAX];
    int count = position_legal_moves(&game->now, legal) - 1; /* without the pass */
    if (count < 1) return;
    game->mode = GAME_FORK;
    const SelfplaySettings *s = game->settings;
    int most = game->origin == ORIGIN_LATE_FORK ? s->late_fork_choices_most : s->fork_choices_most;
    if (most < s->fork_choices_least) most = s->fork_choices_least;
    game->fork_count =
        s->fork_choices_least + rng_below(&game->rng, most - s->fork_choices_least + 1);
    if (game->fork_count > FORK_MOST) game->fork_count = FORK_MOST;
    for (int i = 0; i < game->fork_count; i++)
        game->fork_moves[i] = legal[rng_below(&game->rng, count)];
}

/* A game that begins at a position of another one, with its rules; those of SGF files have a new
 * komi. */
static Status set_up_elsewhere(SelfplayGame *game, const SelfplayGameSetup *setup, Error *err) {
    const SelfplaySettings *s = setup->settings;
    GameDraw *draw = &game->draw;
    game->origin = setup->origin;
    bool sgf = game->origin == ORIGIN_SGF || game->origin == ORIGIN_HINT;
    float mean = draw->rules.komi;
    draw->rules = setup->fork->rules;
    draw->width = setup->fork->board.width;
    draw->height = setup->fork->board.height;
    draw->handicap = 0;
    draw->white_doublings = 0;
    Status status = position_copy(&game->now, setup->fork, err);
    if (status) return status;
    bool fork = game->origin == ORIGIN_FORK || game->origin == ORIGIN_LATE_FORK,
         seki = game->origin == ORIGIN_SEKI;
    if (fork) draw_fork_moves(game);
    if (game->origin == ORIGIN_ARCHIVE || seki) game->mode = GAME_FORK;
    if (game->origin == ORIGIN_SGF) game->mode = GAME_SGF_POSITION;
    if (game->origin == ORIGIN_HINT) game->mode = GAME_HINT_POSITION;
    if (game->origin == ORIGIN_HINT_FORK) game->mode = GAME_HINT_FORK;
    if (game->origin == ORIGIN_HINT) game->hint = setup->hint;
    bool fair = ((fork || seki) && happens(game, s->fork_fair_probability)) ||
                (sgf && happens(game, s->start_fair_probability));
    game->varies_komi = fork && !fair && s->komi_varied && happens(game, 0.25f);
    if (fair || game->varies_komi) game->fair_rounds = FAIR_ROUNDS;
    if (!sgf) return OK;
    float komi = mean + (fair ? 0 : draw->komi_noise);
    draw->rules.komi = komi_rounded((double)komi, draw->width * draw->height, &game->rng);
    position_set_komi(&game->now, draw->rules.komi);
    return OK;
}

static Status set_up(SelfplayGame *game, const SelfplayGameSetup *setup, Error *err) {
    const SelfplaySettings *s = setup->settings;
    game->draw = game_draw(s, setup->choices, &game->rng);
    game->ends_when_passalive = rng_uniform(&game->rng) < (double)s->passalive_end_probability;
    game->last_shift = 1000;
    if (setup->fork) return set_up_elsewhere(game, setup, err);
    int area = game->draw.width * game->draw.height;
    game->handicap_left = game->draw.handicap;
    game->opening_left =
        (int)floor(rng_exponential(&game->rng) * (double)s->opening_area_share * area);
    bool normal = !game->draw.handicap && game->draw.white_doublings == 0,
         fair = rng_uniform(&game->rng) < (double)s->opening_fair_probability;
    game->random_left = random_opening_length(s, &game->rng);
    game->fair_opening =
        (game->opening_left || game->random_left) && (normal ? fair : game->draw.make_fair);
    if (s->komi_auto || game->draw.make_fair) game->fair_rounds = FAIR_ROUNDS;
    float noisy = game->draw.rules.komi + (game->fair_rounds ? 0 : game->draw.komi_noise);
    game->varies_komi = s->komi_varied && game->draw.handicap && !game->draw.make_fair &&
                        !game->fair_rounds && happens(game, 0.5f);
    if (game->varies_komi) game->fair_rounds = FAIR_ROUNDS;
    game->draw.rules.komi = komi_rounded((double)noisy, area, &game->rng);
    return position_init(&game->now, game->draw.width, game->draw.height, &game->draw.rules, err);
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
    game->rng = rng;
    status = search_new(setup->cheap, rng_next(&game->rng), &game->search, err);
    if (!status) status = set_up(game, setup, err);
    if (!status) status = begin_next(game, setup->net_name, err);
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
    selfplay_after_clear(game);
    if (game->recording) game_record_clear(&game->record);
    free(game);
}

Search *selfplay_game_search(SelfplayGame *game) {
    return game->search;
}

GameRecord *selfplay_game_record(SelfplayGame *game) {
    return &game->record;
}
