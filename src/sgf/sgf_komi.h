/* sgf_komi.h - corrects the wrong komi and handicap of some servers and collections, as KataGo does
 * (cpp/dataio/sgf.cpp). Threading: any thread. */
#pragma once
#include "sgf/sgf_game.h"

/* Converts the text of KM to points. `application` is the text of AP, `source` that of US
 * (who entered the game), and `rules_name` that of RU. The server Fox writes 375 for 3.75 stones,
 * which are 7.5 points. The collection GoGoD gives some Chinese komi in stones, such as 3.75.
 * Returns false if the text is no number, or if the corrected komi is not one that a game may have
 * (rules_komi_is_valid()). */
bool sgf_komi_parse(const char *text, const char *application, const char *source,
                    const char *rules_name, float *out);

/* Sets up the handicap stones that the server Fox leaves out of its files. Does so only if the game
 * seems to be from Fox and to have a handicap, and if `white_is_second` is true: the root has no
 * move, and the first move of the second node is White's. Returns how many stones were set up. */
int sgf_komi_add_handicap(SgfGame *game, bool white_is_second);
