/* row_stats.h - what training rows are, added up over files. Threading: confined; {0} is one of no
 * files. */
#pragma once
#include "base/strbuf.h"
#include "data/row.h"

typedef struct {
    int64_t files, rows, sizes[BOARD_EDGE_MAX + 1][BOARD_EDGE_MAX + 1]; /* [width][height] */
    int64_t modes[GAME_MODES];                                          /* by GameMode */
    int64_t with_policy, with_board, with_lead, beside, cut_off, won, drawn, territory;
    int64_t games; /* by their hashes, in whatever order their rows are */
    double weight, visits, turn, score, score_square, target_entropy, net_entropy, surprise, komi;
    uint64_t *hashes; /* of the games, in open places; 0 is free */
    size_t places;    /* a power of 2, or 0 */
} RowStats;
MUST_USE Status row_stats_add(RowStats *stats, const Rows *rows, Error *err); /* a file */
void row_stats_clear(RowStats *stats);
void row_stats_write(const RowStats *stats, StrBuf *out);
