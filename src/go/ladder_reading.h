/* ladder_reading.h - can this chain be captured in a ladder? KataGo's reading for its input
 * features (KataGo, cpp/game/board.cpp). This is the definition for boards of any size;
 * small_board.h is the fast form for small ones. Threading: free functions. */
#pragma once
#include "go/board.h"

enum { LADDER_NODES_MAX = 25000 }; /* moves of one reading; beyond, the chain is said to escape */

/* Points as bits y * width + x, in as many words of 64 as the board needs. */
typedef struct {
    /* Stones of chains that are captured in a ladder. */
    uint64_t laddered[BOARD_WORDS_MAX];
    /* The attacker's first moves that capture a chain with two liberties: against chains of Black,
     * against chains of White. */
    uint64_t working[2][BOARD_WORDS_MAX];
} LadderMap;

/* Reads the chain at `point`, which has one liberty (`defender_first`) or two (the attacker moves
 * first); with more it is not captured. Where the attacker moves first, `working` (may be NULL,
 * else `working_count` may not) receives the first moves that capture. A reading takes up to 2.3 MB
 * of stack. */
bool ladder_captures(const Board *board, Point point, bool defender_first, Point working[2],
                     int *working_count);
/* Reads every chain of the board. Only the words that the board needs are meaningful. */
void ladder_reading_find(const Board *board, LadderMap *out);
