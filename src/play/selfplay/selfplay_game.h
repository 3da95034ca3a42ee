/* selfplay_game.h - one self-play game as a state machine: the caller runs its search until it
 * is done, and selfplay_game_advance() then decides what comes next. It never waits and never
 * evaluates. Threading: confined. */
#pragma once
#include "data/game_record.h"
#include "play/selfplay/selfplay_game_setup.h"
#include "search/core/search.h"

MUST_USE Status selfplay_game_new(const SelfplayGameSetup *setup, Rng rng, SelfplayGame **out,
                                  Error *err);
void selfplay_game_free(SelfplayGame *game);
Search *selfplay_game_search(SelfplayGame *game);
/* To be called when the search is done: plays and records the move, or does what the stage of
 * the game is for, and begins the next search. *over: the record is complete. `net_name`: the
 * net in use now. `scratch` is overwritten. */
MUST_USE Status selfplay_game_advance(SelfplayGame *game, const char *net_name, Report *scratch,
                                      bool *over, Error *err);
GameRecord *selfplay_game_record(SelfplayGame *game);
