/* batch.h - a packed row to the dense floats of a batch. Threading: confined. */
#pragma once
#include "data/loader.h"
#include "go/symmetry.h"

typedef struct {
    Symmetry symmetry;
    int history;          /* how many of the last five moves are shown */
    bool lead_from_score; /* without a lead by search the row has the final score as one */
} RowView;

/* Writes row `row` as sample n. Boards that fit into batch->length are cut from a larger frame or
 * put into a larger one, at the top left before the symmetry. */
void batch_set_row(Batch *batch, int n, const Rows *rows, size_t row, const RowView *view);
