#include "go/move_fault.h"

MoveFault move_fault(const Position *position, Point point) {
    const Board *board = &position->board;
    if (point != POINT_PASS && !board_on(board, point)) return MOVE_OFF_BOARD;
    if (position_is_legal(position, point)) return MOVE_LEGAL;
    if (board->color[point] != COLOR_EMPTY) return MOVE_OCCUPIED;
    bool suicide = board_is_suicide(board, point, position->mover) &&
                   !board_is_legal(board, point, position->mover, position->rules.suicide);
    return suicide ? MOVE_SUICIDE : MOVE_KO; /* a legal suicide may be forbidden by superko */
}

const char *move_fault_text(MoveFault fault) {
    static const char *const TEXTS[] = {
        [MOVE_LEGAL] = "",
        [MOVE_OFF_BOARD] = "is off the board",
        [MOVE_OCCUPIED] = "is occupied",
        [MOVE_SUICIDE] = "would be suicide: the stone would have no liberty",
        [MOVE_KO] = "is forbidden by the rule of ko: the board would be as it was before"};
    return TEXTS[fault];
}
