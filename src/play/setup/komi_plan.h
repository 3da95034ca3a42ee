/* komi_plan.h - with which komi one self-play game is played, and how that komi is found.
 *
 * 1. The mean is that of the settings, or (komi_auto) what the net thinks fair on the empty board.
 * 2. The game's komi is the mean with noise, or what the net thinks fair in the game's position.
 * 3. A komi that varies lies between the old one and the fair one.
 *
 * The plan searches nothing itself: komi_plan_next() says what to search, and komi_plan_receive() gets
 * what the search found. A fair komi comes from three evaluations by the net alone, or from
 * searches with several komi (fair_komi.h). Threading: confined. */
#pragma once
#include "play/setup/fair_komi.h"
#include "play/setup/game_setup.h"
#include "search/tree/report.h"

/* What the plan belongs to, borrowed for the life of the plan. */
typedef struct {
    const SelfplaySettings *settings;
    GameDraw *draw; /* draw->rules.komi is the game's komi, also while a fair one is sought */
    Position *now;  /* the game's position */
    Rng *rng;
} KomiPlanSetup;

typedef struct {
    KomiPlanSetup game;
    int rounds;       /* evaluations for a fair komi that are left; 0: none is sought */
    float last_shift; /* of komi, by the last evaluation; the next one is no larger */
    bool varies;      /* komi becomes one between the old and the fair one */
    bool finds_mean;  /* the komi that is fair on `empty` is found first */
    Position empty;   /* a board of the game's size and rules without stones */
    FairKomi fair;
    bool fair_begun; /* `fair` is at work */
} KomiPlan;

/* What to search next for a fair komi. */
typedef struct {
    Position *position; /* of the plan or the game */
    float komi;         /* with this komi instead of the position's own */
    int visits;
} KomiSearch;

/* No fair komi is sought, and the game has the komi of its rules. */
void komi_plan_init(KomiPlan *plan, const KomiPlanSetup *setup);
void komi_plan_clear(KomiPlan *plan);
/* Sets the game's komi by the mean of the settings; with komi_auto that mean is sought first. */
MUST_USE Status komi_plan_find_mean(KomiPlan *plan, Error *err);
/* For a game that has the komi of another one: it stays, unless draw->make_fair or `varies` wants a
 * fair one. */
void komi_plan_take_over(KomiPlan *plan, bool varies);
/* A fair komi is sought from here on, for the game's position as it is when the search begins. */
void komi_plan_make_fair(KomiPlan *plan);
KomiSearch komi_plan_next(KomiPlan *plan);
/* What that search found. */
void komi_plan_receive(KomiPlan *plan, const Report *report);
