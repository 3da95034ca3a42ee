/* timecontrol.h - the clock of a game and how much of it a move may take. The clocks are KataGo's
 * (docs/GTP_Extensions.md, kata-time_settings): main time, then periods of so many stones each
 * (byo-yomi: one stone, several periods; Canadian: several stones, one period), or an increment
 * (Fischer). All times in seconds. Immutable or confined values. */
#pragma once
#include "base/settings.h"
#include "search/tree/report.h"

typedef struct {
    double lag_seconds;
    double overallocate_factor, midgame_factor, midgame_turn, midgame_decay;
    double obvious_factor, obvious_entropy, obvious_surprise;
    double unsettled_factor, futile_fraction;
    double winning_factor, winning_threshold;
    double carry_over;
    bool ponder;
    double ponder_seconds;
    int64_t ponder_visits, ponder_playouts; /* 0: any number */
} TimeSettings;
extern const SettingsField TIME_FIELDS[];

typedef struct {
    bool limited; /* false: there is no clock */
    double main_seconds, period_seconds, increment_seconds;
    int stones, periods;                       /* of a period; of the overtime; 0: none */
    double main_cap_seconds, move_cap_seconds; /* of a Fischer clock; <= 0: none */
} TimeControl;

/* What a player has. */
typedef struct {
    double main_seconds; /* or, in overtime, 0 */
    bool overtime;
    double period_seconds; /* of the period under way */
    int stones, periods;   /* to play in it; left with it */
} TimeLeft;

TimeLeft time_at_start(const TimeControl *control);
/* What GTP's time_left says: stones 0: main time; byo-yomi takes `stones` for the periods left. */
TimeLeft time_left_from_gtp(const TimeControl *control, double seconds, int stones);
/* A move that took so long. false: the clock ran out. */
bool time_spend(const TimeControl *control, TimeLeft *left, double seconds);

/* Of one move: what to take if nothing speaks for more or less, what never to exceed, and what
 * would be lost if it were not taken. */
typedef struct {
    double wanted, max, free;
} TimeBudget;
/* KataGo, cpp/search/timecontrols.cpp, as docs/METHODS.md has it. `stones`: on a board of `area`
 * points; `turn`: of the game. Only for a limited clock. */
TimeBudget time_budget(const TimeControl *control, const TimeLeft *left,
                       const TimeSettings *settings, int area, int stones, int turn);

/* For a player whose moves lately came so much later than they might: at most what there is (of the
 * period, or of the main time and a period) less twice that. */
void time_budget_keep_reserve(TimeBudget *budget, const TimeControl *control, const TimeLeft *left,
                              double late_seconds);

/* How settled the choice is, by the visits of the move that would be played (its `chosen`) and of
 * the best other: 0 at half of them or less, 1 where the other has as many. */
double time_unsettled(int64_t chosen, int64_t other);
/* min(exp(-H / entropy), exp(-KL / surprise)): 1 where the net has no doubt and the search agrees.
 */
double time_obviousness(const TimeSettings *settings, double entropy, double surprise);
/* Of all limits, where the least of the last win_loss is above the threshold: from 1 there to the
 * factor at 1. */
double time_winning_factor(const TimeSettings *settings, double min_win_loss);
/* What is still wanted of a move's time if so much was thought about its tree before: times
 * min(1, ln(1 + exp(6 r)) / 6), r = (wanted - carried) / wanted. */
double time_carried_over(double wanted, double carried);
/* Whether a search should end after `elapsed`: at `wanted`, sooner if the choice is obvious, forced
 * (the only legal move), or cannot change any more at this pace, later while it is unsettled,
 * always at `most`. `area`: of the board. */
bool time_is_enough(const TimeBudget *budget, const TimeSettings *settings, const Report *report,
                    int area, double elapsed);
