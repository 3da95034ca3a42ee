#include "data/foreign/foreign_pack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

/* The bytes of a record are
 *   - a Head,
 *   - the colors of the start board, one byte for each point,
 *   - the moves from the start board to turn 0, each as move_index() in 2 bytes,
 *   - the turns, each of which is a TurnHead, its policy targets and, if it was searched, a
 *     TurnValues.
 * Numbers are little-endian. */
typedef struct {
    uint8_t width, height, first_mover, winner, end_unknown, mode;
    uint16_t moves;
    uint32_t turns;
    float komi;
} Head;
typedef struct {
    int16_t move; /* move_index(), or -1 */
    uint16_t targets;
    uint8_t searched, row, unused[2];
} TurnHead;
typedef struct {
    float white_win, raw_white_win_loss, policy_surprise;
    int32_t visits;
} TurnValues;
_Static_assert(sizeof(Head) == 16 && sizeof(TurnHead) == 8 && sizeof(TurnValues) == 16 &&
                   sizeof(PolicyTarget) == 4,
               "the bytes have this layout");

static void pack_turn(const TurnRecord *turn, int width, int height, StrBuf *out) {
    Point point = turn->move.point;
    const TurnHead head = {
        .move = (int16_t)(point == POINT_NONE ? -1 : move_index(point, width, height)),
        .targets = (uint16_t)turn->target_count,
        .searched = turn->valued,
        .row = turn->row_weight > 0};
    strbuf_add_bytes(out, &head, sizeof head);
    strbuf_add_bytes(out, turn->targets, (size_t)turn->target_count * sizeof *turn->targets);
    if (!turn->valued) return;
    const TurnValues values = {turn->white_win, turn->raw_white_win_loss, turn->policy_surprise,
                               turn->visits};
    strbuf_add_bytes(out, &values, sizeof values);
}

void foreign_pack(const GameRecord *record, StrBuf *out) {
    const Position *start = &record->start;
    const Board *board = position_start_board(start);
    int width = board->width, height = board->height;
    uint8_t cells[BOARD_POINTS_MAX];
    const Head head = {.width = (uint8_t)width,
                       .height = (uint8_t)height,
                       .first_mover = (uint8_t)position_start_mover(start),
                       .winner = (uint8_t)record->outcome.winner,
                       .end_unknown = record->end_unknown,
                       .mode = (uint8_t)record->mode,
                       .moves = (uint16_t)start->move_count,
                       .turns = (uint32_t)record->turn_count,
                       .komi = start->rules.komi};
    strbuf_add_bytes(out, &head, sizeof head);
    for (int i = 0; i < width * height; i++)
        cells[i] = board->color[move_at_index(i, width, height)];
    strbuf_add_bytes(out, cells, (size_t)(width * height));
    for (int i = 0; i < start->move_count; i++) {
        int16_t move = (int16_t)move_index(position_move(start, i).point, width, height);
        strbuf_add_bytes(out, &move, sizeof move);
    }
    for (size_t i = 0; i < record->turn_count; i++)
        pack_turn(&record->turns[i], width, height, out);
}

void foreign_hash(const void *bytes, size_t count, uint64_t hash[2]) {
    for (uint64_t i = 0; i < 2; i++)
        hash[i] = hash_mix(hash_bytes(bytes, count, i));
}

/* The bytes that are left. */
typedef struct {
    const char *at;
    size_t left;
} Bytes;

static bool take(Bytes *from, void *out, size_t count) {
    if (count > from->left) return false;
    if (count) memcpy(out, from->at, count);
    from->at += count;
    from->left -= count;
    return true;
}

static Status bad_bytes(Error *err) {
    return fail(err, ERR_SYNTAX, "a packed game is damaged");
}

/* Plays a move by its index. */
static Status play(Position *position, int index, Error *err) {
    int width = position->board.width, height = position->board.height;
    if (index < 0 || index > width * height) return bad_bytes(err);
    Point point = move_at_index(index, width, height);
    if (position->over || !position_is_legal(position, point)) return bad_bytes(err);
    return position_play(position, point, err);
}

