#include "play/match/tournament/tournament_count.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"

/* Returns whether the games that are left cannot change whether the first player reaches
 * pass_score: it reaches the score even if it loses all of them, or misses it even if it wins all
 * of them. Games that count for nobody leave this decision as it is. */
static bool score_is_certain(const Tournament *tournament) {
    const TournamentSetup *setup = tournament->setup;
    int left = setup->pairings[0].games - 2 * tournament->tested_pairs;
    double games = left, points = 0;
    if (!(setup->pass_score > 0)) return false;
    for (int k = 0; k < SPRT_OUTCOMES; k++) {
        games += 2 * (double)tournament->pairs[k];
        points += 0.5 * k * (double)tournament->pairs[k];
    }
    return points / games >= setup->pass_score || (points + left) / games < setup->pass_score;
}

static bool is_decided(const Tournament *tournament) {
    const SprtSettings *sprt = tournament->setup->sprt;
    return score_is_certain(tournament) ||
           (sprt && sprt_pairs(sprt, tournament->pairs).state != SPRT_GOES_ON);
}

void tournament_update_test(Tournament *tournament) {
    const TournamentSetup *setup = tournament->setup;
    if (setup->pairing_count != 1) return;
    const GameResult *results = tournament->results[0];
    int pairs = setup->pairings[0].games / 2;
    while (tournament->tested_pairs < pairs && !tournament->decided_pairs) {
        const GameResult *pair = &results[2 * tournament->tested_pairs];
        if (!pair[0].finished || !pair[1].finished) return;
        tournament->tested_pairs++;
        if (pair[0].is_void || pair[1].is_void) continue;
        tournament->pairs[(int)(2 * (pair[0].points + pair[1].points))]++;
        if (!is_decided(tournament)) continue;
        tournament->decided_pairs = tournament->tested_pairs;
        atomic_store(&tournament->ends, true);
    }
}

void tournament_keep_result(Tournament *tournament, int pairing, int number,
                            const GameResult *result) {
    MatchStanding *standing = &tournament->standing;
    tournament->results[pairing][number] = *result;
    standing->done++;
    if (result->is_void) return;
    standing->counted++;
    standing->points += result->points;
}

void tournament_finish_game(Tournament *tournament, const ActiveGame *game,
                            const GameResult *result) {
    const TournamentSetup *setup = tournament->setup;
    pthread_mutex_lock(&tournament->lock);
    tournament_keep_result(tournament, game->pairing, game->number, result);
    tournament_update_test(tournament);
    if (setup->on_game) setup->on_game(setup->context, &tournament->standing);
    pthread_mutex_unlock(&tournament->lock);
}

uint64_t tournament_hash_move(uint64_t moves_hash, Move move) {
    const uint64_t parts[] = {moves_hash, (uint64_t)move.point, (uint64_t)move.color};
    return hash_bytes(parts, sizeof parts, 1);
}

static int compare_hashes(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts the hashes and returns how many different ones there are. */
static int count_distinct(uint64_t *hashes, int count) {
    int distinct = 0;
    qsort(hashes, (size_t)count, sizeof *hashes, compare_hashes);
    for (int i = 0; i < count; i++)
        distinct += i == 0 || hashes[i] != hashes[i - 1];
    return distinct;
}

Status tournament_sum_results(const Tournament *tournament, int pairing, MatchResult *out,
                              Error *err) {
    const TournamentSetup *setup = tournament->setup;
    uint64_t *hashes;
    int last =
        tournament->decided_pairs ? 2 * tournament->decided_pairs : setup->pairings[pairing].games;
    Status status = mem_new((size_t)last + 1, sizeof *hashes, &hashes, err);
    for (int i = 0; i < last && !status; i++) {
        const GameResult *game = &tournament->results[pairing][i];
        const GameResult *after = i + 1 < last ? game + 1 : NULL;
        if (!game->finished) continue;
        out->unfinished += game->is_void;
        if (game->is_void) continue;
        if (i % 2 == 0 && after && after->finished && !after->is_void)
            out->pairs[(int)(2 * (game->points + after->points))]++;
        /* The same moves with the sides exchanged are another game. */
        hashes[out->games++] = game->moves_hash + (uint64_t)(i % 2);
        out->games_as_black[i % 2]++;
        out->mean_moves += game->moves;
        if (game->points == 0.5) {
            out->draws++;
            continue;
        }
        int winner = game->points > 0.5 ? 0 : 1;
        out->wins[winner]++;
        out->wins_as_black[winner] += i % 2 == winner;
        out->failures[1 - winner] += game->failed;
    }
    if (!status) out->distinct = count_distinct(hashes, out->games);
    if (out->games) out->mean_moves /= out->games;
    if (setup->sprt) out->sprt = sprt_pairs(setup->sprt, out->pairs);
    free(hashes);
    return status;
}
