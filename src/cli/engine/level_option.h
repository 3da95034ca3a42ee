/* level_option.h - the levels of a net, which `aji calibrate` measured, in commands that play.
 * Threading: free functions. */
#pragma once
#include "play/levels/level_scale.h"

/* Finds a level of a net on a board by the number or rank of the level, and names the level on
 * stderr. Warns if the level was measured with another net file, by another version of the program,
 * or under rules that count other points. `command` is the name of the command. ERR_ARGUMENT: the
 * net was not calibrated on this board, or there is no such level; the message says what to do. The
 * other errors are those of level_scale_load(). */
MUST_USE Status level_option_find(const char *command, const char *net, const char *name, int width,
                                  int height, const Rules *rules, Level *out, Error *err);
