/* selfplay_state.h - the state of one self-play game. The following files share this state. Each
 * file calls only functions of files that stand before it in the list:
 *
 * 1. selfplay_search.c sets up the searches that the others need.
 * 2. selfplay_opening.c does everything before the first recorded turn.
 * 3. selfplay_followup.c makes the searches after the game: of side positions, and for leads.
 * 4. selfplay_branches.c keeps positions at which later games begin.
 * 5. selfplay_game.c plays the turns and calls the others.
 *
 * Threading: confined. */
#pragma once
#include "data/game_record.h"
#include "play/selfplay/selfplay_game_setup.h"
#include "play/setup/fork_plan.h"
#include "play/setup/komi_plan.h"
#include "play/setup/position_seed.h"
#include "search/core/search.h"

/* The purpose of the search that is under way. */
typedef enum {
    STAGE_KOMI,     /* an evaluation or a search for a fair komi */
    STAGE_HANDICAP, /* one evaluation, after which a handicap stone is placed */
    STAGE_OPENING,  /* one evaluation, after which a move of the policy is played */
    STAGE_FORK,     /* one evaluation of each candidate of a fork, of which the best is kept */
    STAGE_CHEAP,
    STAGE_FULL,
    STAGE_SIDE, /* after the game: a full search of a side position */
    STAGE_LEAD  /* after the game: one search for the lead of a turn */
} Stage;

enum { RECENT_MAX = 128, HINT_TURNS = 6, HINT_VISITS = 4 };

/* The steps that are left before the first recorded turn, besides komi and the fork. */
typedef struct {
    /* Numbers of stones, random moves and moves of the policy that are left. */
    int handicap_left, random_left, policy_left;
    bool fair_after;   /* komi is made fair after these moves */
    bool encore_drawn; /* it has been drawn whether the game begins in an encore */
    /* The encore phase in which the game will begin after the moves that are left; 0: none. */
    int encore_phase;
} OpeningPlan;

/* Side positions (selfplay_followup.h), which are searched after the game. */
typedef struct {
    Position *positions; /* owned */
    size_t count, capacity, next;
} SidePositions;

/* The search for a lead, after the game. */
typedef struct {
    int turn;        /* the turn whose lead is being found; -1 before the first one is chosen */
    Position before; /* the position before that turn, which replaying the game has reached */
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
    float recent[RECENT_MAX]; /* win - loss of the last searches, White's */
    int recent_count;
    float row_weight; /* weight of the row of the turn that is being searched */
    /* the move that the search of the first recorded turn must look at, or POINT_NONE */
    Point hint;
    SidePositions sides;
    LeadSearch lead;
    KeptPositions kept;
};

static inline int area_of(const Position *position) {
    return position->board.width * position->board.height;
}

static inline bool happens(SelfplayGame *game, double probability) {
    return probability > 0 && rng_uniform(&game->rng) < (double)probability;
}
