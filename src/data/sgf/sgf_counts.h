/* sgf_counts.h - counts of the SGF games from which rows are made: how many games were kept, why
 * the others were dropped, and how many rows there are by source, handicap and ranks. Call
 * sgf_counts_add() for each game that is kept, and sgf_counts_write() at the end. The caller itself
 * counts the games that are dropped. Threading: confined. */
#pragma once
#include "base/strbuf.h"
#include "data/sgf/sgf_filter.h"
#include "data/sgf/sgf_server.h"

enum { SGF_COUNTED_HANDICAPS = 11, SGF_COUNTED_RANKS = SGF_RANK_MAX - SGF_RANK_MIN + 2 };

typedef struct {
    int64_t games, rows;
} SgfCount;

typedef struct {
    int64_t games; /* all games that were read, kept or not */
    int64_t kept, duplicates, illegal, unreadable;
    int64_t settled;              /* kept games whose dead stones were found */
    int64_t out[SGF_FATES];       /* games that a filter dropped, by that filter */
    int64_t cut[SGF_CUT_REASONS]; /* kept games, by the reason why they were cut */
    int64_t rows, validation_rows, validation_games;
    int64_t valued_rows, scored_rows, owned_rows; /* with a target for value, lead or ownership */
    SgfCount sources[SGF_SERVERS];
    /* by the rank of the mover, and by that of the opponent; last: no rank */
    int64_t rank_rows[SGF_COUNTED_RANKS], opponent_rows[SGF_COUNTED_RANKS];
    SgfCount handicaps[SGF_COUNTED_HANDICAPS]; /* by stones; the last: 10 or more */
} SgfCounts;

/* Returns how many turns of the record become rows. */
int64_t sgf_counts_rows(const SgfRecord *record);
/* Adds a kept game. */
void sgf_counts_add(SgfCounts *counts, const SgfGame *game, const SgfRecord *record,
                    bool validation);
/* Adds a summary in lines of text. */
void sgf_counts_write(const SgfCounts *counts, StrBuf *out);
