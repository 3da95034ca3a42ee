/* best_net.h - finds the net that is used when a command gets the folder of a run instead of a net.
 * Threading: free functions. */
#pragma once
#include "base/file.h"

/* Finds the best net of the run, which is the strongest by the games in run.db. It is the newest
 * net if no net is rated, run.db cannot be read, or the file of the strongest net is gone.
 * ERR_ARGUMENT: the folder has no nets. ERR_IO: it cannot be listed. */
MUST_USE Status best_net_find(const char *root, Path *out, Error *err);
