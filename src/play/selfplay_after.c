/* What comes of a game besides its turns: positions beside it, leads, positions for the archive and
 * for games that leave it (Wu 2019, appendix D; KataGo, cpp/program/play.cpp; play/exploit.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "play/seki_fork.h"
#include "play/selfplay_game_private.h"
#include "search/choose.h"

/* From the net's policy, flattened, or of all legal moves: but not `played`. POINT_NONE: there is
 * no other. */
static Point other_move(SelfplayGame *game, const Report *report, const Position *position,
                        Point played) {
    Point legal[MOVES_MAX];
    double weights[MOVES_MAX], kind = rng_uniform(&game->rng);
    int count = position_legal_moves(position, legal), width = position->board.width,
        height = position->board.height;
    for (int i = 0; i < count; i++) {
        double p = (double)report->raw_policy[move_index(legal[i], width, height)];
        weights[i] = kind < 0.05 ? 1 : p <= 0 ? 0 : kind < 0.3 ? sqrt(p) : p;
        if (legal[i] == played) weights[i] = 0;
    }
    int choice = rng_pick(&game->rng, weights, count);
    return choice < 0 ? POINT_NONE : legal[choice];
}

/* The position after `point` will be searched after the game. */
static Status add_side(SelfplayGame *game, const Position *position, Point point, Error *err) {
    Position side = {0};
    Status status = position_copy(&side, position, err); /* which may lie in `sides` */
    if (!status) status = position_play(&side, point, err);
    if (!status)
        status = mem_grow(&game->sides, &game->side_capacity, game->side_count + 1,
                          sizeof *game->sides, err);
    if (status || side.over)
        position_clear(&side);
    else
        game->sides[game->side_count++] = side;
    return status;
}

Status selfplay_after_side(SelfplayGame *game, const Report *report, Point played, Error *err) {
    float probability = game->settings->side_probability;
    if (probability <= 0 || rng_uniform(&game->rng) >= (double)probability) return OK;
    Point point = other_move(game, report, &game->now, played);
    return point == POINT_NONE ? OK : add_side(game, &game->now, point, err);
}

/* The side's search is done: a row of it, and perhaps a side of the position after its answer. */
static Status after_side(SelfplayGame *game, const Report *report, Error *err) {
    Position *side = &game->sides[game->side_next++];
    Point answer = choose_move(report, 0, true, &game->rng);
    Move move = {answer, side->mover};
    Status status = game_record_add_side(&game->record, side, move, report, 1, err);
    float more = game->settings->side_more_probability;
    if (status || rng_uniform(&game->rng) >= (double)more) return status;
    Point point = other_move(game, report, side, answer);
    return point == POINT_NONE ? OK : add_side(game, side, point, err);
}

/* Noise as in full searches of the game; no visits are saved. */
static Status begin_side(SelfplayGame *game, Error *err) {
    const Position *side = &game->sides[game->side_next];
    game->stage = STAGE_SIDE;
    Status status = game_record_use_net(&game->record, game->net_name, err);
    if (!status) status = selfplay_use_settings(game, game->full, side->mover, err);
    if (!status) status = search_set_position(game->search, side, err);
    int visits = game->settings->full_visits;
    if (!status) search_begin(game->search, &(SearchLimits){.visits = visits});
    return status;
}

/* Leads are found for a share of the rows that will be there, so weights are spread by surprise and
 * made whole first: each becomes so many copies of its row. */
static void settle_weights(SelfplayGame *game) {
    GameRecord *record = &game->record;
    if (game->surprise) surprise_apply(game->surprise, record);
    for (size_t t = 0; t < record->turn_count; t++) {
        TurnRecord *turn = &record->turns[t];
        double weight = (double)turn->row_weight, whole = floor(weight);
        bool more = rng_uniform(&game->rng) < weight - whole;
        turn->row_weight = (float)whole + (more ? 1 : 0);
    }
}

/* Where there is no result, or hardly one, there is no lead. */
static bool wants_lead(SelfplayGame *game, const TurnRecord *turn) {
    if (!turn->valued || !(turn->row_weight > 0) || turn->white_no_result >= 0.3f) return false;
    return rng_uniform(&game->rng) < (double)game->settings->lead_probability;
}

/* The next turn whose lead is to be found, into `before`; false: there is none. */
static Status next_lead(SelfplayGame *game, bool *found, Error *err) {
    const GameRecord *record = &game->record;
    Status status = OK;
    *found = false;
    if (game->settings->lead_probability <= 0 || record->outcome.no_result) return OK;
    if (game->lead_turn < 0) status = position_copy(&game->before, &record->start, err);
    while (!status && (size_t)(game->lead_turn + 1) < record->turn_count) {
        if (game->lead_turn >= 0)
            status = position_play(&game->before, record->turns[game->lead_turn].move.point, err);
        game->lead_turn++;
        if (status || !wants_lead(game, &record->turns[game->lead_turn])) continue;
        *found = true;
        fair_komi_begin(&game->fair, &game->before, true);
        break;
    }
    return status;
}

