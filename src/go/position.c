#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "go/position_private.h"

uint64_t position_mover_hash(Color mover) {
    return hash_mix(0x706c6179u + (uint64_t)mover);
}

uint64_t position_ko_hash(const Position *position, uint64_t board_hash, Color next) {
    KoRule ko = position->rules.ko;
    bool with_player = ko == KO_SITUATIONAL || ko == KO_SIMPLE || position->encore_phase > 0;
    uint64_t hash = with_player ? board_hash ^ position_mover_hash(next) : board_hash;
    if (!position->encore_phase) return hash;
    for (Point p = 0; p < POINT_COUNT; p++) {
        if (position->recapture_blocked[p]) hash ^= hash_mix(0x626c6f636bu + (uint64_t)p);
    }
    return hash;
}

Status position_push_hash(PositionHistory *history, uint64_t hash, Error *err) {
    Status status = mem_grow(&history->hashes, &history->hash_capacity, history->hash_count + 1,
                             sizeof *history->hashes, err);
    if (!status) history->hashes[history->hash_count++] = hash;
    return status;
}

static int count_stones(const Board *board, Color color) {
    int count = 0;
    for (Point p = 0; p < POINT_COUNT; p++)
        count += board->color[p] == color;
    return count;
}

/* Does the same as KataGo's computeNumHandicapStones(). position.h says which stones count. */
int position_handicap(const Position *position) {
    const PositionHistory *history = position->history;
    if (count_stones(&history->start, COLOR_WHITE)) return 0;
    int count = count_stones(&history->start, COLOR_BLACK), extra = 0;
    for (int i = 0; position->multiple_black_moves_are_handicap && i < position->move_count; i++) {
        const PackedMove *move = &history->moves[i];
        if (move->color == COLOR_BLACK) {
            extra += move->point != POINT_PASS;
            continue;
        }
        bool twice = i + 1 < position->move_count && history->moves[i + 1].color == COLOR_WHITE;
        if (twice) extra = 0;
        if (twice || move->point != POINT_PASS) break;
    }
    return count + extra <= 1 ? 0 : count + extra;
}

float position_handicap_bonus(const Position *position) {
    int count = position_handicap(position);
    switch (position->rules.white_bonus) {
    case WHITE_BONUS_N:
        return (float)count;
    case WHITE_BONUS_N_MINUS_ONE:
        return count > 1 ? (float)(count - 1) : 0;
    case WHITE_BONUS_ZERO:
        break;
    }
    return 0;
}

Status position_restart_phase(Position *position, Color mover, int encore_phase, Error *err) {
    PositionHistory *history = position->history;
    Board *board = &position->board;
    if (encore_phase) board->ko = POINT_NONE;
    Board now = *board;
    history->start = now;
    history->start_mover = mover;
    history->start_phase = encore_phase;
    history->hash_count = history->capture_count = history->pass_count[0] = history->pass_count[1] =
        0;
    position->earlier[0] = position->earlier[1] = now;
    position->mover = mover;
    position->move_count = position->passes = position->valid_turns = 0;
    position->legal_turns = 0;
    position->encore_phase = encore_phase;
    position->over = position->past_normal_end = position->unsettled = false;
    position->outcome = (Outcome){0};
    position->button = position->rules.button && position->rules.scoring == SCORING_AREA;
    memset(position->superko_banned, 0, sizeof position->superko_banned);
    memset(position->recapture_blocked, 0, sizeof position->recapture_blocked);
    for (Point p = 0; p < POINT_COUNT; p++) {
        bool stone = now.color[p] == COLOR_BLACK || now.color[p] == COLOR_WHITE;
        position->ever_occupied[p] = stone;
        position->second_encore_start[p] = encore_phase == 2 && stone ? now.color[p] : COLOR_EMPTY;
    }
    position->white_bonus = 0;
    if (position->rules.scoring == SCORING_TERRITORY)
        position->white_bonus =
            (float)(count_stones(&now, COLOR_BLACK) - count_stones(&now, COLOR_WHITE) -
                    (now.captured[COLOR_WHITE] - now.captured[COLOR_BLACK]));
    position->white_handicap_bonus = position_handicap_bonus(position);
    return position_push_hash(history, position_ko_hash(position, now.hash, mover), err);
}

Status position_restart(Position *position, Color mover, Error *err) {
    return position_restart_phase(position, mover, position->encore_phase, err);
}

Status position_init_board(Position *position, const Board *board, Color mover, const Rules *rules,
                           Error *err) {
    memset(position, 0, sizeof *position);
    if (!rules_komi_is_valid((double)rules->komi))
        return fail(err, ERR_ARGUMENT, "komi %g is not a multiple of 1/2 within -%d to %d",
                    (double)rules->komi, RULES_KOMI_MAX, RULES_KOMI_MAX);
    Status status = mem_new(1, sizeof *position->history, &position->history, err);
    if (status) return status;
    position->board = *board;
    position->rules = *rules;
    position->multiple_black_moves_are_handicap = true;
    status = position_restart_phase(position, mover, 0, err);
    if (status) position_clear(position);
    return status;
}

Status position_init(Position *position, int width, int height, const Rules *rules, Error *err) {
    Board board;
    memset(position, 0, sizeof *position);
    Status status = board_init(&board, width, height, err);
    return status ? status : position_init_board(position, &board, COLOR_BLACK, rules, err);
}

