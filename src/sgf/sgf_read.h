/* sgf_read.h - from a tree of properties to a game. Threading: confined. */
#pragma once
#include "sgf/sgf_game.h"
#include "sgf/sgf_parse.h"

/* Reads the next game of the source; `*none` if there is no game left (then `*out` is {0}). As
 * sgf_game_parse() otherwise. */
MUST_USE Status sgf_read_next(SgfSource *source, const SgfOptions *options, SgfGame *out,
                              bool *none, Error *err);
