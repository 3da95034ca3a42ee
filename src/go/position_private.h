/* position_private.h - what the files of position.h share: position.c keeps a position,
 * position_legal.c knows what its rules allow, position_play.c makes moves. Threading: as
 * position.h. */
#pragma once
#include "go/position.h"
#include <stddef.h>

typedef struct {
    int16_t point;
    uint8_t color;
    bool pass_for_ko;
} PackedMove;

/* A move of the encore that captured one stone in a ko. */
typedef struct {
    uint64_t board_hash; /* before the move */
    int16_t point;
    uint8_t color;
} EncoreCapture;

struct PositionHistory {
    Board start;
    Color start_mover;
    int start_phase; /* the encore phase in which the position started */
    PackedMove *moves;
    uint64_t *hashes;         /* position_ko_hash() of each state that superko still looks at */
    uint64_t *pass_hashes[2]; /* the same before each pass of this phase: of Black, of White */
    EncoreCapture *captures;
    size_t move_capacity, hash_count, hash_capacity;
    size_t pass_count[2], pass_capacity[2], capture_count, capture_capacity;
};

/* position.c */

/* The hash of who is to move, in all hashes of positions. */
uint64_t position_mover_hash(Color mover);
/* The hash of a state as the ko rules compare states: with `next` to move where they look at the
 * player, and in the encore with the stones that may not be retaken. */
uint64_t position_ko_hash(const Position *position, uint64_t board_hash, Color next);
MUST_USE Status position_push_hash(PositionHistory *history, uint64_t hash, Error *err);
/* White's points for handicap stones. */
float position_handicap_bonus(const Position *position);

/* position_legal.c */

/* How often `hash` occurs among `hashes`. */
int position_count_hash(const uint64_t *hashes, size_t count, uint64_t hash);
/* Finds superko_banned where it was left out. */
void position_settle(Position *position);
/* Whether a pass makes the ko rules forget all earlier boards: with simple ko, Spight's ko and in
 * the encore. There the same player's pass from the same state ends the phase. */
bool position_pass_clears_history(const Position *position);
/* What Position.passes would be after a pass that does not take the button. */
int position_passes_after_pass(const Position *position);
