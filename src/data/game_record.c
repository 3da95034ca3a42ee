#include "data/game_record.h"
#include "base/memory.h"
#include "go/score.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

Status game_record_init(GameRecord *record, const Position *start, Error *err) {
    *record = (GameRecord){.draw_equivalent_wins_for_white = 0.5f};
    return position_copy(&record->start, start, err);
}

void game_record_clear(GameRecord *record) {
    for (size_t i = 0; i < record->turn_count; i++) free(record->turns[i].targets);
    free(record->turns);
    position_clear(&record->start);
    *record = (GameRecord){0};
}

/* Weights to whole numbers: the largest at least 10 and at most 30000 (KataGo, trainingwrite.cpp). */
static Status copy_targets(const Report *report, int width, int height, TurnRecord *turn, Error *err) {
    double most = 0;
    for (int i = 0; i < report->move_count; i++) most = fmax(most, (double)report->moves[i].weight);
    if (most <= 0) return OK;
    double scale = most < 10 ? 10 / most : most > 30000 ? 30000 / most : 1;
    Status status = mem_new((size_t)report->move_count, sizeof *turn->targets, &turn->targets, err);
    for (int i = 0; i < report->move_count && !status; i++) {
        int weight = (int)lround((double)report->moves[i].weight * scale);
        if (weight > 0) turn->targets[turn->target_count++] = (PolicyTarget){(int16_t)move_index(report->moves[i].point, width, height), (int16_t)weight};
    }
    return status;
}

Status game_record_add(GameRecord *record, Move move, const Report *report, float row_weight, Error *err) {
    Status status = mem_grow(&record->turns, &record->turn_capacity, record->turn_count + 1, sizeof *record->turns, err);
    if (status) return status;
    TurnRecord turn = {.move = move, .row_weight = row_weight};
    if (report) {
        float sign = report->mover == COLOR_WHITE ? 1.0f : -1.0f;
        turn.policy_weight = 1;
        turn.white_win = report->mover == COLOR_WHITE ? report->win : report->loss;
        turn.white_loss = report->mover == COLOR_WHITE ? report->loss : report->win;
        turn.white_no_result = report->no_result;
        turn.white_score = sign * report->score_mean;
        turn.white_lead = sign * report->lead;
        turn.raw_white_win_loss = sign * (report->raw_win - report->raw_loss);
        turn.raw_white_score = sign * report->raw_score_mean;
        turn.raw_policy_entropy = report->raw_policy_entropy;
        turn.policy_surprise = report->policy_surprise;
        turn.search_entropy = report->search_entropy;
        turn.visits = (int)report->visits;
        status = copy_targets(report, record->start.board.width, record->start.board.height, &turn, err);
    }
    if (!status) record->turns[record->turn_count++] = turn;
    return status;
}

Status game_record_finish(GameRecord *record, const Position *end, bool hit_move_limit, Error *err) {
    if (!end->over) return fail(err, ERR_ARGUMENT, "the game is not over");
    record->finished = true;
    record->hit_move_limit = hit_move_limit;
    record->outcome = end->outcome;
    record->white_score = end->outcome.white_score;
    score_position(end, record->owner);
    return OK;
}
