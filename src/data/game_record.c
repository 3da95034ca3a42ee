#include "data/game_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "go/score.h"

/* The largest weight of a turn's policy target is between MIN_LARGEST_WEIGHT and MAX_WEIGHT. */
enum { MIN_LARGEST_WEIGHT = 10, MAX_WEIGHT = 30000, MAX_VISITS = 32000 };

Status game_record_init(GameRecord *record, const Position *start, Error *err) {
    *record = (GameRecord){.draw_equivalent_wins_for_white = 0.5f};
    return position_copy(&record->start, start, err);
}

static void clear_turn(TurnRecord *turn) {
    free(turn->targets);
    free(turn->values);
}

const char *game_mode_name(GameMode mode) {
    static const char *const NAMES[GAME_MODES] = {
        "normal", "cleanup", "fork", "handicap", "SGF", "hint", "hint fork", "unequal playouts"};
    return NAMES[mode];
}

void game_record_clear(GameRecord *record) {
    for (size_t i = 0; i < record->turn_count; i++)
        clear_turn(&record->turns[i]);
    free(record->turns);
    for (size_t i = 0; i < record->side_count; i++) {
        clear_turn(&record->sides[i].turn);
        position_clear(&record->sides[i].position);
    }
    free(record->sides);
    free(record->nets);
    position_clear(&record->start);
    *record = (GameRecord){0};
}

Status game_record_use_net(GameRecord *record, const char *name, Error *err) {
    size_t count = record->net_count;
    if (count && strcmp(record->nets[count - 1].name, name) == 0) return OK;
    Status status =
        mem_grow(&record->nets, &record->net_capacity, count + 1, sizeof *record->nets, err);
    if (status) return status;
    NetUse *use = &record->nets[record->net_count++];
    *use = (NetUse){.turn = (int)record->turn_count};
    strncpy(use->name, name, sizeof use->name - 1);
    return OK;
}

/* Returns the index of the net that searches what is added now. */
static int current_net(const GameRecord *record) {
    return record->net_count ? (int)record->net_count - 1 : 0;
}

/* Copies the target of a Gumbel search, its improved policy over all moves. Probability 1 becomes
 * the weight MAX_WEIGHT. */
static Status copy_improved(const Report *report, const Board *board, TurnRecord *turn,
                            Error *err) {
    int count = board->width * board->height + 1;
    Status status = mem_new((size_t)count, sizeof *turn->targets, &turn->targets, err);
    for (int i = 0; i < count && !status; i++) {
        int weight = (int)lround((double)report->improved[i] * MAX_WEIGHT);
        if (weight > 0)
            turn->targets[turn->target_count++] = (PolicyTarget){(int16_t)i, (int16_t)weight};
    }
    return status;
}

/* Copies the policy target of a turn. The weights that the search gave the moves are scaled until
 * the largest is at least 10 and at most 30000, and then rounded (KataGo, trainingwrite.cpp). */
static Status copy_targets(const Report *report, const Board *board, TurnRecord *turn, Error *err) {
    double largest = 0;
    if (report->gumbel) return copy_improved(report, board, turn, err);
    for (int i = 0; i < report->move_count; i++)
        largest = fmax(largest, (double)report->moves[i].weight);
    if (!(largest > 0)) return OK;
    double scale = largest < MIN_LARGEST_WEIGHT ? MIN_LARGEST_WEIGHT / largest
                   : largest > MAX_WEIGHT       ? MAX_WEIGHT / largest
                                                : 1;
    Status status = mem_new((size_t)report->move_count, sizeof *turn->targets, &turn->targets, err);
    for (int i = 0; i < report->move_count && !status; i++) {
        int weight = (int)lround((double)report->moves[i].weight * scale);
        int index = move_index(report->moves[i].point, board->width, board->height);
        if (weight > 0)
            turn->targets[turn->target_count++] = (PolicyTarget){(int16_t)index, (int16_t)weight};
    }
    return status;
}

