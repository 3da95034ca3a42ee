/* selfplay_game_private.h - a self-play game from inside: its parts, and what its files do for each
 * other. A game goes through these files in this order:
 *
 * 1. selfplay_opening.c: everything before the first recorded turn.
 * 2. selfplay_game.c: the turns.
 * 3. selfplay_followup.c: searches after the game, beside it and for leads.
 * 4. selfplay_leaves.c: positions for games that begin inside this one.
 *
 * selfplay_search.c sets up the searches of all of them. */
#pragma once
#include "play/exploit.h"
#include "play/fork_plan.h"
#include "play/komi_plan.h"
#include "play/selfplay_game.h"

/* What the search under way is for. */
typedef enum {
    STAGE_KOMI,     /* an evaluation or a search for a fair komi */
    STAGE_HANDICAP, /* one evaluation: place an extra black stone */
    STAGE_OPENING,  /* one evaluation: play a move of the policy */
    STAGE_FORK,     /* one evaluation a candidate: keep the best */
    STAGE_CHEAP,
    STAGE_FULL,
    STAGE_SIDE, /* after the game: a position beside it */
    STAGE_LEAD  /* after the game: one of the searches for a turn's lead */
} Stage;

enum { RECENT_MOST = 128, HINT_TURNS = 6, HINT_VISITS = 4 };

/* What is still to be done before the first recorded turn, besides komi and the fork. */
typedef struct {
    int handicap_left, random_left, policy_left; /* stones, random moves, moves of the policy */
    bool fair_after;                             /* komi is made fair once those moves are played */
    bool encore_drawn; /* whether the game begins in an encore is decided */
    int encore_phase;  /* in which it will begin, after the moves that are left; 0: in none */
} OpeningPlan;

/* Positions beside the game, to be searched after it. */
typedef struct {
    Position *positions; /* owned */
    size_t count, capacity, next;
} SidePositions;

/* The lead that is being found, after the game. */
typedef struct {
    int turn;        /* whose lead it is; -1: the first one is still to be chosen */
    Position before; /* the position before that turn, or one on the way to it */
    FairKomi fair;
} LeadSearch;

/* Positions that may go into the archive of Go-Exploit. */
typedef struct {
    PositionSeed *seeds; /* owned */
    size_t count, capacity;
} KeptPositions;

struct SelfplayGame {
    const SelfplaySettings *settings;
    const GameChoices *choices;
    const SearchSettings *full, *cheap;
    const SurpriseSettings *surprise;
    const char *net_name; /* the net in use now, borrowed for the call under way */
    Rng rng;
    Search *search;
    Position now;
    GameRecord record;
    GameDraw draw;
    SelfplayOrigin origin;
    GameMode mode;
    Stage stage;
    bool recording, ends_when_passalive;
    OpeningPlan opening;
    KomiPlan komi;
    ForkPlan fork;
    float recent[RECENT_MOST]; /* White's win - loss of the last searches */
    int recent_count;
    float row_weight; /* of the turn that is being searched */
    Point hint;       /* POINT_NONE: none */
    SidePositions sides;
    LeadSearch lead;
    KeptPositions kept;
};

static inline int area_of(const Position *position) {
    return position->board.width * position->board.height;
}

static inline bool happens(SelfplayGame *game, float probability) {
    return probability > 0 && rng_uniform(&game->rng) < (double)probability;
}

/* What a draw is worth for White in this game, in wins. */
float selfplay_search_draw_wins(const SelfplayGame *game);
/* The game's search gets these settings, and the advantage that `mover` has in this game. */
MUST_USE Status selfplay_search_use(SelfplayGame *game, const SearchSettings *settings, Color mover,
                                    Error *err);
/* Begins a search of `visits` of a position that need not be the game's, without noise. */
MUST_USE Status selfplay_search_other(SelfplayGame *game, Stage stage, const Position *position,
                                      int visits, Error *err);
/* The same with another komi, which the position has for this search alone. */
MUST_USE Status selfplay_search_komi(SelfplayGame *game, Stage stage, const KomiSearch *wanted,
                                     Error *err);

/* Draws the game and where it begins. */
MUST_USE Status selfplay_opening_set_up(SelfplayGame *game, const SelfplayGameSetup *setup,
                                        Error *err);
/* Begins the next evaluation or search before the first recorded turn. *ready: there is none, and
 * the game's position is that of the first turn. */
MUST_USE Status selfplay_opening_next(SelfplayGame *game, bool *ready, Error *err);
/* Such a search is done. */
MUST_USE Status selfplay_opening_take(SelfplayGame *game, const Report *report, Error *err);

/* A turn was searched and will be `played`: perhaps another move of it is looked at later. */
MUST_USE Status selfplay_followup_side(SelfplayGame *game, const Report *report, Point played,
                                       Error *err);
/* Begins the next search after the game. `report` is NULL when the game has just ended, else it is
 * what the last search for STAGE_SIDE or STAGE_LEAD found. *over: there is no other search. */
MUST_USE Status selfplay_followup_next(SelfplayGame *game, const Report *report, bool *over,
                                       Error *err);
void selfplay_followup_clear(SelfplayGame *game);

/* The turn was played in the game's position, not yet in the search: perhaps the position is kept
 * for the archive. */
MUST_USE Status selfplay_leaves_keep(SelfplayGame *game, const Report *report, Error *err);
void selfplay_leaves_clear(SelfplayGame *game);
