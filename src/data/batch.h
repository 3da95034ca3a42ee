/* batch.h - several rows as dense floats, in the form that training takes.
 * Use: batch_init(), batch_add_boards() and batch_add_q_values() where wanted, then batch_set_row()
 * for each sample. Threading: confined. */
#pragma once
#include "data/row.h"
#include "go/symmetry.h"

/* Channels of Batch.boards for each point, and of Batch.q_values for each move. */
enum { BATCH_BOARDS = 4, BATCH_Q_VALUES = 3 };
/* n samples of boards in L x L frames; A = L * L. A batch from loader_next() belongs to the loader,
 * and its arrays are valid until the loader's next call. */
typedef struct {
    int count, length; /* n, L */
    float *planes;     /* (n, L, L, 22) */
    float *globals;    /* (n, 19) */
    float *policy;     /* (n, 2, A + 1), each normalised to sum 1 (uniform where its weight is 0) */
    float *targets;    /* (n, 80) as in Rows */
    float *score;      /* (n, 842): distribution over HEAD_SCORE_DISTRIBUTION's bins; sums to 1 */
    float *ownership;  /* (n, L, L) in -1..1 */
    float *mask;       /* (n, L, L), 1 on the board */
    /* The next two are NULL where LoaderSettings.boards is not set. */
    float *boards;        /* (n, L, L, BATCH_BOARDS), all in -1..1: seki, stones in 8 and 32 turns,
                             scoring */
    float *search_values; /* (n, 51): fraction of the search's visits in each bucket of win - loss;
                             all 0 where it is not known */
    /* (n, A + 1, BATCH_Q_VALUES): win - loss in -1..1, score, visits; visits 0: nothing is known.
     * NULL where LoaderSettings.q_values is not set. */
    float *q_values;
} Batch;
MUST_USE Status batch_init(Batch *batch, int count, int length, Error *err); /* zeros */
MUST_USE Status batch_add_boards(Batch *batch, Error *err);                  /* zeros */
MUST_USE Status batch_add_q_values(Batch *batch, Error *err);                /* zeros */
void batch_clear(Batch *batch);                                              /* {0} is fine */

/* How a sample shows its row. */
typedef struct {
    Symmetry symmetry;
    int history;          /* how many of the last five moves are shown */
    bool lead_from_score; /* a row without a searched lead has its final score as lead */
} RowView;

/* Writes row `row` as sample n. The rows' frame may be smaller than the batch's, or larger as long
 * as the board itself fits. A board stands at the top left of the frame before the symmetry. */
void batch_set_row(Batch *batch, int n, const Rows *rows, size_t row, const RowView *view);
