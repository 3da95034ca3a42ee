#include "data/foreign/foreign_games.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { WEIGHT_MAX = 30000 }; /* the largest weight of a policy target, as in KataGo */

struct ForeignGames {
    Rules rules;
    ForeignSink sink;
    bool open;       /* `record` is in use; otherwise the next position begins a new record */
    bool from_start; /* `record` begins at the start of a game */
    GameRecord record;
    Position now;         /* the position at the last turn of `record` */
    ForeignPosition last; /* the position `now` as it was read */
};

/* Results of comparing a board with the next one, if they are not the point of a move. */
enum { STEP_PASS = -1, STEP_NONE = -2 };

Status foreign_games_new(const Rules *rules, ForeignSink sink, ForeignGames **out, Error *err) {
    Status status = mem_new(1, sizeof **out, out, err);
    if (status) return status;
    (*out)->rules = *rules;
    (*out)->sink = sink;
    return OK;
}

static void clear_record(ForeignGames *games) {
    game_record_clear(&games->record);
    games->record = (GameRecord){0};
    games->open = false;
}

void foreign_games_free(ForeignGames *games) {
    if (!games) return;
    clear_record(games);
    position_clear(&games->now);
    free(games);
}

/* Gives the record to the sink. */
static Status finish(ForeignGames *games, bool whole, Error *err) {
    if (!games->open) return OK;
    games->record.end_unknown = !whole;
    Status status = games->sink.take(games->sink.context, &games->record, err);
    clear_record(games);
    return status;
}

Status foreign_games_break(ForeignGames *games, Error *err) {
    return finish(games, false, err);
}

Status foreign_games_end(ForeignGames *games, Error *err) {
    return finish(games, games->from_start, err);
}

static int area_of(const ForeignPosition *position) {
    return position->width * position->height;
}

static bool board_is_empty(const ForeignPosition *position, int back) {
    for (int i = 0; i < area_of(position); i++) {
        if (position->boards[back][i] != COLOR_EMPTY) return false;
    }
    return true;
}

/* Finds the move of `mover` that could lead from one board to the next. Returns the index of the
 * new stone, STEP_PASS if the boards are equal, or STEP_NONE if no move of `mover` leads there.
 * Does not check whether the stones that disappeared were captured. */
static int find_step(const uint8_t *from, const uint8_t *to, int area, Color mover) {
    int found = STEP_PASS;
    if (memcmp(from, to, (size_t)area) == 0) return STEP_PASS;
    for (int i = 0; i < area; i++) {
        if (from[i] == to[i] || to[i] == COLOR_EMPTY) continue;
        if (found >= 0 || from[i] != COLOR_EMPTY || to[i] != mover) return STEP_NONE;
        found = i;
    }
    return found >= 0 ? found : STEP_NONE;
}

static bool has_stones(const Board *board, const uint8_t *cells) {
    for (int i = 0; i < board->width * board->height; i++) {
        if (board->color[move_at_index(i, board->width, board->height)] != cells[i]) return false;
    }
    return true;
}

/* Plays the move that leads from the board `before` to the board `cells`, and sets `*point` to the
 * move. If no legal move leads there, sets `*point` to POINT_NONE and does not change the
 * position. */
static Status play_to(Position *position, const uint8_t *before, const uint8_t *cells, Point *point,
                      Error *err) {
    int width = position->board.width, height = position->board.height;
    int step = find_step(before, cells, width * height, position->mover);
    *point = POINT_NONE;
    if (step == STEP_NONE || position->over) return OK;
    Point move = step == STEP_PASS ? POINT_PASS : move_at_index(step, width, height);
    if (!position_is_legal(position, move)) return OK;
    Board after = position->board;
    board_play(&after, move, position->mover);
    if (!has_stones(&after, cells)) return OK;
    *point = move;
    return position_play(position, move, err);
}

