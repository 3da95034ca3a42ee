/* The steps before the first recorded turn of a game (Wu 2019, appendix D; KataGo,
 * cpp/program/play.cpp). Where a step needs an evaluation or a search, it begins one and continues
 * when that is done:
 *
 * 1. The rules, size and komi of the game are drawn, or the game begins at a given position.
 * 2. With komi.auto_mean the mean of komi is found on the empty board.
 * 3. A fork plays the best of some random moves.
 * 4. The policy places handicap stones. Komi is made fair if that was drawn.
 * 5. Random moves and moves of the policy are played. Komi is made fair after them if that was
 *    drawn.
 * 6. A game of territory scoring may begin in an encore phase, after more moves of the policy. */
#include "play/selfplay/selfplay_opening.h"

#include <math.h>

#include "play/selfplay/selfplay_search.h"
#include "play/setup/exploit.h"

/* The first move of a fork from the archive is the best of at least 5 and at most 36 random moves
 * (p3achygo). */
enum { ARCHIVE_FORK_MIN = 5, ARCHIVE_FORK_MAX = 36 };

static Status begin_single(SelfplayGame *game, Stage stage, const Position *position, Error *err) {
    return selfplay_search_other(game, stage, position, 1, err);
}

/* Begins again on an empty board, without opening or fork, because these have ended the game. */
static Status start_afresh(SelfplayGame *game, Error *err) {
    OpeningPlan *opening = &game->opening;
    opening->policy_left = opening->random_left = game->draw.handicap = opening->encore_phase = 0;
    fork_plan_drop(&game->fork);
    game->mode = GAME_NORMAL;
    game->hint = POINT_NONE;
    position_clear(&game->now);
    return position_init(&game->now, game->draw.width, game->draw.height, &game->draw.rules, err);
}

/* Draws the random legal moves of a fork, of which the net will choose one. */
static void draw_fork_moves(SelfplayGame *game) {
    const SelfplaySettings *s = game->settings;
    ForkPlan *fork = &game->fork;
    fork->min = s->fork.min_choices;
    fork->max = game->origin == ORIGIN_LATE_FORK ? s->late_fork.max_choices : s->fork.max_choices;
    if (game->origin == ORIGIN_ARCHIVE_FORK) {
        fork->min = ARCHIVE_FORK_MIN;
        fork->max = ARCHIVE_FORK_MAX;
    }
    if (fork_plan_draw(fork, &game->now, &game->rng)) game->mode = GAME_FORK;
}

static Status play_random_moves(SelfplayGame *game, Error *err) {
    Status status = OK;
    for (; game->opening.random_left && !status; game->opening.random_left--) {
        Point legal[MOVES_MAX];
        int count = position_legal_moves(&game->now, legal) - 1; /* without the pass */
        if (count < 1) break;
        status = position_play(&game->now, legal[rng_below(&game->rng, count)], err);
        if (!status && game->now.over) return start_afresh(game, err);
    }
    game->opening.random_left = 0;
    return status;
}

static Status begin_komi(SelfplayGame *game, Error *err) {
    const KomiSearch wanted = komi_plan_next(&game->komi);
    return selfplay_search_komi(game, STAGE_KOMI, &wanted, err);
}

/* Draws, after all other steps, whether a game under territory scoring begins in an encore, so that
 * nets learn the encore phases. If it does, moves of the policy are played before the encore, and
 * komi is then made fair (KataGo, cpp/program/play.cpp). */
static bool draws_encore(SelfplayGame *game) {
    const SelfplaySettings *s = game->settings;
    const Position *now = &game->now;
    OpeningPlan *opening = &game->opening;
    bool may = now->rules.scoring == SCORING_TERRITORY && !now->encore_phase &&
               game->hint == POINT_NONE && !opening->encore_drawn;
    opening->encore_drawn = true;
    if (!may || !happens(game, s->encore.probability)) return false;
    double mean = s->encore.area_fraction * area_of(now);
    opening->policy_left = (int)floor(rng_exponential(&game->rng) * mean);
    opening->encore_phase = 1 + rng_below(&game->rng, 2);
    opening->fair_after = true;
    return true;
}

static Status begin_fork(SelfplayGame *game, Error *err) {
    Position candidate = {0};
    Status status = fork_plan_candidate(&game->fork, &game->now, &candidate, err);
    if (!status) status = begin_single(game, STAGE_FORK, &candidate, err);
    position_clear(&candidate);
    return status;
}

Status selfplay_opening_next(SelfplayGame *game, bool *ready, Error *err) {
    OpeningPlan *opening = &game->opening;
    *ready = false;
    if (game->komi.finds_mean) return begin_komi(game, err);
    if (fork_plan_waits(&game->fork)) return begin_fork(game, err);
    if (opening->handicap_left) return begin_single(game, STAGE_HANDICAP, &game->now, err);
    if (game->komi.rounds) return begin_komi(game, err);
    if (opening->random_left) {
        Status status = play_random_moves(game, err);
        if (status) return status;
    }
    if (opening->policy_left) return begin_single(game, STAGE_OPENING, &game->now, err);
    if (opening->fair_after) {
        opening->fair_after = false;
        komi_plan_make_fair(&game->komi);
        return begin_komi(game, err);
    }
    if (draws_encore(game)) return selfplay_opening_next(game, ready, err);
    *ready = true;
    if (!opening->encore_phase) return OK;
    return position_restart_phase(&game->now, game->now.mover, opening->encore_phase, err);
}