static Status copy_values(const Report *report, const Board *board, float sign, TurnRecord *turn,
                          Error *err) {
    int count = 0;
    for (int i = 0; i < report->move_count; i++)
        count += report->moves[i].visits > 0;
    if (!count) return OK;
    Status status = mem_new((size_t)count, sizeof *turn->values, &turn->values, err);
    for (int i = 0; i < report->move_count && !status; i++) {
        const MoveReport *move = &report->moves[i];
        if (move->visits <= 0) continue;
        turn->values[turn->value_count++] = (MoveValue){
            .index = (int16_t)move_index(move->point, board->width, board->height),
            .visits = (int16_t)(move->visits < MAX_VISITS ? move->visits : MAX_VISITS),
            .white_win_loss = sign * move->win_loss,
            .white_score = sign * move->score_mean,
        };
    }
    return status;
}

static void copy_numbers(const Report *report, float sign, TurnRecord *turn) {
    bool white = report->mover == COLOR_WHITE;
    turn->policy_weight = 1;
    turn->valued = true;
    turn->white_win = white ? report->win : report->loss;
    turn->white_loss = white ? report->loss : report->win;
    turn->white_no_result = report->no_result;
    turn->white_score = sign * report->score_mean;
    turn->white_lead = sign * report->lead;
    turn->raw_white_win_loss = sign * (report->raw_win - report->raw_loss);
    turn->raw_no_result = report->raw_no_result;
    turn->raw_white_score = sign * report->raw_score_mean;
    turn->raw_policy_entropy = report->raw_policy_entropy;
    turn->policy_surprise = report->policy_surprise;
    turn->search_entropy = report->search_entropy;
    turn->visits = (int)report->visits;
    turn->root_variance_count = report->root_variance_count;
    memcpy(turn->root_variances, report->root_variances, sizeof turn->root_variances);
    turn->has_value_counts = report->has_value_counts;
    if (report->has_value_counts)
        memcpy(turn->value_counts, report->value_counts, sizeof turn->value_counts);
}

/* Fills the turn from the search's report. On failure nothing remains allocated. */
static Status make_turn(const Report *report, const Board *board, TurnRecord *turn, Error *err) {
    float sign = report->mover == COLOR_WHITE ? 1.0f : -1.0f;
    copy_numbers(report, sign, turn);
    Status status = copy_targets(report, board, turn, err);
    if (!status) status = copy_values(report, board, sign, turn, err);
    if (status) clear_turn(turn);
    return status;
}

Status game_record_add(GameRecord *record, Move move, const Report *report, float row_weight,
                       Error *err) {
    Status status = mem_grow(&record->turns, &record->turn_capacity, record->turn_count + 1,
                             sizeof *record->turns, err);
    if (status) return status;
    TurnRecord turn = {.move = move, .row_weight = row_weight, .net = current_net(record)};
    if (report) status = make_turn(report, &record->start.board, &turn, err);
    if (!status) record->turns[record->turn_count++] = turn;
    return status;
}

Status game_record_add_side(GameRecord *record, const Position *position, Move move,
                            const Report *report, float row_weight, Error *err) {
    Status status = mem_grow(&record->sides, &record->side_capacity, record->side_count + 1,
                             sizeof *record->sides, err);
    if (status) return status;
    SideRecord side = {
        .turn = {.move = move, .row_weight = row_weight, .net = current_net(record)}};
    status = make_turn(report, &position->board, &side.turn, err);
    if (status) return status;
    status = position_copy(&side.position, position, err);
    if (status) {
        clear_turn(&side.turn);
        position_clear(&side.position);
        return status;
    }
    record->sides[record->side_count++] = side;
    return OK;
}

Status game_record_finish(GameRecord *record, const Position *end, bool hit_move_limit,
                          Error *err) {
    if (!end->over) return fail(err, ERR_ARGUMENT, "the game is not over");
    record->finished = true;
    record->hit_move_limit = hit_move_limit;
    record->outcome = end->outcome;
    record->white_score = end->outcome.white_score;
    score_position(end, record->owner);
    return OK;
}
