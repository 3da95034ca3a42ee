/* size_rules.h - what a run does unless it is told otherwise, by the size of its boards: komi, net,
 * visits, openings, rows. Each rule is one line of size_rules.c. Threading: free functions. */
#pragma once
#include "base/strbuf.h"
#include "run/store/run_config.h"

/* The boards of a run that is to learn this size, as selfplay.sizes: the size itself; larger ones
 * than 10x10 after 9x9, and those larger than 13x13 after that too. What a net learns of chains,
 * eyes and cuts on small boards holds on large ones, and its games cost a fraction. */
void size_rules_boards(int width, int height, char sizes[SETTINGS_TEXT_SIZE]);
/* Sets everything but config->selfplay.sizes to what a run with those sizes has unless it is told
 * otherwise. Of several sizes the one with the most points counts. ERR_ARGUMENT: the sizes cannot
 * be read; all else is as run_config_defaults() has it then. */
MUST_USE Status size_rules_defaults(RunConfig *config, Error *err);
/* What the configuration says of those settings, whoever chose them, in four lines for people. */
void size_rules_describe(const RunConfig *config, StrBuf *out);
