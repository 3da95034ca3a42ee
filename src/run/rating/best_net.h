/* best_net.h - finds the net that is used when a command gets the folder of a run instead of a net.
 * Threading: free functions. */
#pragma once
#include "base/file.h"

/* Finds the best net of the run, which is the strongest by the games in run.db, or the newest if no
 * net is rated or run.db cannot be read. ERR_ARGUMENT: the folder has no nets. ERR_IO: it cannot be
 * listed. */
MUST_USE Status best_net_find(const char *root, Path *out, Error *err);
