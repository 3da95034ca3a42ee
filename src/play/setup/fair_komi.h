/* fair_komi.h - the komi at which a position is even, found by searches with several komi; the lead
 * is how far that is from the komi of now (KataGo, cpp/program/playutils.cpp). It says which komi
 * to search next and takes what the search found. Values are White's. Threading: confined. */
#pragma once
#include "go/position.h"

enum { FAIR_KOMI_TRIES = 32 };

typedef struct {
    struct {
        float komi;
        double win_loss, lead;
    } tries[FAIR_KOMI_TRIES]; /* each komi is searched once */
    int try_count;
    bool averages;     /* of every second half point, which does nothing */
    double max;        /* of komi: area + 20 */
    float start, komi; /* komi: to be searched next */
    double even;       /* the answer, not rounded */
} FairKomi;

/* With the komi, rules and size of `position`. The first search is with its own komi. `lead`: it is
 * for the lead of a row, not for the komi of a game. */
void fair_komi_begin(FairKomi *fair, const Position *position, bool lead);
/* What the search with `fair->komi` found. True: `fair->even` is there; else search again.
 *
 * Up to three times komi moves by the lead, never further than before, until that is less than 16
 * points or win - loss wants the other direction (KataGo: only where White is to get more); half of
 * a step that made things clearly worse is taken back, and no more are made. From there a window of
 * 1, 2, 4 ... 32 points is opened towards an even result, halved down to half a point, and the
 * place where win - loss is 0 interpolated.
 *
 * Under area scoring without button every second half point does nothing: for a lead the values at
 * the two half points around that place are replaced by the means of their neighbours', and it is
 * interpolated again, up to half a point beyond. */
bool fair_komi_receive(FairKomi *fair, double win_loss, double lead);
