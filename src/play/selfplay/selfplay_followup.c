/* The searches after a game (Wu 2019, appendix D; KataGo, cpp/program/play.cpp):
 *
 * 1. At some turns of the game, a move other than the one played is drawn. The position after it is
 *    stored as a side position.
 * 2. After the game each side position is searched fully and becomes a row of its own. The search
 *    chooses a move there. The position after a different move may become a side position too.
 * 3. Then the leads of a fraction of the rows are found by searches with several komi. */
#include "play/selfplay/selfplay_followup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "play/selfplay/selfplay_search.h"
#include "search/result/choose.h"

/* Draws a move other than `played`: from the net's policy, from the square root of the policy, or
 * from all legal moves with equal probability. Returns POINT_NONE if there is no other move. */
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

/* Stores the position after `point` as a side position. */
static Status add_side(SelfplayGame *game, const Position *position, Point point, Error *err) {
    SidePositions *sides = &game->sides;
    Position side = {0};
    Status status = position_copy(&side, position, err); /* `position` may lie in `sides` */
    if (!status) status = position_play(&side, point, err);
    if (!status)
        status = mem_grow(&sides->positions, &sides->capacity, sides->count + 1,
                          sizeof *sides->positions, err);
    if (status || side.over)
        position_clear(&side);
    else
        sides->positions[sides->count++] = side;
    return status;
}

Status selfplay_followup_side(SelfplayGame *game, const Report *report, Point played, Error *err) {
    double probability = game->settings->side.probability;
    if (probability <= 0 || rng_uniform(&game->rng) >= probability) return OK;
    Point point = other_move(game, report, &game->now, played);
    return point == POINT_NONE ? OK : add_side(game, &game->now, point, err);
}

/* Records the side position that was searched, so that it becomes a row. The search has chosen a
 * move. Draws whether the position after a different move becomes a side position too. */
static Status after_side(SelfplayGame *game, const Report *report, Error *err) {
    Position *side = &game->sides.positions[game->sides.next++];
    Point answer = choose_move(report, 0, true, &game->rng);
    Move move = {answer, side->mover};
    Status status = game_record_add_side(&game->record, side, move, report, 1, err);
    double more = game->settings->side.more_probability;
    if (status || rng_uniform(&game->rng) >= more) return status;
    Point point = other_move(game, report, side, answer);
    return point == POINT_NONE ? OK : add_side(game, side, point, err);
}

/* Searches the next side position with the settings of full searches and all their visits. */
static Status begin_side(SelfplayGame *game, Error *err) {
    const Position *side = &game->sides.positions[game->sides.next];
    game->stage = STAGE_SIDE;
    Status status = game_record_use_net(&game->record, game->net_name, err);
    if (!status) status = selfplay_search_set_settings(game, game->full, side->mover, err);
    if (!status) status = search_set_position(game->search, side, err);
    int visits = game->settings->full.visits;
    if (!status) search_begin(game->search, &(SearchLimits){.visits = visits});
    return status;
}

/* Draws how many copies of each row there will be: the weights are redistributed by surprise and
 * then rounded at random to whole numbers. This must be known first, because leads are found only
 * for rows with copies. */
static void draw_row_copies(SelfplayGame *game) {
    GameRecord *record = &game->record;
    if (game->surprise) surprise_apply(game->surprise, record);
    for (size_t t = 0; t < record->turn_count; t++) {
        TurnRecord *turn = &record->turns[t];
        double weight = (double)turn->row_weight, whole = floor(weight);
        bool more = rng_uniform(&game->rng) < weight - whole;
        turn->row_weight = (float)whole + (more ? 1 : 0);
    }
}

/* Draws whether to find the lead of a turn. Its position must become a row and be unlikely to end
 * without result. */
static bool wants_lead(SelfplayGame *game, const TurnRecord *turn) {
    if (!turn->valued || !(turn->row_weight > 0) || turn->white_no_result >= 0.3f) return false;
    return rng_uniform(&game->rng) < game->settings->lead.probability;
}

/* Puts the position of the next turn whose lead is wanted into lead.before. *found is false if
 * there is no such turn. */
static Status next_lead(SelfplayGame *game, bool *found, Error *err) {
    const GameRecord *record = &game->record;
    Status status = OK;
    *found = false;
    if (game->settings->lead.probability <= 0 || record->outcome.no_result) return OK;
    if (game->lead.turn < 0) status = position_copy(&game->lead.before, &record->start, err);
    while (!status && (size_t)(game->lead.turn + 1) < record->turn_count) {
        if (game->lead.turn >= 0)
            status =
                position_play(&game->lead.before, record->turns[game->lead.turn].move.point, err);
        game->lead.turn++;
        if (status || !wants_lead(game, &record->turns[game->lead.turn])) continue;
        *found = true;
        fair_komi_begin(&game->lead.fair, &game->lead.before, true);
        break;
    }
    return status;
}

static Status begin_lead(SelfplayGame *game, Error *err) {
    const KomiSearch wanted = {&game->lead.before, game->lead.fair.komi,
                               game->settings->lead.visits};
    return selfplay_search_komi(game, STAGE_LEAD, &wanted, err);
}

/* Takes what a search for a lead found. Returns whether the lead of the turn is known now. */
static bool after_lead(SelfplayGame *game, const Report *report) {
    double win_loss = (double)value_for_white(report->win_loss, report->mover),
           lead = (double)value_for_white(report->lead, report->mover);
    if (!fair_komi_receive(&game->lead.fair, win_loss, lead)) return false;
    TurnRecord *turn = &game->record.turns[game->lead.turn];
    turn->lead_weight = 1;
    turn->known_white_lead = (float)((double)game->lead.before.rules.komi - game->lead.fair.even);
    return true;
}

/* Replaces the value of the first turn, which the hint distorts, by that of the next turn. */
static void replace_hinted_value(GameRecord *record) {
    if (record->turn_count < 2 || !record->turns[1].valued) return;
    TurnRecord *turn = &record->turns[0];
    const TurnRecord *next = turn + 1;
    turn->white_win = next->white_win;
    turn->white_loss = next->white_loss;
    turn->white_no_result = next->white_no_result;
    turn->white_score = next->white_score;
    turn->white_lead = next->white_lead;
}

Status selfplay_followup_next(SelfplayGame *game, const Report *report, bool *over, Error *err) {
    Status status = OK;
    bool found = false;
    *over = false;
    if (!report) {
        game->lead.turn = -1;
        if (game->hint != POINT_NONE) replace_hinted_value(&game->record);
        if (game->settings->lead.probability > 0) draw_row_copies(game);
    } else if (game->stage == STAGE_SIDE) {
        status = after_side(game, report, err);
    } else if (!after_lead(game, report)) {
        return begin_lead(game, err);
    }
    if (!status && game->sides.next < game->sides.count) return begin_side(game, err);
    if (!status) status = next_lead(game, &found, err);
    if (!status && found) return begin_lead(game, err);
    *over = !status;
    return status;
}

void selfplay_followup_clear(SelfplayGame *game) {
    for (size_t i = 0; i < game->sides.count; i++)
        position_clear(&game->sides.positions[i]);
    free(game->sides.positions);
    position_clear(&game->lead.before);
}
