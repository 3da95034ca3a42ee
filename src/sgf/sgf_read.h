/* sgf_read.h - parses the next game of a text and makes an SgfGame from its tree of properties.
 * Threading: confined. */
#pragma once
#include "sgf/sgf_game.h"
#include "sgf/sgf_parse.h"

/* Reads the next game of the source, as sgf_game_parse() does. If there is no game left, sets
 * `*none` to true and `*out` to {0}. */
MUST_USE Status sgf_read_next(SgfSource *source, const SgfOptions *options, SgfGame *out,
                              bool *none, Error *err);
