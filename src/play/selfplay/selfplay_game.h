/* selfplay_game.h - one self-play game as a state machine: it has a search that wants running, and
 * when that is done decides what is next. It never waits and never evaluates. Threading: confined.
 */
#pragma once
#include "data/game_record.h"
#include "play/selfplay/selfplay_game_setup.h"
#include "search/core/search.h"

MUST_USE Status selfplay_game_new(const SelfplayGameSetup *setup, Rng rng, SelfplayGame **out,
                                  Error *err);
void selfplay_game_free(SelfplayGame *game);
Search *selfplay_game_search(SelfplayGame *game);
/* The search is done: play, record, begin the next. *over: the record is complete. `net_name` is
 * the net in use now. */
MUST_USE Status selfplay_game_advance(SelfplayGame *game, const char *net_name, Report *scratch,
                                      bool *over, Error *err);
GameRecord *selfplay_game_record(SelfplayGame *game);
