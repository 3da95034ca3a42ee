/* begun_run.h - a run that has made its first net, from rows of made-up numbers. */
#pragma once
#include "data/made_rows.h"
#include "run/cycle/cycle_private.h"
#include "run/tiny_run.h"

/* Opens the run, trains on a few rows and makes the net. */
static inline Cycle *begin_run(const Folder *run, const RunConfig *config) {
    Cycle *cycle;
    EXPECT_OK(directory_make(path_in(run->text, "rows/000001").text, err));
    made_file(path_in(run->text, "rows/000001/a.npz").text, 4, 4, 4, 400, 1);
    EXPECT_OK(cycle_open(run->text, config, NULL, &cycle, err));
    EXPECT_OK(cycle_train(cycle, 64, err));
    EXPECT_OK(cycle_accept(cycle, err));
    return cycle;
}
