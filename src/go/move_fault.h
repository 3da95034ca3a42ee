/* move_fault.h - why the rules forbid a move, for clients and people. Threading: as position.h. */
#pragma once
#include "go/position.h"

typedef enum { MOVE_LEGAL, MOVE_OFF_BOARD, MOVE_OCCUPIED, MOVE_SUICIDE, MOVE_KO } MoveFault;

/* Why the mover may not play there. MOVE_KO also stands for superko. A pass is always legal. */
MoveFault move_fault(const Position *position, Point point);
/* Returns the end of a sentence that begins with the name of the point: "is occupied" makes "C3 is
 * occupied". Returns "" for MOVE_LEGAL. */
const char *move_fault_text(MoveFault fault);
