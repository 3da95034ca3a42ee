#include "protocol/analysis/analysis_query.h"

#include <stdlib.h>

AnalysisQuery *query_hold(AnalysisQuery *query) {
    atomic_fetch_add_explicit(&query->holders, 1, memory_order_relaxed);
    return query;
}

void query_release(AnalysisQuery *query) {
    if (!query) return;
    if (atomic_fetch_sub_explicit(&query->holders, 1, memory_order_acq_rel) > 1) return;
    free(query->id);
    free(query->stones);
    free(query->moves);
    free(query->wanted_turns);
    free(query->priorities);
    free(query->avoid);
    free(query);
}

/* Puts a stone on the board like a move: chains without a liberty are captured. A stone on an
 * occupied point replaces the one there. A stone that would have no liberty and no neighbour of its
 * color is left out. */
static void put_stone(Board *board, Move stone) {
    if (board->color[stone.point] != COLOR_EMPTY) (void)board_set(board, stone.point, COLOR_EMPTY);
    bool alone = true;
    for (int i = 0; i < 4; i++)
        alone &= board->color[stone.point + POINT_STEPS[i]] != stone.color;
    if (alone && board_is_suicide(board, stone.point, stone.color)) return;
    board_play(board, stone.point, stone.color);
    board->ko = POINT_NONE;
}

Status query_position(const AnalysisQuery *query, int turn, Position *out, int *illegal,
                      Error *err) {
    Board board;
    *illegal = -1;
    Status status = board_init(&board, query->width, query->height, err);
    if (status) return status;
    for (int i = 0; i < query->stone_count; i++)
        put_stone(&board, query->stones[i]);
    status = position_init_board(out, &board, query->first, &query->rules, err);
    if (status) return status;
    out->prevent_encore = query->analysis.prevent_encore;
    out->multiple_black_moves_are_handicap = query->analysis.handicap_of_moves;
    for (int i = 0; i < turn && !status; i++) {
        status = position_play_tolerant(out, query->moves[i], err);
        if (status) *illegal = i;
    }
    if (status) position_clear(out);
    return status;
}
