#include "play/match/match_opening.h"

#include <stdlib.h>

#include "base/memory.h"

Point match_random_move(const Position *position, Rng *rng, bool may_pass) {
    Point legal[MOVES_MAX], good[MOVES_MAX];
    int count = position_legal_moves(position, legal), kept = 0;
    for (int i = 0; i < count - 1; i++) {
        if (!board_is_eye(&position->board, legal[i], position->mover)) good[kept++] = legal[i];
    }
    if (!kept || (may_pass && rng_below(rng, kept + 1) == kept && kept < 3)) return POINT_PASS;
    return good[rng_below(rng, kept)];
}

Status match_play_opening(const TournamentSetup *setup, uint64_t seed, Position *out, Error *err) {
    Rng rng = rng_seeded(seed);
    MatchBoard board = tournament_board(setup, seed);
    position_clear(out);
    Status status = position_init(out, board.width, board.height, &board.rules, err);
    for (int i = 0; i < setup->opening_moves && !status; i++) {
        Point point = match_random_move(out, &rng, false);
        if (point != POINT_PASS) status = position_play(out, point, err);
    }
    return status;
}

/* Adds a hash to a table with open addressing that has `capacity` entries, a power of two. Returns
 * false if the hash was there already. */
static bool add_hash(uint64_t *table, size_t capacity, uint64_t hash) {
    size_t at = (size_t)(hash += !hash) & (capacity - 1);
    while (table[at] && table[at] != hash)
        at = (at + 1) & (capacity - 1);
    bool is_new = !table[at];
    table[at] = hash;
    return is_new;
}

Status match_draw_openings(const TournamentSetup *setup, uint64_t salt, int pair_count,
                           uint64_t **out, Error *err) {
    uint64_t *openings;
    size_t pairs = (size_t)pair_count, capacity = 16;
    uint64_t *table = NULL;
    Position position = {0};
    int tries = 100;
    while (capacity < 2 * pairs)
        capacity *= 2;
    Status status = mem_new(pairs + 1, sizeof *openings, &openings, err);
    if (!status) status = mem_new(capacity, sizeof *table, &table, err);
    for (size_t k = 0; k < pairs && !status; k++) {
        bool is_new = false;
        for (int try = 0; try < tries && !is_new && !status; try++) {
            openings[k] = setup->seed * 1000003 + salt + k + ((uint64_t)try << 40);
            status = match_play_opening(setup, openings[k], &position, err);
            if (!status) is_new = add_hash(table, capacity, position_state_hash(&position));
        }
        if (!is_new) tries = 1; /* the board has hardly any other opening left */
    }
    position_clear(&position);
    free(table);
    *out = status ? NULL : openings;
    if (status) free(openings);
    return status;
}
