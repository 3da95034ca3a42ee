/* ladder_reading.h - whether a chain can be captured in a ladder, read as KataGo does for its input
 * features (KataGo, cpp/game/board.cpp). This is the definition, for boards of any size;
 * small_board.h is a faster version for small boards. Threading: any thread. */
#pragma once
#include "go/board.h"

/* The maximum number of moves in all lines of one reading. After that the chain counts as
 * escaped. */
enum { LADDER_NODES_MAX = 25000 };

/* The ladders of a board. Each set has the bit y * width + x for the point (x, y), in as many words
 * as the board needs. */
typedef struct {
    /* The stones of chains that can be captured in a ladder. */
    uint64_t laddered[BOARD_WORDS_MAX];
    /* The attacker's first moves that capture a chain with two liberties: [0] for chains of Black,
     * [1] for chains of White. */
    uint64_t working[2][BOARD_WORDS_MAX];
} LadderMap;

/* Whether the chain at `point` is captured.
 *   - With `defender_first` the defender moves first, and a chain with more than one liberty is not
 *     captured.
 *   - Without it the attacker moves first. The chain must then have more than one liberty, and a
 *     chain with more than two liberties is not captured.
 * `working` receives the attacker's first moves that capture, and `*working_count` their number,
 * which is 0 if the defender moves first. Both pointers may be NULL together. A reading takes at
 * most 2.3 MB of stack. */
bool ladder_captures(const Board *board, Point point, bool defender_first, Point working[2],
                     int *working_count);
/* Finds the ladders of all chains of the board. The defender moves first if the chain is in atari,
 * otherwise the attacker does. */
void ladder_reading_find(const Board *board, LadderMap *out);
