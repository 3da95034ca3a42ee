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
    bool averages_neighbours; /* step 4 of fair_komi_receive() is wanted */
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
 * 1. Komi is changed by the lead, at most three times, and each time at most by as much as the time
 *    before. A change of less than 16 points is the last one. There is no further change if lead
 *    and win - loss disagree about who is ahead (in KataGo only if White would get more komi). If a
 *    change made the position clearly less even, half of this change is taken back, and no other
 *    change follows.
 * 2. The komi reached is one end of a window. The other end is sought in the direction that helps
 *    the side that is behind: 1, 2, 4 ... 32 points away, until a search finds the position even
 *    or this side ahead.
 * 3. The window is halved until it is half a point wide. The komi at which win - loss is 0 is then
 *    interpolated.
 * 4. Under area scoring without button every second half point makes no difference. So if the
 *    answer is for a lead, and is not a whole number, a new answer is found as follows. Take the
 *    two multiples of 1/2 next to the answer. At each of them, win - loss is replaced by the mean
 *    of the results half a point below and half a point above. The new answer is interpolated from
 *    these two means. It lies between the two multiples, or at most half a point beyond them. */
bool fair_komi_receive(FairKomi *fair, double win_loss, double lead);
