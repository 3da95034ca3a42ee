/* best_net.h - the net that the folder of a run stands for. Threading: free functions. */
#pragma once
#include "base/file.h"

/* Finds the best net of the run: the strongest of the rated ones, by the games in run.db; if no net
 * is rated, the newest. ERR_ARGUMENT: the folder has no nets. ERR_IO: it cannot be listed. */
MUST_USE Status best_net_find(const char *root, Path *out, Error *err);