void position_clear(Position *position) {
    PositionHistory *history = position->history;
    if (history) {
        free(history->moves);
        free(history->hashes);
        free(history->pass_hashes[0]);
        free(history->pass_hashes[1]);
        free(history->captures);
        free(history);
    }
    position->history = NULL;
}

/* Makes room in `to` for all that `from` holds, and for `moves` moves. */
static Status reserve_history(PositionHistory *to, const PositionHistory *from, size_t moves,
                              Error *err) {
    Status status = mem_grow(&to->moves, &to->move_capacity, moves, sizeof *to->moves, err);
    if (!status)
        status =
            mem_grow(&to->hashes, &to->hash_capacity, from->hash_count, sizeof *to->hashes, err);
    for (int i = 0; i < 2 && !status; i++)
        status = mem_grow(&to->pass_hashes[i], &to->pass_capacity[i], from->pass_count[i],
                          sizeof(uint64_t), err);
    if (!status)
        status = mem_grow(&to->captures, &to->capture_capacity, from->capture_count,
                          sizeof *to->captures, err);
    return status;
}

static void copy_array(void *to, const void *from, size_t count, size_t size) {
    if (count) memcpy(to, from, count * size);
}

/* Copies everything but the history and the earlier boards. `out` must hold a position. */
static void copy_state(Position *out, const Position *in) {
    enum { FIRST = offsetof(Position, rules), END = offsetof(Position, superko_banned) };
    int height = out->board.height > in->board.height ? out->board.height : in->board.height;
    uint8_t *const to[] = {out->superko_banned, out->recapture_blocked, out->second_encore_start,
                           out->ever_occupied};
    const uint8_t *const from[] = {in->superko_banned, in->recapture_blocked,
                                   in->second_encore_start, in->ever_occupied};
    for (int i = 0; i < 4; i++)
        memcpy(to[i] + POINT_STRIDE, from[i] + POINT_STRIDE, (size_t)(height * POINT_STRIDE));
    board_copy(&out->board, &in->board);
    memcpy((char *)out + FIRST, (const char *)in + FIRST, END - FIRST);
}

static bool same_start(const Board *a, const Board *b) {
    return a->hash == b->hash && a->ko == b->ko &&
           memcmp(a->captured, b->captured, sizeof a->captured) == 0;
}

static Status copy(Position *out, const Position *in, bool earlier, Error *err) {
    PositionHistory *to = out->history;
    const PositionHistory *from = in->history;
    if (!to) {
        Status status = mem_new(1, sizeof *to, &to, err);
        if (status) return status;
    }
    Status status = reserve_history(to, from, (size_t)in->move_count, err);
    if (status) {
        if (!out->history) {
            Position unfinished = {.history = to};
            position_clear(&unfinished);
        }
        return status;
    }
    if (out->history) {
        copy_state(out, in);
        for (int i = 0; i < 2 && earlier; i++)
            board_copy(&out->earlier[i], &in->earlier[i]);
    } else {
        *out = *in;
    }
    out->history = to;
    if (!same_start(&to->start, &from->start)) board_copy(&to->start, &from->start);
    to->start_mover = from->start_mover;
    to->start_phase = from->start_phase;
    to->hash_count = from->hash_count;
    to->capture_count = from->capture_count;
    copy_array(to->moves, from->moves, (size_t)in->move_count, sizeof *to->moves);
    copy_array(to->hashes, from->hashes, from->hash_count, sizeof *to->hashes);
    for (int i = 0; i < 2; i++) {
        to->pass_count[i] = from->pass_count[i];
        copy_array(to->pass_hashes[i], from->pass_hashes[i], from->pass_count[i], sizeof(uint64_t));
    }
    copy_array(to->captures, from->captures, from->capture_count, sizeof *to->captures);
    return OK;
}

Status position_copy(Position *out, const Position *in, Error *err) {
    return copy(out, in, true, err);
}

Status position_begin_line(Position *line, const Position *from, Error *err) {
    return copy(line, from, false, err);
}

Move position_move(const Position *position, int index) {
    const PackedMove *move = &position->history->moves[index];
    return (Move){move->point, (Color)move->color};
}

Move position_last_move(const Position *position, int back) {
    if (back >= position->move_count) return (Move){POINT_NONE, COLOR_EMPTY};
    return position_move(position, position->move_count - 1 - back);
}

const Board *position_previous(const Position *position, int back) {
    return &position->earlier[position->newest_earlier ^ back];
}

const Board *position_start_board(const Position *position) {
    return &position->history->start;
}

Color position_start_mover(const Position *position) {
    return position->history->start_mover;
}

int position_start_phase(const Position *position) {
    return position->history->start_phase;
}

bool position_passed_for_ko(const Position *position, int index) {
    return position->history->moves[index].pass_for_ko;
}

float position_mover_komi(const Position *position, float draw_equivalent_wins_for_white) {
    float komi = position->rules.komi;
    bool whole = (komi == floorf(komi)) != position->rules.button;
    float white = position->white_bonus + position->white_handicap_bonus + komi;
    if (whole) white += draw_equivalent_wins_for_white - 0.5f;
    return position->mover == COLOR_WHITE ? white : -white;
}
