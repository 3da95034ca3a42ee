/* fair_komi.h - finds the fair komi of a position, the one at which the position is even, by
 * searches with several komi. White's lead is the komi of the position minus the fair komi (KataGo,
 * cpp/program/playutils.cpp). FairKomi does not search: it says which komi to search next and
 * receives what the search found. Values are White's. Threading: confined. */
#pragma once
#include "go/position.h"

enum { FAIR_KOMI_TRIES = 32 };

typedef struct {
    struct {
        float komi;
        double win_loss, lead;
    } tries[FAIR_KOMI_TRIES]; /* each komi is searched once */
    int try_count;
    bool averages_neighbours; /* whether fair_komi_receive() does step 4 */
    double max;               /* maximum of komi: area + 20 */
    float start, komi;        /* komi of the position; komi to search next */
    double even;              /* the answer, not rounded */
} FairKomi;

/* Begins with the komi, rules and size of `position`; the first search has its komi. `for_lead` is
 * true if the answer gives the lead of a row, which needs step 4 below, and false if it gives the
 * komi of a game. */
void fair_komi_begin(FairKomi *fair, const Position *position, bool for_lead);
/* Takes what the search with `fair->komi` found. Returns true if `fair->even` is the answer.
 * Otherwise `fair->komi` is the komi of the next search. The steps are:
 *
 * 1. Up to three times komi moves by the lead, but never further than in the step before. The steps
 *    end after one of less than 16 points, and when win - loss and lead disagree about who is ahead
 *    (in KataGo only if White would get more komi). They also end when a step made the position
 *    clearly less even; half of that step is then taken back.
 * 2. From there a window of 1, 2, 4 ... 32 points is opened, until the search at its end finds the
 *    position even or better for the other side.
 * 3. The window is halved down to half a point, and the komi at which win - loss is 0 is
 *    interpolated.
 * 4. Under area scoring without button every second half point makes no difference. If the answer
 *    is for a lead, the win - loss at each of the two half points around it is therefore replaced
 *    by the mean of the two results half a point below and half a point above. Then the answer is
 *    interpolated again between these two half points, or up to half a point beyond them. */
bool fair_komi_receive(FairKomi *fair, double win_loss, double lead);
