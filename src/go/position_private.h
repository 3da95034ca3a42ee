/* position_private.h - what keeping a position and playing on it share. Threading: as position.h.
 */
#pragma once
#include "go/position.h"
#include <stddef.h>

typedef struct {
    int16_t point;
    uint8_t color;
    bool pass_for_ko;
} PackedMove;

typedef struct {
    uint64_t board_hash;
    int16_t point;
    uint8_t color;
} EncoreCapture;

struct PositionHistory {
    Board start;
    Color start_mover;
    int start_phase; /* of the encore, as the start had it */
    PackedMove *moves;
    uint64_t *hashes;         /* of states with their ko marks, since superko counts from */
    uint64_t *pass_hashes[2]; /* before a pass of Black, White in this phase */
    EncoreCapture *captures;
    size_t move_capacity, hash_count, hash_capacity;
    size_t pass_count[2], pass_capacity[2], capture_count, capture_capacity;
};

/* The state as ko rules compare it, with `next` to move. */
uint64_t position_ko_hash(const Position *position, uint64_t board_hash, Color next);
int position_count_hash(const uint64_t *hashes, size_t count, uint64_t hash);
Status position_push_hash(PositionHistory *history, uint64_t hash, Error *err);
/* Does superko forbid the mover this point now? By the rules, not by superko_banned. */
bool position_superko_forbids(const Position *position, Point point);
/* Finds superko_banned where it was left out. */
void position_settle(Position *position);
/* White's points for handicap stones. */
float position_handicap_bonus(const Position *position);
