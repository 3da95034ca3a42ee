/* fair_komi.h - finds the komi at which a position is even by searches with several komi. The
 * lead is the difference between that and the position's komi (KataGo,
 * cpp/program/playutils.cpp). FairKomi says which komi to search next and receives what the
 * search found. Values are White's. Threading: confined. */
#pragma once
#include "go/position.h"

enum { FAIR_KOMI_TRIES = 32 };

typedef struct {
    struct {
        float komi;
        double win_loss, lead;
    } tries[FAIR_KOMI_TRIES]; /* each komi is searched once */
    int try_count;
    bool averages_neighbours; /* whether step 4 of fair_komi_receive() is done */
    double max;               /* maximum of komi: area + 20 */
    float start, komi;        /* komi of the position; komi to search next */
    double even;              /* the answer, not rounded */
} FairKomi;

/* Begins with komi, rules and size of `position`; the first search has its komi. `for_lead`: the
 * answer is wanted for the lead of a row, which needs step 4 below; false: for the komi of a
 * game. */
void fair_komi_begin(FairKomi *fair, const Position *position, bool for_lead);
/* Takes what the search with `fair->komi` found. Returns true if `fair->even` is the answer;
 * otherwise the next search follows.
 *
 * 1. Up to three times komi moves by the lead, never further than in the step before. This ends
 *    when a step is less than 16 points, or when win - loss wants the other direction (KataGo: only
 *    if White would get more). Half of a step that made things clearly worse is taken back, and no
 *    more steps are made.
 * 2. From there a window of 1, 2, 4 ... 32 points is opened until the result at its end is even or
 *    in favour of the other side.
 * 3. The window is halved down to half a point, and the komi at which win - loss is 0 is
 *    interpolated.
 * 4. Under area scoring without button every second half point makes no difference. For a lead,
 *    the win - loss at each of the two half points around the answer is therefore replaced by the
 *    mean of the results half a point below and half a point above it. The answer is interpolated
 *    again between these two, or up to half a point beyond them. */
bool fair_komi_receive(FairKomi *fair, double win_loss, double lead);