static Status unpack_start(Bytes *from, const Head *head, const Rules *rules, Position *out,
                           Error *err) {
    Board board;
    uint8_t colors[POINT_COUNT];
    Rules its = *rules;
    its.komi = head->komi;
    bool good = (head->first_mover == COLOR_BLACK || head->first_mover == COLOR_WHITE) &&
                head->winner <= COLOR_WHITE && head->mode < GAME_MODES &&
                rules_komi_is_valid((double)head->komi) && head->moves <= from->left / 2;
    if (!good || board_init(&board, head->width, head->height, NULL)) return bad_bytes(err);
    memcpy(colors, board.color, sizeof colors);
    for (int i = 0; i < head->width * head->height; i++) {
        uint8_t *color = &colors[move_at_index(i, head->width, head->height)];
        if (!take(from, color, 1) || *color > COLOR_WHITE) return bad_bytes(err);
    }
    if (!board_set_all(&board, colors)) return bad_bytes(err);
    Status status = position_init_board(out, &board, (Color)head->first_mover, &its, err);
    for (int i = 0; i < head->moves && !status; i++) {
        int16_t move;
        status = take(from, &move, sizeof move) ? play(out, move, err) : bad_bytes(err);
    }
    return status;
}

/* Returns whether the policy targets are moves of the board, in rising order of their indices and
 * with positive weights. */
static bool targets_are_good(const TurnRecord *turn, int moves) {
    for (int i = 0; i < turn->target_count; i++) {
        int index = turn->targets[i].index, before = i ? turn->targets[i - 1].index : -1;
        if (index <= before || index >= moves || turn->targets[i].weight <= 0) return false;
    }
    return turn->target_count > 0;
}

static bool values_are_good(const TurnValues *values) {
    return values->white_win >= 0 && values->white_win <= 1 &&
           fabsf(values->raw_white_win_loss) <= 1 && values->policy_surprise >= 0 &&
           values->policy_surprise <= 1e6f && values->visits >= 0;
}

static Status unpack_turn(Bytes *from, const Board *board, TurnHead *head, TurnRecord *turn,
                          Error *err) {
    int moves = board->width * board->height + 1;
    if (!take(from, head, sizeof *head) || head->targets > moves || head->searched > 1 ||
        head->row > 1)
        return bad_bytes(err);
    Status status = mem_new((size_t)head->targets + 1, sizeof *turn->targets, &turn->targets, err);
    if (status) return status;
    turn->target_count = head->targets;
    turn->policy_weight = 1;
    turn->row_weight = head->row;
    if (!take(from, turn->targets, head->targets * sizeof *turn->targets) ||
        !targets_are_good(turn, moves))
        return bad_bytes(err);
    if (!head->searched) return OK;
    TurnValues values;
    if (!take(from, &values, sizeof values) || !values_are_good(&values)) return bad_bytes(err);
    turn->valued = true;
    turn->white_win = values.white_win;
    turn->white_loss = 1 - values.white_win;
    turn->raw_white_win_loss = values.raw_white_win_loss;
    turn->policy_surprise = values.policy_surprise;
    turn->visits = values.visits;
    return OK;
}

static Status unpack_turns(Bytes *from, uint32_t turns, GameRecord *record, Error *err) {
    Position position = {0};
    Status status = position_copy(&position, &record->start, err);
    for (uint32_t i = 0; i < turns && !status; i++) {
        TurnHead head;
        status = position.over
                     ? bad_bytes(err)
                     : game_record_add(record, (Move){POINT_NONE, position.mover}, NULL, 1, err);
        if (status) break;
        TurnRecord *turn = &record->turns[i];
        status = unpack_turn(from, &position.board, &head, turn, err);
        if (status || (head.move == -1 && i + 1 == turns)) break;
        status = play(&position, head.move, err);
        if (!status) turn->move.point = position_last_move(&position, 0).point;
    }
    position_clear(&position);
    return status;
}

Status foreign_unpack(const void *bytes, size_t count, const Rules *rules, GameRecord *out,
                      Error *err) {
    Bytes from = {bytes, count};
    Head head;
    Position start = {0};
    *out = (GameRecord){0};
    if (!take(&from, &head, sizeof head) || !head.turns) return bad_bytes(err);
    Status status = unpack_start(&from, &head, rules, &start, err);
    if (!status) status = game_record_init(out, &start, err);
    position_clear(&start);
    if (!status) status = unpack_turns(&from, head.turns, out, err);
    if (!status && from.left) status = bad_bytes(err);
    if (status) {
        game_record_clear(out);
        *out = (GameRecord){0};
        return status;
    }
    out->mode = (GameMode)head.mode;
    out->outcome.winner = (Color)head.winner;
    out->end_unknown = head.end_unknown != 0;
    out->finished = out->score_unknown = out->owner_unknown = true;
    foreign_hash(bytes, count, out->hash);
    return OK;
}
