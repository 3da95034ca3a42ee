/* selfplay_game_setup.h - what a self-play game is given: its settings, and where it begins.
 * Threading: plain data. */
#pragma once
#include "data/surprise.h"
#include "play/setup/game_setup.h"
#include "search/tree/search_settings.h"

typedef struct SelfplayGame SelfplayGame; /* selfplay_game.h plays it */

/* What a game begins at that does not begin on an empty board. */
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
