/* Moves, passes, phases and the end of a game. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "go/area.h"
#include "go/position_private.h"
#include "go/score.h"

static void end_with(Position *position, float white_score) {
    Color winner = white_score > 0 ? COLOR_WHITE : white_score < 0 ? COLOR_BLACK : COLOR_EMPTY;
    position->over = true;
    position->outcome = (Outcome){.winner = winner, .white_score = white_score};
}

void position_end_and_score(Position *position) {
    end_with(position, score_position(position, NULL));
}

void position_set_komi(Position *position, float komi) {
    position->rules.komi = komi;
    if (position->over && !position->outcome.no_result) position_end_and_score(position);
}

bool position_end_if_all_passalive(Position *position) {
    uint8_t area[POINT_COUNT];
    passalive_compute(&position->board, score_suicide(position), area);
    for (int y = 0; y < position->board.height; y++) {
        for (int x = 0; x < position->board.width; x++) {
            if (area[point_at(x, y)] == COLOR_EMPTY) return false;
        }
    }
    if (position->rules.scoring == SCORING_AREA || position->rules.tax == TAX_ALL) {
        position_end_and_score(position);
        return true;
    }
    int sum = 0;
    for (Point p = 0; p < POINT_COUNT; p++)
        sum += (area[p] == COLOR_WHITE) - (area[p] == COLOR_BLACK);
    end_with(position, (float)sum + position->white_bonus + position->white_handicap_bonus +
                           position->rules.komi);
    return true;
}

static Status enter_next_phase(Position *position, Error *err) {
    PositionHistory *history = position->history;
    position->encore_phase++;
    position->passes = position->valid_turns = 0;
    position->board.ko = POINT_NONE;
    history->hash_count = history->capture_count = history->pass_count[0] = history->pass_count[1] =
        0;
    memset(position->superko_banned, 0, sizeof position->superko_banned);
    memset(position->recapture_blocked, 0, sizeof position->recapture_blocked);
    for (Point p = 0; position->encore_phase == 2 && p < POINT_COUNT; p++) {
        uint8_t color = position->board.color[p];
        position->second_encore_start[p] = color == COLOR_WALL ? COLOR_EMPTY : color;
    }
    return position_push_hash(
        history, position_ko_hash(position, position->board.hash, position->mover), err);
}

static Status end_phase(Position *position, Error *err) {
    if (position->rules.scoring == SCORING_AREA || position->encore_phase >= 2) {
        position_end_and_score(position);
        return OK;
    }
    if (!position->prevent_encore) return enter_next_phase(position, err);
    position->past_normal_end = true;
    if (position->valid_turns > 1) position->valid_turns = 1;
    if (position->legal_turns > 1) position->legal_turns = 1;
    return OK;
}

/* Facts about a turn that are found before or while it is played. */
typedef struct {
    bool ends_phase, pass_for_ko;
    uint64_t hash_before; /* the position_ko_hash() from before the turn */
} Turn;

static Status play_pass(Position *position, Color color, Turn *turn, Error *err) {
    PositionHistory *history = position->history;
    position->board.ko = POINT_NONE;
    if (position->button) {
        position->button = false;
        position->white_bonus += color == COLOR_WHITE ? 0.5f : -0.5f;
        position->passes = 0;
        history->pass_count[0] = history->pass_count[1] = history->hash_count = 0;
        return OK;
    }
    turn->ends_phase = position_pass_would_end_phase(position);
    position->passes = position_passes_after_pass(position);
    if (position_pass_clears_history(position)) history->hash_count = 0;
    int side = color == COLOR_WHITE;
    Status status = mem_grow(&history->pass_hashes[side], &history->pass_capacity[side],
                             history->pass_count[side] + 1, sizeof(uint64_t), err);
    if (!status) history->pass_hashes[side][history->pass_count[side]++] = turn->hash_before;
    return status;
}

static Status remember_encore_capture(Position *position, Point point, Color color,
                                      uint64_t board_hash, Error *err) {
    PositionHistory *history = position->history;
    position->recapture_blocked[point] = 1;
    position->board.ko = POINT_NONE;
    Status status = mem_grow(&history->captures, &history->capture_capacity,
                             history->capture_count + 1, sizeof *history->captures, err);
    if (!status)
        history->captures[history->capture_count++] =
            (EncoreCapture){board_hash, (int16_t)point, (uint8_t)color};
    return status;
}

static Status play_stone(Position *position, Point point, Color color, Turn *turn, Error *err) {
    Board *board = &position->board;
    position->passes = 0;
    if (!position->encore_phase) {
        board_play(board, point, color);
        position->ever_occupied[point] = 1;
        return OK;
    }
    Point captured =
        board->color[point] == COLOR_EMPTY ? position_ko_capture(board, point, color) : POINT_NONE;
    Point blocked = board->color[point] == color_other(color) ? point : captured;
    turn->pass_for_ko = blocked != POINT_NONE && position->recapture_blocked[blocked];
    if (turn->pass_for_ko) {
        position->recapture_blocked[blocked] = 0;
        board->ko = POINT_NONE;
        return OK;
    }
    uint64_t before = board->hash;
    board_play(board, point, color);
    position->ever_occupied[point] = 1;
    Status status =
        board->ko != POINT_NONE ? remember_encore_capture(position, point, color, before, err) : OK;
    for (Point p = 0; p < POINT_COUNT; p++) {
        if (board->color[p] == COLOR_EMPTY) position->recapture_blocked[p] = 0;
    }
    return status;
}

