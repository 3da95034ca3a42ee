/* selfplay_game.h - one self-play game as a state machine. The caller runs the search of the game
 * until it is done. Then selfplay_game_advance() decides what comes next and begins the next
 * search. The game itself never waits and never evaluates. Threading: confined. */
#pragma once
#include "data/game_record.h"
#include "play/selfplay/selfplay_game_setup.h"
#include "search/core/search.h"

MUST_USE Status selfplay_game_new(const SelfplayGameSetup *setup, Rng rng, SelfplayGame **out,
                                  Error *err);
void selfplay_game_free(SelfplayGame *game);
Search *selfplay_game_search(SelfplayGame *game);
/* To be called when the search is done. Plays and records the move, or uses the search for whatever
 * it was begun (Stage in selfplay_state.h). Then begins the next search, or sets `*over` to true if
 * the record is complete. `net_name` is the net in use now. `scratch` is overwritten. */
MUST_USE Status selfplay_game_advance(SelfplayGame *game, const char *net_name, Report *scratch,
                                      bool *over, Error *err);
GameRecord *selfplay_game_record(SelfplayGame *game);
