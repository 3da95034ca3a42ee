#include "play/setup/seki_fork.h"

#include <math.h>

int seki_fork_moves(int moves, double e) {
    double at = floor(moves * (1 - 0.1 * e) - 1);
    return at > 0 ? (int)at : 0;
}

static bool has_neutral_point(const GameRecord *record) {
    const Board *board = &record->start.board;
    for (int y = 0; y < board->height; y++) {
        for (int x = 0; x < board->width; x++) {
            if (record->owner[point_at(x, y)] == COLOR_EMPTY) return true;
        }
    }
    return false;
}

Status seki_fork_keep(const GameRecord *record, const Position *end, const GameChoices *choices,
                      ExploitArchive *archive, Rng *rng, Error *err) {
    bool scored = record->finished && !record->outcome.no_result && !record->hit_move_limit;
    if (!scored || record->start.encore_phase >= 2 || !has_neutral_point(record)) return OK;
    for (int i = 0; i < SEKI_FORKS_PER_GAME; i++) {
        PositionSeed seed;
        Status status = position_seed_make(end, &seed, err);
        if (status) return status;
        seed.move_count = seki_fork_moves(seed.move_count, rng_exponential(rng));
        Rules *rules = &seed.rules;
        rules->scoring = choices->scoring[rng_below(rng, choices->scoring_count)];
        rules->tax = choices->tax[rng_below(rng, choices->tax_count)];
        bool button = choices->button[rng_below(rng, choices->button_count)];
        rules->button = button && rules->scoring == SCORING_AREA;
        exploit_archive_add(archive, &seed);
    }
    return OK;
}