/* Makes a move that is known to be possible, as KataGo's BoardHistory::makeBoardMoveAssumeLegal()
 * does; docs/RULES.md explains the rules. `legal` says whether the strict rules allow it. */
static Status make_move(Position *position, Point point, Color color, bool legal, Error *err) {
    assert(color == position->mover);
    PositionHistory *history = position->history;
    Status status = mem_grow(&history->moves, &history->move_capacity,
                             (size_t)position->move_count + 1, sizeof *history->moves, err);
    if (status) return status;
    if (position->over || position->past_normal_end) {
        if (position->valid_turns > 1) position->valid_turns = 1;
        if (position->legal_turns > 1) position->legal_turns = 1;
        position->over = position->past_normal_end = false;
        position->outcome = (Outcome){0};
    }
    Turn turn = {.hash_before = position_ko_hash(position, position->board.hash, color)};
    position->newest_earlier ^= 1;
    board_copy(&position->earlier[position->newest_earlier], &position->board);
    status = point == POINT_PASS ? play_pass(position, color, &turn, err)
                                 : play_stone(position, point, color, &turn, err);
    if (status) return status;
    history->moves[position->move_count++] =
        (PackedMove){(int16_t)point, (uint8_t)color, turn.pass_for_ko};
    position->mover = color_other(color);
    position->valid_turns++;
    position->legal_turns = legal ? position->legal_turns + 1 : 0;
    uint64_t now = position_ko_hash(position, position->board.hash, position->mover);
    status = position_push_hash(history, now, err);
    if (status) return status;
    position->unsettled = true;
    bool stone = point != POINT_PASS;
    if (position->rules.scoring == SCORING_TERRITORY && position->encore_phase <= 1 && stone &&
        !turn.pass_for_ko)
        position->white_bonus += color == COLOR_BLACK ? 1 : -1;
    /* Only moves of Black, and two moves of White in a row, change the count. */
    int moves = position->move_count;
    bool again = moves > 1 && history->moves[moves - 2].color == (uint8_t)color;
    if ((color == COLOR_BLACK || again) && position->rules.white_bonus != WHITE_BONUS_ZERO)
        position->white_handicap_bonus = position_handicap_bonus(position);
    if (turn.ends_phase) status = end_phase(position, err);
    bool repeats = stone && (position->encore_phase > 0 || position->rules.ko == KO_SIMPLE) &&
                   position_count_hash(history->hashes, history->hash_count, now) >= 3;
    if (repeats) {
        position->over = true;
        position->outcome = (Outcome){.no_result = true};
    }
    return status;
}

Status position_play_on(Position *position, Point point, Error *err) {
    if (!position_is_legal(position, point))
        return fail(err, ERR_ILLEGAL, "%s is illegal for %s",
                    point_text(point, position->board.height).text,
                    position->mover == COLOR_BLACK ? "Black" : "White");
    return make_move(position, point, position->mover, true, err);
}

Status position_play(Position *position, Point point, Error *err) {
    Status status = position_play_on(position, point, err);
    if (!status) position_settle(position);
    return status;
}

void position_end_line(Position *line, const Position *from) {
    int moves = line->move_count - from->move_count;
    for (int back = moves; back < 2; back++)
        board_copy(&line->earlier[line->newest_earlier ^ back],
                   position_previous(from, back - moves));
    position_settle(line);
}

Status position_replay_on(Position *position, Move move, Error *err) {
    Board *board = &position->board;
    if (move.color != COLOR_BLACK && move.color != COLOR_WHITE)
        return fail(err, ERR_ARGUMENT, "a move needs a player");
    if (move.point != POINT_PASS && !board_on(board, move.point))
        return fail(err, ERR_ILLEGAL, "the point is off the board");
    bool other = move.color != position->mover;
    if (other) { /* as in KataGo's GTP, a new game starts here with the other color to move */
        Point ko = board->ko;
        board->ko = POINT_NONE;
        bool possible = board_is_legal(board, move.point, move.color, true);
        board->ko = ko;
        if (!possible)
            return fail(err, ERR_ILLEGAL, "illegal move %s",
                        point_text(move.point, board->height).text);
        board->ko = POINT_NONE;
        Status status = position_restart(position, move.color, err);
        if (status) return status;
        bool legal = position_is_legal(position, move.point);
        return make_move(position, move.point, move.color, legal, err);
    }
    Board plain = *board;
    plain.ko = POINT_NONE;
    bool possible = board_is_legal(&plain, move.point, move.color, true) ||
                    position_is_pass_for_ko(position, move.point);
    if (!possible)
        return fail(err, ERR_ILLEGAL, "illegal move %s",
                    point_text(move.point, board->height).text);
    bool legal = position_is_legal(position, move.point);
    return make_move(position, move.point, move.color, legal, err);
}

void position_end_replay(Position *position) {
    position_settle(position);
}

Status position_play_tolerant(Position *position, Move move, Error *err) {
    Status status = position_replay_on(position, move, err);
    position_settle(position);
    return status;
}
