/* selfplay_game_setup.h - what a self-play game is made from: its settings, and where it begins.
 * Threading: plain data. */
#pragma once
#include "data/surprise.h"
#include "play/setup/game_setup.h"
#include "search/tree/search_settings.h"

typedef struct SelfplayGame SelfplayGame; /* selfplay_game.h plays it */

/* Where a game begins that does not begin on an empty board. A fork begins with the best of some
 * random moves. */
typedef enum {
    ORIGIN_FORK,         /* a fork at an early turn of another game */
    ORIGIN_LATE_FORK,    /* a fork at any turn, from more random moves */
    ORIGIN_ARCHIVE,      /* a position of the archive of Go-Exploit */
    ORIGIN_ARCHIVE_FORK, /* a fork at such a position, perhaps of the answer too */
    ORIGIN_SEKI,         /* near the end of a game with neutral points, under other rules */
    ORIGIN_SGF,          /* a position of an SGF file */
    ORIGIN_HINT,     /* a position of an SGF file, whose hint the first search must search well */
    ORIGIN_HINT_FORK /* the position after a hint that was not played */
} SelfplayOrigin;

typedef struct {
    const SelfplaySettings *settings; /* borrowed for the life of the game */
    const GameChoices *choices;
    const SearchSettings *full, *cheap;
    const SurpriseSettings *surprise; /* NULL: none */
    const char *net_name;
    const Position *fork;  /* begin here; NULL: on an empty board */
    SelfplayOrigin origin; /* what `fork` is */
    Point hint;
} SelfplayGameSetup;
