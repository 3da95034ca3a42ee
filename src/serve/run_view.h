/* run_view.h - what the page shows of a run: its state, the table of its nets, and its curves.
 * Everything is read from the files of the run without a lock, so the run may go on while they are
 * read.
 * Threading: free functions; they read files, so the thread of the jobs calls them. */
#pragma once
#include "base/json.h"
#include "serve/fault.h"

enum { RUN_CURVE_POINTS_MAX = 2000, RUN_CURVES_MAX = 32 };

/* The state of a run; docs/SERVER.md lists the members. NULL: the fault is set, or there is no
 * memory. */
json_t *run_view_state(const char *folder, Fault *fault);
/* The curves of these names: {"curves":{NAME:ARRAYS,...}}. `names` is an array of texts. A name
 * without points is left out. ARRAYS is an object of five arrays: `samples`, `seconds`, `value`,
 * `low` and `high`. A curve with more than `points` points is divided into `points` parts; the
 * arrays then have the mean, minimum and maximum of each part. NULL: as above. */
json_t *run_view_curves(const char *folder, const json_t *names, int points, Fault *fault);
