#include "play/setup/position_seed.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

Status position_seed_make(const Position *position, PositionSeed *out, Error *err) {
    const Board *start = position_start_board(position);
    *out = (PositionSeed){.width = start->width,
                          .height = start->height,
                          .mover = position_start_mover(position),
                          .encore_phase = position_start_phase(position),
                          .rules = position->rules,
                          .move_count = position->move_count};
    memcpy(out->colors, start->color, sizeof out->colors);
    memcpy(out->captured, start->captured, sizeof out->captured);
    Status status = mem_new((size_t)position->move_count + 1, sizeof *out->moves, &out->moves, err);
    for (int i = 0; i < position->move_count && !status; i++) {
        Move move = position_move(position, i);
        out->moves[i] = move.point * 4 + (int)move.color;
    }
    return status;
}

void position_seed_clear(PositionSeed *seed) {
    free(seed->moves);
    *seed = (PositionSeed){0};
}

static Status restore_start(const PositionSeed *seed, const Rules *rules, Position *out,
                            Error *err) {
    Board board;
    Position start = {0};
    Status status = board_init(&board, seed->width, seed->height, err);
    if (status) return status;
    if (!board_set_all(&board, seed->colors))
        return fail(err, ERR_ARGUMENT, "a chain of the start has no liberty");
    if (!rules) rules = &seed->rules;
    memcpy(board.captured, seed->captured, sizeof board.captured);
    status = position_init_board(&start, &board, seed->mover, rules, err);
    if (!status && seed->encore_phase && rules->scoring == SCORING_TERRITORY)
        status = position_restart_phase(&start, seed->mover, seed->encore_phase, err);
    if (!status) status = position_copy(out, &start, err);
    position_clear(&start);
    return status;
}

Status position_seed_restore(const PositionSeed *seed, const Rules *rules, Position *out,
                             Error *err) {
    Status status = restore_start(seed, rules, out, err);
    for (int i = 0; i < seed->move_count && !status; i++) {
        Move move = {(Point)(seed->moves[i] >> 2), (Color)(seed->moves[i] & 3)};
        bool strict = move.color == out->mover && position_is_legal(out, move.point);
        status =
            strict ? position_play(out, move.point, err) : position_play_tolerant(out, move, err);
    }
    return status;
}
