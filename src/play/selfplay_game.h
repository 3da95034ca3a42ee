/* selfplay_game.h - one self-play game as a state machine: it has a search that wants running, and
 * when that is done decides what is next. It never waits and never evaluates. Threading: confined.
 */
#pragma once
#include "data/game_record.h"
#include "play/exploit.h"
#include "play/game_setup.h"
#include "search/search.h"

typedef struct SelfplayGame SelfplayGame;

/* What a game that does not begin anew begins at. */
typedef enum {
    ORIGIN_FORK,         /* an early turn of a game: with the best of some random moves */
    ORIGIN_LATE_FORK,    /* any turn: the same of more moves */
    ORIGIN_ARCHIVE,      /* Go-Exploit */
    ORIGIN_ARCHIVE_FORK, /* the same with the best of some moves, perhaps of the answers too */
    ORIGIN_SEKI,         /* the end of a game with neutral points */
    ORIGIN_SGF,
    ORIGIN_HINT,     /* of an SGF: the first search has to look at the hint */
    ORIGIN_HINT_FORK /* after the hint, which was not played */
} SelfplayOrigin;

typedef struct {
    const SelfplaySettings *settings; /* borrowed for the life of the game */
    const GameChoices *choices;
    const SearchSettings *full, *cheap;
    const SurpriseSettings *surprise; /* NULL: none */
    const char *net_name;
    const Position *fork;  /* start here instead; NULL: a new game */
    SelfplayOrigin origin; /* of `fork` */
    Point hint;
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
/* A position for another game to begin at, chosen after the game with the settings' probabilities;
 * false: none. `*out` is {0} or initialised. */
bool selfplay_game_fork(SelfplayGame *game, Position *out, SelfplayOrigin *origin);
/* After the game: ends to be played again, with neutral points, go into the archive (seki_fork.h).
 */
MUST_USE Status selfplay_game_keep_seki(SelfplayGame *game, ExploitArchive *archive, Error *err);
/* After the game: what it leaves goes into the archive of Go-Exploit. */
MUST_USE Status selfplay_game_archive(SelfplayGame *game, ExploitArchive *archive, Error *err);
