/* batch.h - a batch of training rows as arrays of floats, as the trainer reads them.
 * Call batch_init(), then batch_set_row() for each sample. Between them call batch_add_boards(),
 * batch_add_q_values(), batch_add_players() and batch_add_points() if their arrays are wanted.
 * Threading: confined. */
#pragma once
#include "data/rows/row.h"
#include "go/symmetry.h"

/* Channels of Batch.boards for each point, and of Batch.q_values for each move. */
enum { BATCH_BOARDS = 4, BATCH_Q_VALUES = 3 };
/* A batch has n samples. Their boards stand in L x L frames, which have A = L * L cells. A batch
 * from loader_next() belongs to the loader, and its arrays are valid until the next call of
 * loader_next(). */
typedef struct {
    int count, length; /* n, L */
    float *planes;     /* (n, L, L, 22) */
    float *globals;    /* (n, 19) */
    /* (n, 2, A + 1): the two policy targets of each sample. Their weights are in `targets`. If the
     * weight of a policy target is above 0, the target sums to 1; if it is 0, do not use the
     * target. */
    float *policy;
    /* (n, 80) as in Rows, with two differences. A later move is 1 + its cell in the batch's frame,
     * or 0 if it is a pass or not known. With RowView.lead_from_score, a row without a lead gets
     * its score as its lead, with the weight of the score. */
    float *targets;
    float *score;     /* (n, 842): distribution over HEAD_SCORE_DISTRIBUTION's bins; sums to 1 */
    float *ownership; /* (n, L, L) in -1..1 */
    float *mask;      /* (n, L, L), 1 on the board */
    /* The next two arrays are NULL if LoaderSettings.boards is false. */
    float *boards;        /* (n, L, L, BATCH_BOARDS), all in -1..1: seki, stones 8 and 32 turns
                             later, scoring */
    float *search_values; /* (n, 51): fraction of the search's visits in each bucket of win - loss;
                             all 0 if the row does not have them */
    /* (n, A + 1, BATCH_Q_VALUES): win - loss in -1..1, score and visits of each move. Nothing is
     * known of moves with 0 visits. NULL if LoaderSettings.q_values is false. */
    float *q_values;
    /* (n, 192): as Rows.players; all 0 if the players are not known or not shown. NULL if
     * LoaderSettings.players is false. */
    float *players;
    /* (n, L, L) each: the numbers of Rows.points; all 0 if the row does not have the column. NULL
     * unless the column is in LoaderSettings.point_columns. */
    float *points[ROW_POINT_COLUMNS];
} Batch;
/* These five allocate arrays and fill them with 0. batch_add_boards() adds `boards` and
 * `search_values`. */
MUST_USE Status batch_init(Batch *batch, int count, int length, Error *err);
MUST_USE Status batch_add_boards(Batch *batch, Error *err);
MUST_USE Status batch_add_q_values(Batch *batch, Error *err);
MUST_USE Status batch_add_players(Batch *batch, Error *err);
MUST_USE Status batch_add_points(Batch *batch, unsigned columns, Error *err);
void batch_clear(Batch *batch); /* {0} is fine */

/* How a sample shows its row. */
typedef struct {
    Symmetry symmetry;
    int history;          /* how many of the last five moves are shown */
    bool players_hidden;  /* the sample does not show the players */
    bool lead_from_score; /* a row without a lead target gets its final score as lead, if known */
} RowView;

/* Writes row `row` as sample n. The rows' frame may be smaller than the batch's frame. It may also
 * be larger if the board itself fits into the batch's frame. The board is put at the top left of
 * the batch's frame, and then the symmetry is applied to the whole frame. */
void batch_set_row(Batch *batch, int n, const Rows *rows, size_t row, const RowView *view);