static Status begin_lead(SelfplayGame *game, Error *err) {
    Position *before = &game->before;
    float komi = before->rules.komi;
    position_set_komi(before, game->fair.komi);
    Status status =
        selfplay_begin_other(game, STAGE_LEAD, before, game->settings->lead_visits, err);
    position_set_komi(before, komi);
    return status;
}

/* Whether the turn's lead is known now. */
static bool after_lead(SelfplayGame *game, const Report *report) {
    double win_loss = (double)value_for_white(report->win_loss, report->mover),
           lead = (double)value_for_white(report->lead, report->mover);
    if (!fair_komi_take(&game->fair, win_loss, lead)) return false;
    TurnRecord *turn = &game->record.turns[game->lead_turn];
    turn->lead_known = true;
    turn->known_white_lead = (float)((double)game->before.rules.komi - game->fair.even);
    return true;
}

/* What the search of a hint says of its value is bent by the hint: that of the next turn counts. */
static void mend_hint(GameRecord *record) {
    if (record->turn_count < 2 || !record->turns[1].valued) return;
    TurnRecord *turn = &record->turns[0];
    const TurnRecord *next = turn + 1;
    turn->white_win = next->white_win;
    turn->white_loss = next->white_loss;
    turn->white_no_result = next->white_no_result;
    turn->white_score = next->white_score;
    turn->white_lead = next->white_lead;
}

Status selfplay_after_next(SelfplayGame *game, const Report *report, bool *over, Error *err) {
    Status status = OK;
    bool found = false;
    *over = false;
    if (!report) {
        game->lead_turn = -1;
        if (game->hint != POINT_NONE) mend_hint(&game->record);
        if (game->settings->lead_probability > 0) settle_weights(game);
    } else if (game->stage == STAGE_SIDE) {
        status = after_side(game, report, err);
    } else if (!after_lead(game, report)) {
        return begin_lead(game, err);
    }
    if (!status && game->side_next < game->side_count) return begin_side(game, err);
    if (!status) status = next_lead(game, &found, err);
    if (!status && found) return begin_lead(game, err);
    *over = !status;
    return status;
}

/* Takes over nothing: a seed of the position. */
static Status keep(SelfplayGame *game, const Position *position, double white_score, Error *err) {
    PositionSeed seed;
    Status status =
        mem_grow(&game->kept, &game->kept_capacity, game->kept_count + 1, sizeof *game->kept, err);
    if (!status) status = position_seed_take(position, &seed, err);
    if (status) return status;
    int area = position->board.width * position->board.height;
    if (game->settings->exploit_fair)
        seed.rules.komi = exploit_komi(seed.rules.komi, white_score, area, &game->rng);
    game->kept[game->kept_count++] = seed;
    return OK;
}

/* Perhaps a position of the search's tree, by what the search found there. */
static Status keep_of_tree(SelfplayGame *game, Error *err) {
    SearchSample sample;
    Position inner = {0};
    search_sample(game->search, &game->rng, &sample);
    if (!exploit_keeps(game->settings, (double)sample.white_win_loss, &game->rng)) return OK;
    Status status = position_copy(&inner, search_position(game->search), err);
    for (int i = 0; i < sample.count && !status; i++)
        status = position_play(&inner, sample.line[i], err);
    if (!status && !inner.over) status = keep(game, &inner, (double)sample.white_score, err);
    position_clear(&inner);
    return status;
}

static bool adds_nothing(const SelfplayGame *game) {
    return game->settings->exploit_one_per_game &&
           (game->origin == ORIGIN_ARCHIVE || game->origin == ORIGIN_ARCHIVE_FORK);
}

Status selfplay_after_keep(SelfplayGame *game, const Report *report, Error *err) {
    const SelfplaySettings *s = game->settings;
    if (s->exploit == EXPLOIT_OFF || adds_nothing(game)) return OK;
    if (s->exploit == EXPLOIT_SEARCH) return keep_of_tree(game, err);
    if (!exploit_keeps(s, (double)report->win_loss, &game->rng)) return OK;
    double score = (double)value_for_white(report->score_mean, report->mover);
    return keep(game, &game->now, score, err);
}

/* The position before a turn of the finished game. */
static Status position_at(const GameRecord *record, int turn, Position *out, Error *err) {
    Status status = position_copy(out, &record->start, err);
    for (int i = 0; i < turn && !status; i++)
        status = position_play(out, record->turns[i].move.point, err);
    return status;
}

static Status keep_regretted(SelfplayGame *game, Error *err) {
    const GameRecord *record = &game->record;
    int turn = exploit_regretted_turn(record, game->settings, &game->rng);
    if (turn < 0) return OK;
    Position position = {0};
    Status status = position_at(record, turn, &position, err);
    if (!status) status = keep(game, &position, (double)record->turns[turn].white_score, err);
    position_clear(&position);
    return status;
}

static void forget_kept(SelfplayGame *game) {
    for (size_t i = 0; i < game->kept_count; i++)
        position_seed_clear(&game->kept[i]);
    game->kept_count = 0;
}

