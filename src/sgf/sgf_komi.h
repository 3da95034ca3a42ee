/* sgf_komi.h - corrects komi and handicap, which some servers and collections write wrongly, as
 * KataGo does (cpp/dataio/sgf.cpp). Threading: free functions. */
#pragma once
#include "sgf/sgf_game.h"

/* Converts the text of KM to points. `application`, `source` and `rules_name` are the texts of AP,
 * US (who entered the game) and RU. Fox writes 375 for 3.75 stones, which are 7.5 points; GoGoD
 * counts Chinese komi in stones. False: the text is no number, or the corrected komi is not one that
 * a game may have (rules_komi_is_valid()). */
bool sgf_komi_parse(const char *text, const char *application, const char *source,
                    const char *rules_name, float *out);

/* Fox leaves out its handicap stones. If the game seems to be from Fox and to have a handicap, this
 * sets them up. `white_is_second`: the first move is White's and is in the second node. Returns the
 * number of stones. */
int sgf_komi_add_handicap(SgfGame *game, bool white_is_second);
