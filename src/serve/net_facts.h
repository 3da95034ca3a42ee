/* net_facts.h - what the page shows of a net: its size, how it was made, and its levels.
 * Threading: free functions; they read files, so the thread of the jobs calls them. */
#pragma once
#include "base/error.h"
#include "base/json.h"

/* Reads the file of a net. `*out` is an object, which the caller owns:
 *   blocks, channels, kinds, parameters, bytes, made, samples (if known), levels
 * "uniform" has none of them but an empty list of levels. The errors are those of net_file_load(),
 * or ERR_MEMORY. */
MUST_USE Status net_facts_read(const char *file, json_t **out, Error *err);
/* The levels of a net on a board (play/levels/level_scale.h): `levels`, from the weakest to the
 * strongest, each with `number`, `strength`, `elo`, `deviation`, `label` and, if the scale has
 * ranks, `rank`, `low` and `high`. `warning` is a sentence if they were measured with another net
 * file or by another version of the program. The list is empty if none were measured. NULL: no
 * memory. */
json_t *net_facts_levels(const char *file, int width, int height);
