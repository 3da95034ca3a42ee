/* batch.h - dense floats of several rows, as training takes them, and from a packed row to them.
 * Threading: confined. */
#pragma once
#include "data/row.h"
#include "go/symmetry.h"

/* Numbers a point of Batch.boards, a move of Batch.q_values. */
enum { BATCH_BOARDS = 4, BATCH_Q_VALUES = 3 };
/* Dense floats. The arrays of a batch that loader_next() gives belong to the loader until its next call. */
typedef struct {
    int count, length;
    float *planes;  /* (n, L, L, 22) */
    float *globals; /* (n, 19) */
    float *policy;  /* (n, 2, A + 1), each normalised to sum 1 (uniform where its weight is 0) */
    float *targets; /* (n, 80) as in Rows */
    float *score;   /* (n, 842): the distribution over HEAD_SCORE_DISTRIBUTION's bins, sums to 1 */
    float *ownership; /* (n, L, L) in -1..1 */
    float *mask;      /* (n, L, L), 1 on the board */
    float *boards; /* (n, L, L, BATCH_BOARDS): seki, stones in 8 and 32 turns, all -1..1, scoring in
                      -1..1; NULL where LoaderSettings.boards is not set */
    float *search_values; /* (n, 51): shares of the values that the search found, all 0 where they
                             are not known; where `boards` are */
    float *q_values; /* (n, A + 1, BATCH_Q_VALUES): win - loss in -1..1, score, visits, of which 0
                        is: nothing is known; NULL where LoaderSettings.q_values is not set */
} Batch;
MUST_USE Status batch_init(Batch *batch, int count, int length, Error *err); /* zeros */
MUST_USE Status batch_add_boards(Batch *batch, Error *err);                  /* zeros */
MUST_USE Status batch_add_q_values(Batch *batch, Error *err);                /* zeros */
void batch_clear(Batch *batch);                                              /* {0} is fine */

typedef struct {
    Symmetry symmetry;
    int history;          /* how many of the last five moves are shown */
    bool lead_from_score; /* without a lead by search the row has the final score as one */
} RowView;

/* Writes row `row` as sample n. Boards that fit into batch->length are cut from a larger frame or
 * put into a larger one, at the top left before the symmetry. */
void batch_set_row(Batch *batch, int n, const Rows *rows, size_t row, const RowView *view);
