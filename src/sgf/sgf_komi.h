/* sgf_komi.h - komi and handicap as servers and collections write them, which is not always what
 * they mean. As KataGo mends them (cpp/dataio/sgf.cpp). Immutable. */
#pragma once
#include "sgf/sgf_game.h"

/* KM to points. `source`: US, who entered the game. Fox writes 375 for 3.75 stones or 7.5 points;
 * GoGoD counts Chinese komi in stones. False: the text is no number, or the komi that it means is
 * not one that a game may have (rules_komi_is_valid()). */
bool sgf_komi_parse(const char *text, const char *application, const char *source,
                    const char *rules_name, float *out);

/* Fox leaves out its handicap stones: if the game looks so, they are set up. `white_is_second`: the
 * first move is White's and stands in the second node. Returns how many. */
int sgf_komi_add_handicap(SgfGame *game, bool white_is_second);
