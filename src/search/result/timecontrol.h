/* timecontrol.h - the clock of a game, and how much of its time a move may take. The clocks are
 * KataGo's (docs/GTP_Extensions.md, kata-time_settings). A clock has main time. Then it may have
 * periods, in each of which a number of stones must be played: byo-yomi has several periods of one
 * stone, Canadian overtime one period of several stones. A Fischer clock has an increment for each
 * move instead. All times are in seconds. Threading: plain values. */
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
    int64_t ponder_visits, ponder_playouts; /* 0: no limit */
} TimeSettings;
extern const SettingsField TIME_FIELDS[];

typedef struct {
    bool limited; /* false means that there is no time limit */
    double main_seconds, period_seconds, increment_seconds;
    /* The number of stones to be played in a period, and the number of periods. If `stones` is 0,
     * there is no overtime. */
    int stones, periods;
    /* A Fischer clock may have a maximum main time and a maximum time of a move; <= 0 means
     * none. */
    double main_cap_seconds, move_cap_seconds;
} TimeControl;

/* The time that a player has left. */
typedef struct {
    double main_seconds; /* 0 in overtime */
    bool overtime;
    double period_seconds; /* seconds left of the current period */
    int stones, periods;   /* stones left to play in the period; periods left, this one included */
} TimeLeft;

TimeLeft time_at_start(const TimeControl *control);
/* Makes a TimeLeft from the arguments of GTP's command time_left. `seconds` is main time if
 * `stones` is 0 or if the clock has no overtime. With byo-yomi, `stones` is the number of periods
 * left. */
TimeLeft time_left_from_gtp(const TimeControl *control, double seconds, int stones);
/* Subtracts the time of a move that took `seconds`, and adds the increment of a Fischer clock.
 * Returns false if the time ran out. */
bool time_spend(const TimeControl *control, TimeLeft *left, double seconds);

/* The time for one move, in seconds. `wanted` is the time if there is no reason for more or less.
 * The move must not take longer than `max`. `free` is time that is lost if the move does not use
 * it. */
typedef struct {
    double wanted, max, free;
} TimeBudget;
/* Computes the budget of the next move by KataGo's rules (cpp/search/timecontrols.cpp;
 * docs/methods/search.md). `stones` is the number of stones on the board, `area` is the number of
 * its points, and `turn` is the number of moves played. The clock must be limited. */
TimeBudget time_budget(const TimeControl *control, const TimeLeft *left,
                       const TimeSettings *settings, int area, int stones, int turn);

/* Reduces the budget of a player whose recent moves took at most `late_seconds` longer than their
 * budgets allowed. The new maximum is at most the time left, minus twice `late_seconds`. The time
 * left is that of the period, or main time plus a period. */
void time_budget_keep_reserve(TimeBudget *budget, const TimeControl *control, const TimeLeft *left,
                              double late_seconds);

/* How unsettled the choice is, 0 to 1. `chosen` and `other` are the visits of the move that would
 * be played and of the most visited other move. The result is 0 if `other` is at most half of
 * `chosen`, and rises to 1 if the two are equal. */
double time_unsettled(int64_t chosen, int64_t other);
/* How obvious the move is:
 *     min(exp(-H / obvious_entropy), exp(-KL / obvious_surprise))
 * H is the entropy of the net's policy and KL the policy surprise of the search. The result is 1 if
 * the net has no doubt and the search agrees with the net. */
double time_obviousness(const TimeSettings *settings, double entropy, double surprise);
/* Returns the factor of the limits on visits and playouts for a player who is winning. If the
 * factor is below 1, callers multiply the time by it, too. min_win_loss is the minimum win - loss
 * of the last searches. The factor is 1 up to winning_threshold, and then moves linearly to
 * winning_factor at 1. */
double time_winning_factor(const TimeSettings *settings, double min_win_loss);
/* Returns the time that is still wanted if earlier searches have already spent `carried` seconds on
 * the kept part of the tree:
 *     wanted * min(1, ln(1 + exp(6 r)) / 6),   r = (wanted - carried) / wanted */
double time_carried_over(double wanted, double carried);
/* Whether a search should end after `elapsed` seconds. Usually it ends at `wanted`. It ends sooner
 * if the choice is obvious, if there is only one legal move, or if the choice can no longer change
 * at the present speed. It ends later while the choice is unsettled, or while the time is `free`.
 * It always ends at `max`. The board has `area` points. */
bool time_is_enough(const TimeBudget *budget, const TimeSettings *settings, const Report *report,
                    int area, double elapsed);
