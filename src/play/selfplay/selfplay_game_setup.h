/* selfplay_game_setup.h - what a self-play game is made from: its settings, and where it begins.
 * Threading: plain data. */
#pragma once
#include "data/surprise.h"
#include "play/setup/game_setup.h"
#include "search/tree/search_settings.h"

typedef struct SelfplayGame SelfplayGame; /* selfplay_game.h plays it */

/* Where a game begins, if not on an empty board. With ORIGIN_FORK, ORIGIN_LATE_FORK and
 * ORIGIN_ARCHIVE_FORK the first move is the best of some random moves (fork_plan.h). */
typedef enum {
    ORIGIN_FORK,         /* a fork at an early turn of another game */
    ORIGIN_LATE_FORK,    /* a fork at any turn; its first move is the best of more random moves than
                            in ORIGIN_FORK */
    ORIGIN_ARCHIVE,      /* a position of the archive of Go-Exploit */
    ORIGIN_ARCHIVE_FORK, /* a fork at a position of the archive; the answer to its first move may be
                            chosen in the same way */
    ORIGIN_SEKI,         /* near the end of a game with neutral points, under newly drawn rules */
    ORIGIN_SGF,          /* a position of an SGF file */
    ORIGIN_HINT,     /* a position of an SGF file, with a move that the first search must look at */
    ORIGIN_HINT_FORK /* the position after such a move, which an earlier game did not play */
} SelfplayOrigin;

typedef struct {
    const SelfplaySettings *settings; /* borrowed for the life of the game */
    const GameChoices *choices;
    const SearchSettings *full, *cheap;
    const SurpriseSettings *surprise; /* NULL: surprise does not change the weights of rows */
    const char *net_name;
    const Position *fork;  /* the position at which the game begins; NULL: an empty board */
    SelfplayOrigin origin; /* what `fork` is */
    Point hint;            /* the move that the first search must look at, with ORIGIN_HINT */
} SelfplayGameSetup;