/* Draws a move other than the pass from the raw policy. Returns POINT_PASS if there is none. */
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
    game->opening.handicap_left--;
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
    double temperature =
        game->opening.encore_phase ? s->encore.temperature : s->opening.temperature;
    Point point = policy_move(game, report, temperature), legal[MOVES_MAX];
    game->opening.policy_left--;
    if (happens(game, s->opening.any_probability)) {
        int count = position_legal_moves(&game->now, legal) - 1; /* without the pass */
        if (count > 0) point = legal[rng_below(&game->rng, count)];
    }
    if (point == POINT_PASS) game->opening.policy_left = 0;
    return point == POINT_PASS ? OK : position_play(&game->now, point, err);
}

static Status after_fork(SelfplayGame *game, const Report *report, Error *err) {
    ForkPlan *fork = &game->fork;
    fork_plan_receive(fork, -report->raw_score_mean); /* for the player who made the move */
    if (fork_plan_waits(fork)) return OK;
    Status status = position_play(&game->now, fork_plan_move(fork), err);
    if (status || game->now.over || !fork->answers) return status;
    fork->answers--;
    draw_fork_moves(game);
    return OK;
}

Status selfplay_opening_receive(SelfplayGame *game, const Report *report, Error *err) {
    Status status = OK;
    if (game->stage == STAGE_KOMI) komi_plan_receive(&game->komi, report);
    if (game->stage == STAGE_HANDICAP) status = after_handicap(game, report, err);
    if (game->stage == STAGE_OPENING) status = after_opening(game, report, err);
    if (game->stage == STAGE_FORK) status = after_fork(game, report, err);
    return !status && game->now.over ? start_afresh(game, err) : status;
}

/* Draws how many moves of the policy are played first in a game that does not begin on an empty
 * board. If the settings want none, no random number is drawn. */
static int policy_moves_from_position(SelfplayGame *game) {
    const SelfplaySettings *s = game->settings;
    int area = area_of(&game->now);
    double fraction = s->start.opening_area_fraction;
    if (game->origin == ORIGIN_ARCHIVE)
        return exploit_opening(s, game->now.move_count, area, &game->rng);
    if (game->origin != ORIGIN_SGF || fraction <= 0) return 0;
    return policy_opening_length(s, fraction * area, &game->rng);
}

/* Sets up a game that begins at a position, under the rules of that position. A position of an SGF
 * file gets a new komi. */
static Status set_up_from_position(SelfplayGame *game, const SelfplayGameSetup *setup, Error *err) {
    const SelfplaySettings *s = setup->settings;
    const Board *board = &setup->fork->board;
    GameDraw *draw = &game->draw;
    game->origin = setup->origin;
    bool sgf = game->origin == ORIGIN_SGF || game->origin == ORIGIN_HINT;
    double area = board->width * board->height, drawn = draw->width * draw->height;
    draw->komi_noise *= (float)sqrt(area / drawn); /* scaled to the size of this board */
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
        game->fork.answers = happens(game, 0.5); /* the answer, too, is the best of random moves */
        draw->komi_noise = 0;
    }
    if (game->origin == ORIGIN_SGF) game->mode = GAME_SGF_POSITION;
    if (game->origin == ORIGIN_HINT) game->mode = GAME_HINT_POSITION;
    if (game->origin == ORIGIN_HINT_FORK) game->mode = GAME_HINT_FORK;
    if (game->origin == ORIGIN_HINT) game->hint = setup->hint;
    draw->make_fair = game->origin == ORIGIN_ARCHIVE_FORK ||
                      ((fork || seki) && happens(game, s->fork.fair_probability)) ||
                      (sgf && happens(game, s->start.fair_probability));
    game->opening.policy_left = policy_moves_from_position(game);
    game->opening.fair_after = sgf && game->opening.policy_left > 0 && draw->make_fair;
    if (sgf) return komi_plan_find_mean(&game->komi, err);
    bool varies = fork && !draw->make_fair && s->komi.varied && happens(game, 0.25);
    komi_plan_take_over(&game->komi, varies);
    return OK;
}

/* Sets up a game that begins on an empty board. */
static Status set_up_empty_board(SelfplayGame *game, Error *err) {
    const SelfplaySettings *s = game->settings;
    GameDraw *draw = &game->draw;
    OpeningPlan *opening = &game->opening;
    int area = draw->width * draw->height;
    opening->handicap_left = draw->handicap;
    opening->policy_left = policy_opening_length(s, s->opening.area_fraction * area, &game->rng);
    bool normal = !draw->handicap && draw->white_doublings == 0,
         fair = rng_uniform(&game->rng) < s->opening.fair_probability;
    opening->random_left = random_opening_length(s, &game->rng);
    opening->fair_after =
        (opening->policy_left || opening->random_left) && (normal ? fair : draw->make_fair);
    draw->rules.komi = 0; /* until komi_plan has set it */
    Status status = position_init(&game->now, draw->width, draw->height, &draw->rules, err);
    return status ? status : komi_plan_find_mean(&game->komi, err);
}

Status selfplay_opening_set_up(SelfplayGame *game, const SelfplayGameSetup *setup, Error *err) {
    const SelfplaySettings *s = setup->settings;
    const KomiPlanSetup komi = {
        .settings = s, .draw = &game->draw, .now = &game->now, .rng = &game->rng};
    komi_plan_init(&game->komi, &komi);
    game->draw = game_draw(s, setup->choices, &game->rng);
    game->ends_when_passalive = rng_uniform(&game->rng) < s->passalive_end_probability;
    return setup->fork ? set_up_from_position(game, setup, err) : set_up_empty_board(game, err);
}