/* The position after so many moves, if the game came so far. */
static Status keep_late_fork(SelfplayGame *game, Error *err) {
    const GameRecord *record = &game->record;
    int turn = exploit_late_move(area_of(&game->now), &game->rng) - record->start.move_count;
    if (turn < 0) turn = 0;
    if ((size_t)turn >= record->turn_count) return OK;
    Position position = {0};
    PositionSeed seed;
    Status status = position_at(record, turn, &position, err);
    if (!status)
        status = mem_grow(&game->kept, &game->kept_capacity, game->kept_count + 1,
                          sizeof *game->kept, err);
    if (!status) status = position_seed_take(&position, &seed, err);
    position_clear(&position);
    if (status) return status;
    seed.late_fork = true;
    game->kept[game->kept_count++] = seed;
    return OK;
}

/* The position of the seed with one more move. Where that ends the game it stays as it is. */
static Status add_random_move(SelfplayGame *game, PositionSeed *seed, Error *err) {
    Position position = {0};
    PositionSeed next;
    Point legal[MOVES_MAX];
    Status status = position_seed_restore(seed, NULL, &position, err);
    int count = status ? 0 : position_legal_moves(&position, legal) - 1; /* without the pass */
    if (count > 0) status = position_play(&position, legal[rng_below(&game->rng, count)], err);
    if (!status && count > 0 && !position.over) {
        status = position_seed_take(&position, &next, err);
        if (!status) {
            position_seed_clear(seed);
            *seed = next;
        }
    }
    position_clear(&position);
    return status;
}

/* Of the seeds that are kept one goes into the archive, or each. */
static Status add_kept(SelfplayGame *game, bool random_move, ExploitArchive *archive, Error *err) {
    Status status = OK;
    if (!game->kept_count) return OK;
    bool single = game->settings->exploit_one_per_game;
    int one = single ? rng_below(&game->rng, (int)game->kept_count) : -1;
    for (size_t i = 0; i < game->kept_count; i++) {
        if (one >= 0 && (size_t)one != i) continue;
        if (random_move) status = add_random_move(game, &game->kept[i], err);
        if (status) break;
        exploit_archive_add(archive, &game->kept[i]);
        game->kept[i] = (PositionSeed){0};
    }
    forget_kept(game);
    return status;
}

Status selfplay_game_archive(SelfplayGame *game, ExploitArchive *archive, Error *err) {
    const SelfplaySettings *s = game->settings;
    if (adds_nothing(game)) return OK;
    ExploitLeaves leaves = exploit_leaves(s, &game->rng);
    Status status = OK;
    if (leaves == LEAVES_LATE_FORK || leaves == LEAVES_REGRETTED) forget_kept(game);
    if (leaves == LEAVES_LATE_FORK) status = keep_late_fork(game, err);
    bool regret =
        leaves == LEAVES_REGRETTED || (s->exploit == EXPLOIT_REGRET && leaves != LEAVES_LATE_FORK);
    if (regret) status = keep_regretted(game, err);
    return status ? status : add_kept(game, leaves == LEAVES_RANDOM_MOVE, archive, err);
}

Status selfplay_game_keep_seki(SelfplayGame *game, ExploitArchive *archive, Error *err) {
    if (game->origin == ORIGIN_SEKI) return OK;
    return seki_fork_keep(&game->record, &game->now, game->choices, archive, &game->rng, err);
}

void selfplay_after_clear(SelfplayGame *game) {
    for (size_t i = 0; i < game->side_count; i++)
        position_clear(&game->sides[i]);
    forget_kept(game);
    position_clear(&game->before);
    free(game->sides);
    free(game->kept);
}

static bool leave_at(const GameRecord *record, int turn, Position *out) {
    if (turn < 0 || (size_t)turn >= record->turn_count) return false;
    return !position_at(record, turn, out, NULL) && !out->over;
}

bool selfplay_game_fork(SelfplayGame *game, Position *out, SelfplayOrigin *origin) {
    const SelfplaySettings *s = game->settings;
    const GameRecord *record = &game->record;
    if (record->start.encore_phase) return false; /* those are not left again, as in KataGo */
    *origin = ORIGIN_HINT_FORK;
    bool ignored =
        game->hint != POINT_NONE && record->turn_count && record->turns[0].move.point != game->hint;
    if (ignored && !position_copy(out, &record->start, NULL) &&
        !position_play(out, game->hint, NULL))
        return !out->over;
    *origin = ORIGIN_FORK;
    if (rng_uniform(&game->rng) < (double)s->fork_probability) {
        int area = game->now.board.width * game->now.board.height;
        double mean = (double)s->fork_area_share * area;
        return leave_at(record, (int)floor(rng_exponential(&game->rng) * mean), out);
    }
    *origin = ORIGIN_LATE_FORK;
    if (s->late_fork_probability <= 0 || !record->turn_count ||
        rng_uniform(&game->rng) >= (double)s->late_fork_probability)
        return false;
    return leave_at(record, rng_below(&game->rng, (int)record->turn_count), out);
}
