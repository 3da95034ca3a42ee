/* What comes before the first recorded turn of a game: where it begins, handicap stones, the
 * opening, a fork's move, a fair komi, the encore (Wu 2019, appendix D; KataGo,
 * cpp/program/play.cpp). */
#include <math.h>

#include "play/selfplay_game_private.h"

static Status begin_single(SelfplayGame *game, Stage stage, const Position *position, Error *err) {
    return selfplay_begin_other(game, stage, position, 1, err);
}

/* An opening or fork that ended the game teaches nothing: an empty board without it. */
static Status start_afresh(SelfplayGame *game, Error *err) {
    game->opening_left = game->random_left = game->draw.handicap = game->encore_phase = 0;
    game->fork_count = game->fork_next = game->forks_left = 0;
    game->mode = GAME_NORMAL;
    game->hint = POINT_NONE;
    position_clear(&game->now);
    return position_init(&game->now, game->draw.width, game->draw.height, &game->draw.rules, err);
}

/* Random legal moves of which the net will pick one. */
static void draw_fork_moves(SelfplayGame *game) {
    const SelfplaySettings *s = game->settings;
    Point legal[MOVES_MAX];
    int count = position_legal_moves(&game->now, legal) - 1; /* without the pass */
    if (count < 1) return;
    game->mode = GAME_FORK;
    bool archive = game->origin == ORIGIN_ARCHIVE_FORK;
    int least = archive ? ARCHIVE_FORK_LEAST : s->fork_choices_least,
        most = archive                            ? ARCHIVE_FORK_MOST
               : game->origin == ORIGIN_LATE_FORK ? s->late_fork_choices_most
                                                  : s->fork_choices_most;
    if (most < least) most = least;
    game->fork_count = least + rng_below(&game->rng, most - least + 1);
    game->fork_next = 0;
    if (game->fork_count > FORK_MOST) game->fork_count = FORK_MOST;
    for (int i = 0; i < game->fork_count; i++)
        game->fork_moves[i] = legal[rng_below(&game->rng, count)];
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

/* The position that a fair komi is found for. */
static Position *fair_position(SelfplayGame *game) {
    return game->mean_left ? &game->empty : &game->now;
}

/* The next evaluation, or search, for a fair komi. */
static Status begin_fair(SelfplayGame *game, Error *err) {
    Position *now = fair_position(game);
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

Status selfplay_before_next(SelfplayGame *game, bool *ready, Error *err) {
    *ready = false;
    if (game->mean_left) return begin_fair(game, err);
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
    if (draws_encore(game)) return selfplay_before_next(game, ready, err);
    *ready = true;
    if (!game->encore_phase) return OK;
    return position_restart_phase(&game->now, game->now.mover, game->encore_phase, err);
}

static void set_komi(SelfplayGame *game, double komi) {
    float rounded = komi_rounded(komi, area_of(&game->now), &game->rng),
          whole = game->settings->komi_whole_probability;
    bool may_be = whole >= 1 || happens(game, whole); /* a whole number */
    float most = (float)area_of(&game->now) + 19.5f;
    if (!may_be) rounded = fmaxf(-most, fminf(floorf((float)komi) + 0.5f, most));
    position_set_komi(&game->now, rounded);
    game->draw.rules.komi = rounded;
}

/* The mean of komi is known. What the stones and playouts are worth comes on top of it where the
 * game is made fair; else there is the noise, and a handicap game's komi may vary. */
static void use_mean(SelfplayGame *game, float mean) {
    const GameDraw *draw = &game->draw;
    bool fair = draw->make_fair;
    game->varies_komi =
        game->settings->komi_varied && draw->handicap && !fair && happens(game, 0.5f);
    game->fair_rounds = fair || game->varies_komi ? FAIR_ROUNDS : 0;
    set_komi(game, (double)(mean + (fair ? 0 : draw->komi_noise)));
}

/* The mean is that of the settings, or what is fair on the empty board by the game's rules, before
 * any stone of a handicap and with equal playouts (KataGo, komiAuto). */
static Status find_mean(SelfplayGame *game, Error *err) {
    const GameDraw *draw = &game->draw;
    float mean = game->settings->komi_mean;
    if (!game->settings->komi_auto) {
        use_mean(game, mean);
        return OK;
    }
    Rules rules = draw->rules;
    rules.komi = komi_rounded((double)mean, draw->width * draw->height, &game->rng);
    game->mean_left = true;
    game->fair_rounds = FAIR_ROUNDS;
    return position_init(&game->empty, draw->width, draw->height, &rules, err);
}

/* The fair komi is found. A komi that only varies lies between the old one and that, with a normal
 * noise of 3/4 of the edge (KataGo, fancyKomiVarying). */
static void set_fair_komi(SelfplayGame *game, float fair) {
    double komi = (double)(fair + game->draw.komi_noise);
    game->last_shift = 1000;
    if (game->mean_left) {
        game->mean_left = false;
        position_clear(&game->empty);
        use_mean(game, fair);
        return;
    }
    if (game->varies_komi) {
        double old = (double)game->draw.rules.komi, share = rng_uniform(&game->rng),
               edge = sqrt((double)area_of(&game->now));
        komi = old + share * ((double)fair - old) +
               0.75 * edge * rng_normal_truncated(&game->rng, 2.5);
        game->varies_komi = false;
    }
    set_komi(game, komi);
}

/* A komi shift is never larger than the one before (KataGo, getNaiveEvenKomi). Until the last one
 * `draw` keeps the old komi. */
static void after_fair_komi(SelfplayGame *game, const Report *report) {
    Position *position = fair_position(game);
    float shift = -value_for_white(report->raw_score_mean, report->mover);
    if (fabsf(shift) > fabsf(game->last_shift)) shift = copysignf(game->last_shift, shift);
    game->last_shift = shift;
    float komi = position->rules.komi + shift;
    if (--game->fair_rounds == 0) {
        set_fair_komi(game, komi);
        return;
    }
    position_set_komi(position, komi_rounded((double)komi, area_of(position), &game->rng));
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
    Point point = policy_move(game, report, (double)temperature), legal[MOVES_MAX];
    game->opening_left--;
    if (happens(game, s->opening_any_probability)) {
        int count = position_legal_moves(&game->now, legal) - 1; /* without the pass */
        if (count > 0) point = legal[rng_below(&game->rng, count)];
    }
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
    Status status = position_play(&game->now, game->fork_moves[game->fork_best], err);
    if (status || game->now.over || !game->forks_left) return status;
    game->forks_left--;
    draw_fork_moves(game);
    return OK;
}

Status selfplay_before_take(SelfplayGame *game, const Report *report, Error *err) {
    Status status = OK;
    if (game->stage == STAGE_FAIR_KOMI) after_fair_komi(game, report);
    if (game->stage == STAGE_EVEN_KOMI) after_even_komi(game, report);
    if (game->stage == STAGE_HANDICAP) status = after_handicap(game, report, err);
    if (game->stage == STAGE_OPENING) status = after_opening(game, report, err);
    if (game->stage == STAGE_FORK) status = after_fork(game, report, err);
    return !status && game->now.over ? start_afresh(game, err) : status;
}

/* How many moves of the policy are played before such a game. No number is drawn where that is off.
 */
static int opening_elsewhere(SelfplayGame *game) {
    const SelfplaySettings *s = game->settings;
    int area = area_of(&game->now);
    double share = (double)s->start_opening_area_share;
    if (game->origin == ORIGIN_ARCHIVE)
        return exploit_opening(s, game->now.move_count, area, &game->rng);
    if (game->origin != ORIGIN_SGF || share <= 0) return 0;
    return policy_opening_length(s, share * area, &game->rng);
}

/* A game that begins at a position of another one, with its rules; those of SGF files have a new
 * komi. */
static Status set_up_elsewhere(SelfplayGame *game, const SelfplayGameSetup *setup, Error *err) {
    const SelfplaySettings *s = setup->settings;
    const Board *board = &setup->fork->board;
    GameDraw *draw = &game->draw;
    game->origin = setup->origin;
    bool sgf = game->origin == ORIGIN_SGF || game->origin == ORIGIN_HINT;
    double area = board->width * board->height, drawn = draw->width * draw->height;
    draw->komi_noise *= (float)sqrt(area / drawn); /* as if this size had been drawn */
    draw->rules = setup->fork->rules;
    draw->width = board->width;
    draw->height = board->height;
    draw->handicap = 0;
    draw->white_doublings = 0;
    Status status = position_copy(&game->now, setup->fork, err);
    if (status) return status;
    bool fork = game->origin == ORIGIN_FORK || game->origin == ORIGIN_LATE_FORK,
         seki = game->origin == ORIGIN_SEKI;
    if (fork || game->origin == ORIGIN_ARCHIVE_FORK) draw_fork_moves(game);
    if (game->origin == ORIGIN_ARCHIVE || seki) game->mode = GAME_FORK;
    if (game->origin == ORIGIN_ARCHIVE_FORK) {
        game->forks_left = happens(game, 0.5f); /* of the opponent */
        draw->komi_noise = 0;
    }
    if (game->origin == ORIGIN_SGF) game->mode = GAME_SGF_POSITION;
    if (game->origin == ORIGIN_HINT) game->mode = GAME_HINT_POSITION;
    if (game->origin == ORIGIN_HINT_FORK) game->mode = GAME_HINT_FORK;
    if (game->origin == ORIGIN_HINT) game->hint = setup->hint;
    draw->make_fair = game->origin == ORIGIN_ARCHIVE_FORK ||
                      ((fork || seki) && happens(game, s->fork_fair_probability)) ||
                      (sgf && happens(game, s->start_fair_probability));
    game->opening_left = opening_elsewhere(game);
    game->fair_opening = sgf && game->opening_left > 0 && draw->make_fair;
    if (sgf) return find_mean(game, err);
    game->varies_komi = fork && !draw->make_fair && s->komi_varied && happens(game, 0.25f);
    if (draw->make_fair || game->varies_komi) game->fair_rounds = FAIR_ROUNDS;
    return OK;
}

Status selfplay_before_set_up(SelfplayGame *game, const SelfplayGameSetup *setup, Error *err) {
    const SelfplaySettings *s = setup->settings;
    game->draw = game_draw(s, setup->choices, &game->rng);
    game->ends_when_passalive = rng_uniform(&game->rng) < (double)s->passalive_end_probability;
    game->last_shift = 1000;
    if (setup->fork) return set_up_elsewhere(game, setup, err);
    int area = game->draw.width * game->draw.height;
    game->handicap_left = game->draw.handicap;
    game->opening_left = policy_opening_length(s, (double)s->opening_area_share * area, &game->rng);
    bool normal = !game->draw.handicap && game->draw.white_doublings == 0,
         fair = rng_uniform(&game->rng) < (double)s->opening_fair_probability;
    game->random_left = random_opening_length(s, &game->rng);
    game->fair_opening =
        (game->opening_left || game->random_left) && (normal ? fair : game->draw.make_fair);
    game->draw.rules.komi = 0; /* as yet */
    Status status =
        position_init(&game->now, game->draw.width, game->draw.height, &game->draw.rules, err);
    return status ? status : find_mean(game, err);
}
