/* komi.h - the komi that games usually have. Immutable. */
#pragma once
#include "go/rules.h"

/* The komi with which perfect play under area rules is a draw, as far as it is known or believed to
 * be known (van der Werf 2002; Davies 1995; KataGo's opening books). On 5x5 this function returns
 * one point less, so that Black wins narrowly. For boards whose komi is unknown it returns 7, which
 * is fair between strong players on 9x9 to 19x19. */
double komi_fair(int width, int height);
/* The komi of a game between people. With handicap stones it is 0.5. Without handicap stones it is
 * rules->komi on boards whose sides are 9 or more, and komi_fair() on smaller boards. */
double komi_usual(const Rules *rules, int width, int height, int handicap);
