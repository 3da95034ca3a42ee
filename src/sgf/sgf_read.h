/* sgf_read.h - makes a game of a parsed tree of properties. Threading: confined. */
#pragma once
#include "sgf/sgf_game.h"
#include "sgf/sgf_parse.h"

/* Reads the next game of the source. `*none`: there is no game left, and `*out` is {0}. Otherwise
 * as sgf_game_parse(). */
MUST_USE Status sgf_read_next(SgfSource *source, const SgfOptions *options, SgfGame *out,
                              bool *none, Error *err);
