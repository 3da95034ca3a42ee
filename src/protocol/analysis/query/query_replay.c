#include "protocol/analysis/query/query_replay.h"

#include <string.h>

/* Puts a stone on the board like a move: chains without a liberty are captured. A stone on an
 * occupied point replaces the stone that was there. A stone that would have no liberty and no
 * neighbour of its color is left out. */
static void put_stone(Board *board, Move stone) {
    if (board->color[stone.point] != COLOR_EMPTY) (void)board_set(board, stone.point, COLOR_EMPTY);
    bool alone = true;
    for (int i = 0; i < 4; i++)
        alone &= board->color[stone.point + POINT_STEPS[i]] != stone.color;
    if (alone && board_is_suicide(board, stone.point, stone.color)) return;
    board_play(board, stone.point, stone.color);
    board->ko = POINT_NONE;
}

static Status check_stop(const atomic_bool *stop, Error *err) {
    return atomic_load_explicit(stop, memory_order_relaxed) ? fail(err, ERR_STOPPED, "stopped")
                                                            : OK;
}

void query_replay_clear(QueryReplay *replay) {
    position_clear(&replay->position);
    query_release(replay->query);
    *replay = (QueryReplay){0};
}

/* Goes to the start of the game, with its stones. */
static Status go_to_start(QueryReplay *replay, AnalysisQuery *query, const atomic_bool *stop,
                          Error *err) {
    Board board;
    query_replay_clear(replay);
    Status status = board_init(&board, query->width, query->height, err);
    for (int i = 0; i < query->stone_count && !status; i++) {
        put_stone(&board, query->stones[i]);
        status = check_stop(stop, err);
    }
    if (!status)
        status = position_init_board(&replay->position, &board, query->first, &query->rules, err);
    if (status) return status;
    replay->position.prevent_encore = query->analysis.prevent_encore;
    replay->position.multiple_black_moves_are_handicap = query->analysis.handicap_of_moves;
    replay->query = query_hold(query);
    return OK;
}

/* Plays moves up to `turn`, which is not before replay->turn. After ERR_ILLEGAL, replay->turn is
 * the index of the move that cannot be played. */
static Status go_on_to(QueryReplay *replay, int turn, const atomic_bool *stop, Error *err) {
    Status status = OK;
    while (replay->turn < turn && !status) {
        status = check_stop(stop, err);
        if (!status)
            status = position_replay_on(&replay->position, replay->query->moves[replay->turn], err);
        replay->turn += !status;
    }
    return status;
}

static Status refuse_illegal(const AnalysisQuery *query, Error *err) {
    const Move *move = &query->moves[query->illegal_move];
    return fail(err, ERR_ILLEGAL, "Illegal move %d: %s", query->illegal_move,
                point_text(move->point, query->height).text);
}

/* Plays all moves of the game unless another call has done so already. */
static Status check_moves(QueryReplay *replay, AnalysisQuery *query, const atomic_bool *stop,
                          Error *err) {
    Status status = OK;
    pthread_mutex_lock(&query->check_lock);
    if (!query->checked) {
        status = go_to_start(replay, query, stop, err);
        if (!status) status = go_on_to(replay, query->move_count, stop, err);
        query->illegal_move = status == ERR_ILLEGAL ? replay->turn : -1;
        query->checked = !status || status == ERR_ILLEGAL;
    }
    if (query->checked && query->illegal_move >= 0) status = refuse_illegal(query, err);
    pthread_mutex_unlock(&query->check_lock);
    return status;
}

Status query_replay_turn(QueryReplay *replay, AnalysisQuery *query, int turn,
                         const atomic_bool *stop, Position *out, Error *err) {
    Status status = check_moves(replay, query, stop, err);
    if (!status && (replay->query != query || replay->turn > turn))
        status = go_to_start(replay, query, stop, err);
    if (!status) status = go_on_to(replay, turn, stop, err);
    if (!status) status = position_copy(out, &replay->position, err);
    if (!status)
        position_end_replay(out);
    else
        query_replay_clear(replay);
    return status;
}
