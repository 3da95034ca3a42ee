/* net_facts.h - what the page shows of a net: its size, how it was made, and its levels.
 * Threading: free functions; they read files, so the thread of the jobs calls them. */
#pragma once
#include "base/error.h"
#include "base/json.h"
#include "go/rules.h"
#include <stddef.h>

/* Reads the file of a net. `*out` is an object, which the caller owns:
 *   blocks, channels, kinds, parameters, bytes, made, samples (if known), levels
 * For "uniform" the object has only levels. The errors are those of net_file_load(), or ERR_MEMORY.
 */
MUST_USE Status net_facts_read(const char *file, json_t **out, Error *err);
/* The levels of a net on a board (play/levels/level_scale.h): `levels`, from the weakest to the
 * strongest, each with `number`, `strength`, `elo`, `deviation`, `label` and, if the scale has
 * ranks, `rank`, `low` and `high`. `warning` is a sentence if level_scale_doubt() doubts them for
 * games by `rules`, which may be NULL. The list is empty if none were measured. NULL: no memory. */
json_t *net_facts_levels(const char *file, int width, int height, const Rules *rules);
/* Finds a level of the net on a board by its number or its rank, and writes its strength (0..1) and
 * its label. Only a small file is read. ERR_ARGUMENT: there is no such level, or none was measured.
 * The other errors are those of level_scale_load(). */
MUST_USE Status net_facts_find_level(const char *file, int width, int height, const char *name,
                                     double *strength, char *label, size_t label_max, Error *err);