static bool set_up(Board *board, const ForeignPosition *position, int back) {
    uint8_t colors[POINT_COUNT];
    if (board_init(board, position->width, position->height, NULL)) return false;
    memcpy(colors, board->color, sizeof colors);
    for (int i = 0; i < area_of(position); i++)
        colors[move_at_index(i, position->width, position->height)] = position->boards[back][i];
    return board_set_all(board, colors);
}

/* Returns how many turns ago the history of a position begins. */
static int find_start(const ForeignPosition *position) {
    int oldest = FOREIGN_BOARDS - 1, area = area_of(position);
    while (oldest > 0 && board_is_empty(position, oldest))
        oldest--;
    if (oldest == FOREIGN_BOARDS - 1 || board_is_empty(position, oldest)) return oldest;
    Color mover = oldest % 2 ? position->mover : color_other(position->mover);
    bool one_stone =
        find_step(position->boards[oldest + 1], position->boards[oldest], area, mover) >= 0;
    return one_stone ? oldest + 1 : oldest;
}

/* Makes the position with its history. Sets `*back` to the result of find_start(). ERR_ILLEGAL: the
 * position is refused. */
static Status make_position(const ForeignGames *games, const ForeignPosition *from, int *back,
                            Position *out, Error *err) {
    Board board;
    Rules rules = games->rules;
    if (from->komi_known) rules.komi = from->komi;
    *back = find_start(from);
    if (!set_up(&board, from, *back))
        return fail(err, ERR_ILLEGAL, "the board of %d turns ago has stones without liberty",
                    *back);
    Color mover = *back % 2 ? color_other(from->mover) : from->mover;
    Status status = position_init_board(out, &board, mover, &rules, err);
    for (int k = *back; k > 0 && !status; k--) {
        Point point;
        status = play_to(out, from->boards[k], from->boards[k - 1], &point, err);
        if (!status && point == POINT_NONE)
            status = fail(err, ERR_ILLEGAL,
                          "no legal move leads from the board of %d turns ago to the next one", k);
    }
    if (!status && out->over) status = fail(err, ERR_ILLEGAL, "the game is over");
    return status;
}

/* ERR_ILLEGAL: the policy has no move, or one that is not legal. */
static Status check_policy(const ForeignPosition *from, const Position *position, Error *err) {
    bool legal[BOARD_POINTS_MAX], any = from->policy[area_of(from)] > 0;
    position_mark_legal(position, legal);
    for (int i = 0; i < area_of(from); i++) {
        if (!(from->policy[i] > 0)) continue;
        if (!legal[i])
            return fail(err, ERR_ILLEGAL, "the policy has the illegal move %s",
                        point_text(move_at_index(i, from->width, from->height), from->height).text);
        any = true;
    }
    return any ? OK : fail(err, ERR_ILLEGAL, "the policy has no move");
}

/* Sets the policy target of a turn. The probabilities are scaled to whole weights, so that the
 * largest weight is WEIGHT_MAX. Moves whose weight is rounded to 0 are left out. */
static Status set_targets(const ForeignPosition *from, TurnRecord *turn, Error *err) {
    int moves = area_of(from) + 1;
    float largest = 0;
    for (int i = 0; i < moves; i++)
        largest = fmaxf(largest, from->policy[i]);
    Status status = mem_new((size_t)moves, sizeof *turn->targets, &turn->targets, err);
    if (status) return status;
    for (int i = 0; i < moves; i++) {
        long weight = lround((double)from->policy[i] / (double)largest * WEIGHT_MAX);
        if (weight)
            turn->targets[turn->target_count++] = (PolicyTarget){(int16_t)i, (int16_t)weight};
    }
    turn->policy_weight = 1;
    return OK;
}

