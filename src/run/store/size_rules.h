/* size_rules.h - the settings of a new run that depend on its board size: komi, net, visits,
 * openings, rows. The rules are in size_rules.c. A new run calls size_rules_boards() for --size,
 * then size_rules_defaults(), and shows size_rules_describe(). Threading: free functions. */
#pragma once
#include "base/strbuf.h"
#include "run/store/run_config.h"

/* Writes the text of selfplay.sizes for a run that learns this size. If the board has at most 100
 * points or a side below 9, the run plays only this size. Otherwise it begins on 9x9, and if a side
 * is longer than 13, it plays 13x13 before this size. There are two reasons: what a net learns of
 * chains, eyes and cuts on small boards also holds on large boards, and games on small boards cost
 * much less.
 * `width` and `height` are 2 to 19. */
void size_rules_boards(int width, int height, char sizes[SETTINGS_TEXT_SIZE]);
/* Sets all settings except config->selfplay.sizes to the defaults of a run with those sizes. If
 * there are several sizes, the one with the most points counts. ERR_ARGUMENT: the sizes cannot be
 * read; the other settings are then those of run_config_defaults(). */
MUST_USE Status size_rules_defaults(RunConfig *config, Error *err);
/* Adds lines of text to `out` that describe these settings with their present values. */
void size_rules_describe(const RunConfig *config, StrBuf *out);
