/* position_private.h - what the files that implement position.h share:
 *     position.c         init, copy and restart
 *     position_legal.c   what the rules allow
 *     position_play.c    moves and the end of a game
 *     position_hash.c    hashes for caches
 * Threading: as position.h. */
#pragma once
#include "go/position.h"
#include <stddef.h>

typedef struct {
    int16_t point;
    uint8_t color;
    bool pass_for_ko;
} PackedMove;

/* A move of the encore that took a ko. */
typedef struct {
    uint64_t board_hash; /* hash of the board before the move */
    int16_t point;
    uint8_t color;
} EncoreCapture;

struct PositionHistory {
    Board start;
    Color start_mover;
    int start_phase; /* the encore phase in which the position started */
    PackedMove *moves;
    uint64_t *hashes; /* position_ko_hash() of all states whose repetition the rules count */
    /* position_ko_hash() of the states in which a player passed in this phase: [0] for Black's
     * passes, [1] for White's. */
    uint64_t *pass_hashes[2];
    EncoreCapture *captures;
    size_t move_capacity, hash_count, hash_capacity;
    size_t pass_count[2], pass_capacity[2], capture_count, capture_capacity;
};

/* position.c */

/* A hash of the player to move, which the hashes of positions contain. */
uint64_t position_mover_hash(Color mover);
/* The hash by which the ko rules compare states. It contains the board. With KO_SITUATIONAL, with
 * KO_SIMPLE and in the encore it also contains the player to move, `next`. In the encore it also
 * contains the stones that may not be retaken. */
uint64_t position_ko_hash(const Position *position, uint64_t board_hash, Color next);
MUST_USE Status position_push_hash(PositionHistory *history, uint64_t hash, Error *err);
/* White's points for handicap stones. */
float position_handicap_bonus(const Position *position);

/* position_legal.c */

/* How often `hash` occurs among `hashes`. */
int position_count_hash(const uint64_t *hashes, size_t count, uint64_t hash);
/* Computes superko_banned, if this was not done since the last move. */
void position_settle(Position *position);
/* Whether the ko rules forget all earlier boards after a pass. They do so with simple ko, with
 * Spight's ko and in the encore. In these three cases, a phase also ends when a player passes again
 * in the same state. */
bool position_pass_clears_history(const Position *position);
/* Returns the number that Position.passes would have after a pass that does not take the button. */
int position_passes_after_pass(const Position *position);