/* Sets what the search found. */
static void set_values(const ForeignPosition *from, TurnRecord *turn) {
    float sign = from->mover == COLOR_WHITE ? 1 : -1;
    if (!from->searched) return;
    turn->valued = true;
    turn->white_win = (1 + sign * from->win_loss) / 2; /* a draw is half a win */
    turn->white_loss = 1 - turn->white_win;
    turn->raw_white_win_loss = sign * from->raw_win_loss;
    turn->policy_surprise = from->policy_change;
    turn->visits = from->visits;
}

static Status add_turn(ForeignGames *games, const ForeignPosition *from, Error *err) {
    GameRecord *record = &games->record;
    Status status = game_record_add(record, (Move){POINT_NONE, from->mover}, NULL, 1, err);
    if (status) return status;
    TurnRecord *turn = &record->turns[record->turn_count - 1];
    games->last = *from;
    set_values(from, turn);
    return set_targets(from, turn, err);
}

/* Returns whether the position can follow the last position of the record. */
static bool follows(const ForeignGames *games, const ForeignPosition *next) {
    const ForeignPosition *last = &games->last;
    if (!games->open || next->width != last->width || next->height != last->height ||
        next->mover != color_other(last->mover) || next->winner != last->winner ||
        next->komi_known != last->komi_known || (next->komi_known && next->komi != last->komi))
        return false;
    for (int k = 1; k < FOREIGN_BOARDS; k++) {
        if (memcmp(next->boards[k], last->boards[k - 1], (size_t)area_of(next)) != 0) return false;
    }
    return true;
}

/* Begins a record at the position `start`. */
static Status begin(ForeignGames *games, const ForeignPosition *from, const Position *start,
                    bool from_start, Error *err) {
    GameRecord *record = &games->record;
    Status status = game_record_init(record, start, err);
    if (!status) status = position_copy(&games->now, start, err);
    games->open = true;
    games->from_start = from_start;
    record->mode = position_handicap(start) ? GAME_HANDICAP : GAME_NORMAL;
    record->outcome.winner = from->winner;
    record->finished = record->score_unknown = record->owner_unknown = true;
    return status;
}

/* Ends the record because the position after it was refused. If this succeeds, `err` still says why
 * the position was refused. */
static Status refuse(ForeignGames *games, bool whole, bool *refused, Error *err) {
    Error fault = {0};
    Status status = finish(games, whole, &fault);
    *refused = true;
    return status ? fail(err, status, "%s", fault.message) : OK;
}

/* Ends the record and begins a new one at this position. The record that ends is whole only if it
 * began at the start of a game and the new record does, too. */
static Status restart(ForeignGames *games, const ForeignPosition *from, bool *refused, Error *err) {
    Position start = {0};
    int back = 0;
    Status status = make_position(games, from, &back, &start, err);
    if (!status) status = check_policy(from, &start, err);
    if (status == ERR_ILLEGAL) {
        status = refuse(games, false, refused, err);
    } else if (!status) {
        status = finish(games, back == 0 && games->from_start, err);
        if (!status) status = begin(games, from, &start, back == 0, err);
        if (!status) status = add_turn(games, from, err);
    }
    position_clear(&start);
    return status;
}

/* Adds a position to the record. `point` is the move of the turn before, which led to it. */
static Status go_on(ForeignGames *games, const ForeignPosition *position, Point point,
                    bool *refused, Error *err) {
    games->record.turns[games->record.turn_count - 1].move.point = point;
    Status status = games->now.over ? fail(err, ERR_ILLEGAL, "the game is over")
                                    : check_policy(position, &games->now, err);
    if (status) return refuse(games, games->now.over && games->from_start, refused, err);
    return add_turn(games, position, err);
}

Status foreign_games_add(ForeignGames *games, const ForeignPosition *position, bool *refused,
                         Error *err) {
    Point point = POINT_NONE;
    *refused = false;
    if (follows(games, position)) {
        Status status =
            play_to(&games->now, games->last.boards[0], position->boards[0], &point, err);
        if (status) return status;
    }
    return point == POINT_NONE ? restart(games, position, refused, err)
                               : go_on(games, position, point, refused, err);
}
