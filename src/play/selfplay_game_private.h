/* selfplay_game_private.h - a self-play game from inside. */
#pragma once
#include "play/exploit.h"
#include "play/fair_komi.h"
#include "play/selfplay_game.h"

/* What the search under way is for. */
typedef enum {
    STAGE_FAIR_KOMI, /* one evaluation: shift komi by the score that the net expects */
    STAGE_EVEN_KOMI, /* one of the searches for a komi that makes it even */
    STAGE_HANDICAP,  /* one evaluation: place an extra black stone */
    STAGE_OPENING,   /* one evaluation: play a move of the policy */
    STAGE_FORK,      /* one evaluation a candidate: keep the best */
    STAGE_CHEAP,
    STAGE_FULL,
    STAGE_SIDE, /* after the game: a position beside it */
    STAGE_LEAD  /* after the game: one of the searches for a turn's lead */
} Stage;

enum { FAIR_ROUNDS = 3, RECENT_MOST = 128, FORK_MOST = 361, HINT_TURNS = 6, HINT_VISITS = 4 };
enum { ARCHIVE_FORK_LEAST = 5, ARCHIVE_FORK_MOST = 36 }; /* moves to choose from (p3achygo) */

struct SelfplayGame {
    const SelfplaySettings *settings;
    const GameChoices *choices;
    const SearchSettings *full, *cheap;
    const SurpriseConfig *surprise;
    const char *net_name; /* in use now; borrowed for the call under way */
    Rng rng;
    Search *search;
    Position now;
    GameRecord record;
    GameDraw draw;
    SelfplayOrigin origin;
    GameMode mode;
    Stage stage;
    bool fair_opening, recording, ends_when_passalive;
    int fair_rounds, handicap_left, random_left, opening_left;
    bool encore_drawn; /* whether it begins in an encore is decided */
    int encore_phase;  /* in which it will begin, after the moves that are left; 0: in none */
    float last_shift;
    bool varies_komi; /* between what it is and the fair one */
    bool mean_left;   /* the komi that is fair on `empty` is found first: this game's mean */
    Position empty;   /* a board of its size and rules */
    FairKomi fair;
    bool fair_begun; /* `fair` is at work */
    Point fork_moves[FORK_MOST];
    int fork_count, fork_next, fork_best;
    int forks_left; /* to be drawn after this one */
    float fork_best_score;
    float recent[RECENT_MOST]; /* White's win - loss of the last searches */
    int recent_count;
    float row_weight;
    Point hint; /* POINT_NONE: none */
    /* what is looked at after the game */
    Position *sides; /* positions beside it, owned */
    size_t side_count, side_capacity, side_next;
    int lead_turn;      /* of the lead that is being found */
    Position before;    /* that turn, or one on the way to it */
    PositionSeed *kept; /* what may go into the archive; owned */
    size_t kept_count, kept_capacity;
};

static inline int area_of(const Position *position) {
    return position->board.width * position->board.height;
}

static inline bool happens(SelfplayGame *game, float probability) {
    return probability > 0 && rng_uniform(&game->rng) < (double)probability;
}

/* Begins a search of `visits` of a position that need not be the game's, without noise. */
MUST_USE Status selfplay_begin_other(SelfplayGame *game, Stage stage, const Position *position,
                                     int visits, Error *err);
/* The search will have these settings, and the advantage that `mover` has in this game. */
MUST_USE Status selfplay_use_settings(SelfplayGame *game, const SearchSettings *of, Color mover,
                                      Error *err);

/* Draws the game and where it begins. */
MUST_USE Status selfplay_before_set_up(SelfplayGame *game, const SelfplayGameSetup *setup,
                                       Error *err);
/* Begins the next evaluation, or search, of what comes before the first recorded turn. *ready:
 * there is none, the game's position is that of the first turn. */
MUST_USE Status selfplay_before_next(SelfplayGame *game, bool *ready, Error *err);
/* Such a search is done. */
MUST_USE Status selfplay_before_take(SelfplayGame *game, const Report *report, Error *err);

/* A turn was searched and will be `played`: perhaps another move of it is looked at later. */
MUST_USE Status selfplay_after_side(SelfplayGame *game, const Report *report, Point played,
                                    Error *err);
/* The turn was played in the game's position, not yet in the search: perhaps it is kept for the
 * archive. */
MUST_USE Status selfplay_after_keep(SelfplayGame *game, const Report *report, Error *err);
/* The game is over, or a search for STAGE_SIDE or STAGE_LEAD is done (`report`; NULL at first):
 * begins the next one. *over: there is none. */
MUST_USE Status selfplay_after_next(SelfplayGame *game, const Report *report, bool *over,
                                    Error *err);
void selfplay_after_clear(SelfplayGame *game);
