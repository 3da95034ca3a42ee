/* selfplay_game.h - one self-play game as a state machine: it has a search that wants running, and
 * when that is done decides what is next. It never waits and never evaluates. Threading: confined.
 */
#pragma once
#include "data/game_record.h"
#include "play/game_setup.h"
#include "search/search.h"

typedef struct SelfplayGame SelfplayGame;
typedef struct {
    const SelfplaySettings *settings; /* borrowed for the life of the game */
    const GameChoices *choices;
    const SearchSettings *full, *cheap;
    const char *net_name;
    const Position *fork; /* start here instead; NULL: a new game */
} SelfplayGameSetup;
MUST_USE Status selfplay_game_new(const SelfplayGameSetup *setup, Rng rng, SelfplayGame **out,
                                  Error *err);
void selfplay_game_free(SelfplayGame *game);
Search *selfplay_game_search(SelfplayGame *game);
/* The search is done: play, record, begin the next. *over: the record is complete. `net_name` is
 * the net in use now. */
MUST_USE Status selfplay_game_advance(SelfplayGame *game, const char *net_name, Report *scratch,
                                      bool *over, Error *err);
GameRecord *selfplay_game_record(SelfplayGame *game);
/* A position to fork from, chosen after the game with the settings' probability; false: none.
 * `*out` is {0} or initialised. */
bool selfplay_game_fork(SelfplayGame *game, Position *out);
