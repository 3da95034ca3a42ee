/* best_net.h - finds the net that is used when a command gets the folder of a run, or of a training
 * by `aji train DATA`, instead of a net. Threading: free functions. */
#pragma once
#include "base/file.h"

/* Finds the best net of the run: the net that is the strongest by the games in run.db. If no net is
 * rated, if run.db cannot be read, or if the file of the strongest net is gone, finds the newest
 * net instead. Of a training by `aji train DATA` it finds best.aji or, if there is none, last.aji.
 * ERR_ARGUMENT: the folder has no nets. ERR_IO: the folder cannot be listed. */
MUST_USE Status best_net_find(const char *root, Path *out, Error *err);
