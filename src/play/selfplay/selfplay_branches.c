/* The positions of a game at which later games begin: forks, positions for the archive of
 * Go-Exploit (exploit.h), and ends with neutral points (seki_fork.h). */
#include "play/selfplay/selfplay_branches.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "play/setup/seki_fork.h"

/* Keeps a copy of the position. With exploit.fair, exploit_komi() may change the komi of the copy
 * so that the position becomes even. */
static Status keep_position(SelfplayGame *game, const Position *position, double white_score,
                            Error *err) {
    KeptPositions *kept = &game->kept;
    PositionSeed seed;
    Status status =
        mem_grow(&kept->seeds, &kept->capacity, kept->count + 1, sizeof *kept->seeds, err);
    if (!status) status = position_seed_make(position, &seed, err);
    if (status) return status;
    int area = position->board.width * position->board.height;
    if (game->settings->exploit.fair)
        seed.rules.komi = exploit_komi(seed.rules.komi, white_score, area, &game->rng);
    kept->seeds[kept->count++] = seed;
    return OK;
}

/* Draws a position from the search's tree. Keeps the position with a probability that depends on
 * its value in the search. */
static Status keep_from_tree(SelfplayGame *game, Error *err) {
    SearchSample sample;
    Position inner = {0};
    Error fault = {0};
    search_sample(game->search, &game->rng, &sample);
    if (!exploit_keeps(game->settings, (double)sample.white_win_loss, &game->rng)) return OK;
    Status status = position_copy(&inner, search_position(game->search), err);
    for (int i = 0; i < sample.count && !status; i++)
        status = position_play(&inner, sample.line[i], &fault);
    /* A line of a search whose tree is a graph may contain a move that superko forbids on it. */
    bool banned = status == ERR_ILLEGAL;
    if (banned) status = OK;
    if (status) fail(err, status, "%s", fault.message);
    if (!status && !banned && !inner.over)
        status = keep_position(game, &inner, (double)sample.white_score, err);
    position_clear(&inner);
    return status;
}

static bool may_not_archive(const SelfplayGame *game) {
    return game->settings->exploit.one_per_game &&
           (game->origin == ORIGIN_ARCHIVE || game->origin == ORIGIN_ARCHIVE_FORK);
}

Status selfplay_branches_keep(SelfplayGame *game, const Report *report, Error *err) {
    const SelfplaySettings *s = game->settings;
    if (s->exploit.kind == EXPLOIT_OFF || may_not_archive(game)) return OK;
    if (s->exploit.kind == EXPLOIT_SEARCH) return keep_from_tree(game, err);
    if (!exploit_keeps(s, (double)report->win_loss, &game->rng)) return OK;
    double score = (double)value_for_white(report->score_mean, report->mover);
    return keep_position(game, &game->now, score, err);
}

/* Finds the position before a turn of the finished game. */
static Status position_at(const GameRecord *record, int turn, Position *out, Error *err) {
    Status status = position_copy(out, &record->start, err);
    for (int i = 0; i < turn && !status; i++)
        status = position_play(out, record->turns[i].move.point, err);
    return status;
}

static Status keep_regretted(SelfplayGame *game, Error *err) {
    const GameRecord *record = &game->record;
    int turn = exploit_regretted_turn(record, game->settings, &game->rng);
    if (turn < 0) return OK;
    Position position = {0};
    Status status = position_at(record, turn, &position, err);
    if (!status)
        status = keep_position(game, &position, (double)record->turns[turn].white_score, err);
    position_clear(&position);
    return status;
}

static void forget_kept(SelfplayGame *game) {
    for (size_t i = 0; i < game->kept.count; i++)
        position_seed_clear(&game->kept.seeds[i]);
    game->kept.count = 0;
}

/* Keeps the position after a random number of moves, unless the game was shorter. A game that
 * begins at this position will be a fork. */
static Status keep_late_fork(SelfplayGame *game, Error *err) {
    const GameRecord *record = &game->record;
    int turn = exploit_late_move(area_of(&game->now), &game->rng) - record->start.move_count;
    if (turn < 0) turn = 0;
    if ((size_t)turn >= record->turn_count) return OK;
    Position position = {0};
    KeptPositions *kept = &game->kept;
    PositionSeed seed;
    Status status = position_at(record, turn, &position, err);
    if (!status)
        status = mem_grow(&kept->seeds, &kept->capacity, kept->count + 1, sizeof *kept->seeds, err);
    if (!status) status = position_seed_make(&position, &seed, err);
    position_clear(&position);
    if (status) return status;
    seed.late_fork = true;
    kept->seeds[kept->count++] = seed;
    return OK;
}

