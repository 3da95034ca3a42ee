/* komi_plan.h - the komi of one self-play game, and how it is found:
 *
 * 1. The mean is komi.mean of the settings or, with komi.auto_mean, the komi that the net finds
 *    fair on the empty board.
 * 2. The komi of the game is the mean, or the komi that the net finds fair in the game's position.
 *    Noise is added to it.
 * 3. In some handicap games and forks komi is instead drawn at random between the komi that the
 *    game had before and the fair komi.
 *
 * The plan searches nothing itself: komi_plan_next() says what to search, and
 * komi_plan_receive() takes what the search found. A fair komi comes from three evaluations by the
 * net, without a search, or from searches with several komi (fair_komi.h). Threading: confined. */
#pragma once
#include "play/setup/fair_komi.h"
#include "play/setup/game_setup.h"
#include "search/tree/report.h"

/* The game that the plan belongs to, borrowed for the life of the plan. */
typedef struct {
    const SelfplaySettings *settings;
    GameDraw *draw; /* draw->rules.komi is the game's komi, also while a fair one is sought */
    Position *now;  /* the game's position */
    Rng *rng;
} KomiPlanSetup;

typedef struct {
    KomiPlanSetup game;
    /* 0 if no fair komi is sought. Otherwise the number of evaluations that are left to find it.
     * Searches (komi.visits above 0) are not counted: the number becomes 0 when they have found
     * the fair komi. */
    int rounds;
    float last_shift; /* change of komi by the last evaluation; the next change is no larger */
    bool varies;      /* komi will be drawn at random between its present value and the fair one */
    bool finds_mean;  /* the fair komi on `empty`, which will be the mean, is found first */
    Position empty;   /* a board of the game's size and rules without stones */
    FairKomi fair;
    bool fair_begun; /* searches for `fair` have begun and have given no answer yet */
} KomiPlan;

/* The next position to search for a fair komi. */
typedef struct {
    Position *position; /* the game's position, or KomiPlan.empty */
    float komi;         /* komi to search with instead of the position's own */
    int visits;
} KomiSearch;

/* Makes a plan that finds no fair komi: the game has the komi of its rules. */
void komi_plan_init(KomiPlan *plan, const KomiPlanSetup *setup);
void komi_plan_clear(KomiPlan *plan);
/* Sets the komi of the game from the mean komi. With komi.auto_mean the plan first asks for the
 * evaluations or searches that find this mean. */
MUST_USE Status komi_plan_find_mean(KomiPlan *plan, Error *err);
/* To be called for a game that begins with the komi of another game. The game keeps this komi if
 * draw->make_fair and `varies` are false. Otherwise the plan finds a fair one. */
void komi_plan_take_over(KomiPlan *plan, bool varies);
/* Makes the plan find a fair komi for the position that the game has when komi_plan_next() is
 * called. */
void komi_plan_make_fair(KomiPlan *plan);
/* Returns the position to search next. To be called only while `rounds` is above 0. */
KomiSearch komi_plan_next(KomiPlan *plan);
/* Takes what the search of komi_plan_next() found. */
void komi_plan_receive(KomiPlan *plan, const Report *report);
