/* The hashes of a position that serve as keys of caches. */
#include <assert.h>

#include "base/hash.h"
#include "go/position_private.h"

uint64_t position_state_hash(const Position *position) {
    assert(!position->unsettled);
    const Board *board = &position->board;
    const Rules *rules = &position->rules;
    uint64_t hash = board->hash ^ position_mover_hash(position->mover);
    float komi = rules->komi + position->white_bonus + position->white_handicap_bonus;
    int64_t flags = (int64_t)rules->ko | rules->scoring << 2 | rules->tax << 3 |
                    rules->suicide << 5 | position->button << 6 | rules->friendly_pass << 7 |
                    position->encore_phase << 8 | (position->passes & 3) << 10 |
                    position->over << 12 | position->past_normal_end << 13 |
                    position->passalive_under_suicide << 14 |
                    position_pass_would_end_phase(position) << 15 | rules->button << 16;
    hash = hash_mix(hash ^ hash_mix((uint64_t)(int64_t)(komi * 256) + 0x6b6f6d69u));
    hash = hash_mix(hash ^ (uint64_t)flags ^ (uint64_t)board->ko << 32);
    for (Point p = 0; p < POINT_COUNT; p++) {
        if (position->superko_banned[p]) hash ^= hash_mix(0x737570u + (uint64_t)p);
    }
    for (Point p = 0; position->encore_phase && p < POINT_COUNT; p++) {
        if (position->recapture_blocked[p]) hash ^= hash_mix(0x726563u + (uint64_t)p);
        if (position->second_encore_start[p])
            hash ^= hash_mix(0x73746172u + (uint64_t)(p * 4 + position->second_encore_start[p]));
    }
    return hash;
}

uint64_t position_path_hash(const Position *position, bool all_moves) {
    uint64_t hash = position_state_hash(position);
    int shown = all_moves || position->valid_turns > 5 ? 5 : position->valid_turns;
    if (all_moves)
        hash = hash_mix(hash ^ (uint64_t)(position->legal_turns < 5 ? position->legal_turns : 5));
    for (int i = 0; i < shown; i++) {
        Move move = position_last_move(position, i);
        hash = hash_mix(hash ^ (uint64_t)(move.point * 4 + (int)move.color + 1));
    }
    for (int i = 0; i < 2; i++) {
        const Board *board = position_previous(position, i);
        hash = hash_mix(hash ^ board->hash ^ (uint64_t)board->ko << 32);
    }
    return hash;
}