/* Adds a random move on the board to the position that `seed` stores (position_seed.h). Leaves
 * `seed` as it is if the move would end the game, or if only the pass is legal. */
static Status add_random_move(SelfplayGame *game, PositionSeed *seed, Error *err) {
    Position position = {0};
    PositionSeed next;
    Point legal[MOVES_MAX];
    Status status = position_seed_restore(seed, NULL, &position, err);
    int count = status ? 0 : position_legal_moves(&position, legal) - 1; /* without the pass */
    if (count > 0) status = position_play(&position, legal[rng_below(&game->rng, count)], err);
    if (!status && count > 0 && !position.over) {
        status = position_seed_make(&position, &next, err);
        if (!status) {
            position_seed_clear(seed);
            *seed = next;
        }
    }
    position_clear(&position);
    return status;
}

/* Moves all kept positions to the archive or, with exploit.one_per_game, one of them at random. */
static Status add_kept(SelfplayGame *game, bool random_move, ExploitArchive *archive, Error *err) {
    Status status = OK;
    if (!game->kept.count) return OK;
    bool single = game->settings->exploit.one_per_game;
    int one = single ? rng_below(&game->rng, (int)game->kept.count) : -1;
    for (size_t i = 0; i < game->kept.count; i++) {
        if (one >= 0 && (size_t)one != i) continue;
        if (random_move) status = add_random_move(game, &game->kept.seeds[i], err);
        if (status) break;
        exploit_archive_add(archive, &game->kept.seeds[i]);
        game->kept.seeds[i] = (PositionSeed){0};
    }
    forget_kept(game);
    return status;
}

Status selfplay_branches_archive(SelfplayGame *game, ExploitArchive *archive, Error *err) {
    const SelfplaySettings *s = game->settings;
    if (may_not_archive(game)) return OK;
    ExploitAddition addition = exploit_draw_addition(s, &game->rng);
    Status status = OK;
    if (addition == ADD_LATE_FORK || addition == ADD_REGRETTED) forget_kept(game);
    if (addition == ADD_LATE_FORK) status = keep_late_fork(game, err);
    bool regret = addition == ADD_REGRETTED ||
                  (s->exploit.kind == EXPLOIT_REGRET && addition != ADD_LATE_FORK);
    if (regret) status = keep_regretted(game, err);
    return status ? status : add_kept(game, addition == ADD_RANDOM_MOVE, archive, err);
}

Status selfplay_branches_keep_seki(SelfplayGame *game, ExploitArchive *archive, Error *err) {
    if (game->origin == ORIGIN_SEKI) return OK;
    return seki_fork_keep(&game->record, &game->now, game->choices, archive, &game->rng, err);
}

void selfplay_branches_clear(SelfplayGame *game) {
    forget_kept(game);
    free(game->kept.seeds);
}

static bool fork_at(const GameRecord *record, int turn, Position *out) {
    if (turn < 0 || (size_t)turn >= record->turn_count) return false;
    return !position_at(record, turn, out, NULL) && !out->over;
}

bool selfplay_branches_fork(SelfplayGame *game, Position *out, SelfplayOrigin *origin) {
    const SelfplaySettings *s = game->settings;
    const GameRecord *record = &game->record;
    if (record->start.encore_phase)
        return false; /* as in KataGo, games that begin in an encore have no forks */
    *origin = ORIGIN_HINT_FORK;
    bool ignored =
        game->hint != POINT_NONE && record->turn_count && record->turns[0].move.point != game->hint;
    if (ignored && !position_copy(out, &record->start, NULL) &&
        !position_play(out, game->hint, NULL))
        return !out->over;
    *origin = ORIGIN_FORK;
    if (rng_uniform(&game->rng) < s->fork.probability) {
        int area = game->now.board.width * game->now.board.height;
        double mean = s->fork.area_fraction * area;
        return fork_at(record, (int)floor(rng_exponential(&game->rng) * mean), out);
    }
    *origin = ORIGIN_LATE_FORK;
    if (s->late_fork.probability <= 0 || !record->turn_count ||
        rng_uniform(&game->rng) >= s->late_fork.probability)
        return false;
    return fork_at(record, rng_below(&game->rng, (int)record->turn_count), out);
}
