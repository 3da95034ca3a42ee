/* row_stats.h - counts and means of training rows over many files. Begin with {0}, call
 * row_stats_add() for the rows of each file, then row_stats_write() and row_stats_clear().
 * Threading: confined. */
#pragma once
#include "base/strbuf.h"
#include "data/rows/row.h"
#include "data/rows/row_diversity.h"

typedef struct {
    int64_t files, rows;
    int64_t sizes[BOARD_SIDE_MAX + 1][BOARD_SIDE_MAX + 1]; /* rows by [width][height] */
    int64_t modes[GAME_MODES];                             /* rows by GameMode */
    /* Rows of each kind; `beside` counts rows of side positions (game_record.h). */
    int64_t with_policy, with_board, with_lead, beside, cut_off, won, drawn, territory;
    int64_t games; /* number of different hashes of games; the rows may come in any order */
    /* Sums over the rows, from which row_stats_write() computes means. `score` and `score_square`
     * are sums over the rows of `with_board`, and `target_entropy` over those of `with_policy`. */
    double weight, visits, turn, score, score_square, target_entropy, net_entropy, surprise, komi;
    uint64_t *hashes; /* hash table of the games, with open addressing; 0 is a free slot */
    size_t slots;     /* length of `hashes`: a power of 2, or 0 */
    RowDiversity diversity;
} RowStats;
MUST_USE Status row_stats_add(RowStats *stats, const Rows *rows, Error *err); /* adds one file */
void row_stats_clear(RowStats *stats);
void row_stats_write(RowStats *stats, StrBuf *out); /* call it after the last file */
