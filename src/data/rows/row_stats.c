#include "data/rows/row_stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/statistic.h"

/* Returns the entropy of a row's policy target, in nats. */
static double policy_entropy(const int16_t *policy, size_t count) {
    double sum = 0, entropy = 0;
    for (size_t i = 0; i < count; i++)
        sum += policy[i];
    for (size_t i = 0; i < count && sum > 0; i++) {
        double probability = policy[i] / sum;
        if (probability > 0) entropy -= probability * log(probability);
    }
    return entropy;
}

/* Returns the slot of a hash, or the free slot where it belongs (linear probing). */
static uint64_t *find_slot(const RowStats *stats, uint64_t hash) {
    size_t at = hash & (stats->slots - 1);
    while (stats->hashes[at] && stats->hashes[at] != hash)
        at = (at + 1) & (stats->slots - 1);
    return &stats->hashes[at];
}

/* Makes the table larger when half of its slots are in use. */
static Status grow_table(RowStats *stats, Error *err) {
    RowStats larger = {.slots = stats->slots ? 2 * stats->slots : 1024};
    if ((size_t)stats->games < stats->slots / 2) return OK;
    Status status = mem_new(larger.slots, sizeof *larger.hashes, &larger.hashes, err);
    if (status) return status;
    for (size_t i = 0; i < stats->slots; i++) {
        if (stats->hashes[i]) *find_slot(&larger, stats->hashes[i]) = stats->hashes[i];
    }
    free(stats->hashes);
    stats->hashes = larger.hashes;
    stats->slots = larger.slots;
    return OK;
}

static Status add_game(RowStats *stats, const float *targets, Error *err) {
    uint64_t hash = hash_bytes(targets + TARGET_HASH, 6 * sizeof *targets, 1);
    Status status = grow_table(stats, err);
    if (status) return status;
    hash += !hash; /* 0 stands for a free slot */
    uint64_t *slot = find_slot(stats, hash);
    stats->games += !*slot;
    *slot = hash;
    return OK;
}

static void add_row(RowStats *stats, const Rows *rows, size_t n) {
    size_t area = (size_t)rows->length * (size_t)rows->length;
    const float *t = rows->targets + n * ROW_GLOBAL_TARGETS;
    RowBoard board = rows_board(rows, n);
    stats->rows++;
    stats->sizes[board.width][board.height]++;
    stats->modes[row_mode(t)]++;
    stats->with_lead += t[TARGET_WEIGHT_LEAD] > 0;
    stats->beside += !(t[TARGET_WEIGHT_FUTURE] > 0);
    stats->cut_off += t[TARGET_CUT_OFF] > 0;
    stats->territory += rows->globals[n * FEATURE_GLOBALS + 9] != 0;
    stats->weight += (double)t[TARGET_WEIGHT];
    stats->visits += (double)t[TARGET_VISITS];
    stats->turn += (double)t[TARGET_TURN];
    stats->net_entropy += (double)t[TARGET_NET_ENTROPY];
    stats->surprise += (double)t[TARGET_SURPRISE];
    stats->komi += (double)t[TARGET_KOMI];
    if (t[TARGET_WEIGHT_POLICY] > 0) {
        stats->with_policy++;
        stats->target_entropy += policy_entropy(rows->policy + n * 2 * (area + 1), area + 1);
    }
    if (!(t[TARGET_WEIGHT_BOARD] > 0)) return;
    double score = (double)t[TARGET_SCORE];
    stats->with_board++;
    stats->won += t[TARGET_FINAL] > 0.5f;
    stats->drawn += t[TARGET_FINAL] == t[TARGET_FINAL + 1];
    stats->score += score;
    stats->score_square += score * score;
}

Status row_stats_add(RowStats *stats, const Rows *rows, Error *err) {
    Status status = OK;
    stats->files++;
    for (size_t n = 0; n < rows->count && !status; n++) {
        status = add_game(stats, rows->targets + n * ROW_GLOBAL_TARGETS, err);
        if (!status) status = row_diversity_add(&stats->diversity, rows, n, err);
        if (!status) add_row(stats, rows, n);
    }
    return status;
}

void row_stats_clear(RowStats *stats) {
    free(stats->hashes);
    row_diversity_clear(&stats->diversity);
    *stats = (RowStats){0};
}

static double ratio(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

/* Writes how many positions several games have, for each turn with positions of several games. */
static void write_shared(RowStats *stats, StrBuf *out) {
    SharedPositions turns[DIVERSITY_TURNS];
    bool any = false;
    row_diversity_count(&stats->diversity, turns);
    for (int i = 0; i < DIVERSITY_TURNS; i++) {
        if (turns[i].positions < 2) continue;
        if (!any) strbuf_add(out, "  positions that another game has, too, at the same turn:\n");
        any = true;
        strbuf_addf(out, "    turn %-4d %11lld of %10lld  %5.1f%%\n", DIVERSITY_STEP * (i + 1),
                    (long long)turns[i].shared, (long long)turns[i].positions,
                    100 * ratio((double)turns[i].shared, (double)turns[i].positions));
    }
}

void row_stats_write(RowStats *s, StrBuf *out) {
    double rows = (double)s->rows, scored = (double)s->with_board, mean = ratio(s->score, scored);
    strbuf_addf(out, "%lld files, %lld rows of %lld games\n", (long long)s->files,
                (long long)s->rows, (long long)s->games);
    for (int w = 2; w <= BOARD_SIDE_MAX; w++) {
        for (int h = 2; h <= BOARD_SIDE_MAX; h++) {
            if (s->sizes[w][h])
                strbuf_addf(out, "  %2dx%-2d                   %10lld  %5.1f%%\n", w, h,
                            (long long)s->sizes[w][h], 100 * ratio((double)s->sizes[w][h], rows));
        }
    }
    for (GameMode m = 0; m < GAME_MODES; m++) {
        if (s->modes[m])
            strbuf_addf(out, "  %-23s %10lld  %5.1f%%\n", game_mode_name(m), (long long)s->modes[m],
                        100 * ratio((double)s->modes[m], rows));
    }
    const struct {
        const char *name;
        int64_t count;
    } COUNTS[] = {{"with a policy target", s->with_policy},
                  {"with score and owners", s->with_board},
                  {"with a lead target", s->with_lead},
                  {"side positions", s->beside},
                  {"of games cut off", s->cut_off},
                  {"territory scoring", s->territory},
                  {"won by the mover", s->won},
                  {"drawn", s->drawn}};
    for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++)
        strbuf_addf(out, "  %-23s %10lld  %5.1f%%\n", COUNTS[i].name, (long long)COUNTS[i].count,
                    100 * ratio((double)COUNTS[i].count, rows));
    strbuf_addf(out,
                "  means: weight %.3f, visits %.1f, turn %.1f, komi for the mover %+.2f\n"
                "  score %+.2f, deviation %.2f\n"
                "  entropy of the policy target %.3f, of the net's policy %.3f, surprise %.3f\n",
                ratio(s->weight, rows), ratio(s->visits, rows), ratio(s->turn, rows),
                ratio(s->komi, rows), mean, deviation_of(mean, ratio(s->score_square, scored)),
                ratio(s->target_entropy, (double)s->with_policy), ratio(s->net_entropy, rows),
                ratio(s->surprise, rows));
    write_shared(s, out);
}
