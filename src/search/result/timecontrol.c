#include "search/result/timecontrol.h"

#include <math.h>

#define TIMES "KataGo, cpp/search/timecontrols.cpp"
#define PONDERING "KataGo, cpp/search/asyncbot.cpp"
#define HELPERS "KataGo, cpp/search/searchtimehelpers.cpp"

const SettingsField TIME_FIELDS[] = {
    FIELD_DOUBLE(TimeSettings, lag_seconds, 0.25, 0, 60,
                 "time reserved for each move to reach the server, seconds", .source = TIMES,
                 .alias = "lagBuffer"),
    FIELD_DOUBLE(TimeSettings, overallocate_factor, 1, 0.01, 100,
                 "factor of the time of every move", .source = HELPERS,
                 .alias = "overallocateTimeFactor"),
    FIELD_DOUBLE(TimeSettings, midgame_factor, 1, 0.01, 100,
                 "factor of the time of a move in the middle game", .source = HELPERS,
                 .alias = "midgameTimeFactor"),
    FIELD_DOUBLE(TimeSettings, midgame_turn, 130, 1, 10000,
                 "number of the turn, on 19x19, at which midgame_factor has its full effect",
                 .source = HELPERS, .alias = "midgameTurnPeakTime"),
    FIELD_DOUBLE(
        TimeSettings, midgame_decay, 100, 1, 10000,
        "turns, on 19x19, in which the effect of midgame_factor falls to 1/e after its peak",
        .source = HELPERS, .alias = "endgameTurnTimeDecay"),
    FIELD_DOUBLE(TimeSettings, obvious_factor, 0.5, 0.01, 100,
                 "factor of the time of a move if net and search agree on one move; 1: off",
                 .source = HELPERS, .alias = "obviousMovesTimeFactor"),
    FIELD_DOUBLE(
        TimeSettings, obvious_entropy, 0.3, 0.001, 100,
        "entropy of the policy, in nats, at which the effect of obvious_factor has fallen to 1/e",
        .source = HELPERS, .alias = "obviousMovesPolicyEntropyTolerance"),
    FIELD_DOUBLE(TimeSettings, obvious_surprise, 0.15, 0.001, 100,
                 "policy surprise of the search, in nats, at which the effect of obvious_factor "
                 "has fallen to 1/e",
                 .source = HELPERS, .alias = "obviousMovesPolicySurpriseTolerance"),
    FIELD_DOUBLE(TimeSettings, unsettled_factor, 1.5, 1, 100,
                 "factor of the time of a move while another move has as many visits as the best "
                 "move; the factor falls to 1 if no other move has more than half as many visits "
                 "as the best move; 1: off"),
    FIELD_DOUBLE(TimeSettings, futile_fraction, 1, 0, 1,
                 "end a search if no other move can reach this fraction of the visits of the best "
                 "one; 0: off",
                 .source = HELPERS, .former = "futile_share"),
    FIELD_DOUBLE(
        TimeSettings, winning_factor, 1, 0.001, 1000,
        "factor of the visits and playouts of a move if its side is certain to win; a factor "
        "below 1 applies to the time of the move, too; 1: off",
        .source = HELPERS, .alias = "searchFactorWhenWinning"),
    FIELD_DOUBLE(TimeSettings, winning_threshold, 1, -1, 1,
                 "winning_factor applies if the last three searches found a win - loss, -1 to 1, "
                 "above this value; at a win - loss of 1 it has its full effect",
                 .source = HELPERS, .alias = "searchFactorWhenWinningThreshold"),
    FIELD_DOUBLE(TimeSettings, carry_over, 0, 0, 1,
                 "this fraction of the time that earlier searches spent on the kept part of the "
                 "tree counts as time that the next move has already had",
                 .source = HELPERS, .alias = "treeReuseCarryOverTimeFactor"),
    FIELD_BOOL(TimeSettings, ponder, false, "search while the opponent thinks", .source = PONDERING,
               .alias = "ponderingEnabled"),
    FIELD_DOUBLE(TimeSettings, ponder_seconds, 60, 0, 1e9,
                 "maximum time of pondering, seconds; 0: do not ponder", .source = PONDERING,
                 .alias = "maxTimePondering"),
    FIELD_INT64(TimeSettings, ponder_visits, 0, 0, 1LL << 50,
                "maximum visits of pondering; 0: no limit", .source = PONDERING,
                .alias = "maxVisitsPondering"),
    FIELD_INT64(TimeSettings, ponder_playouts, 0, 0, 1LL << 50,
                "maximum playouts (visits that pondering adds); 0: no limit", .source = PONDERING,
                .alias = "maxPlayoutsPondering"),
    {0},
};

TimeLeft time_at_start(const TimeControl *control) {
    TimeLeft left = {.main_seconds = control->main_seconds};
    if (control->main_seconds <= 0 && control->stones > 0)
        left = (TimeLeft){0, true, control->period_seconds, control->stones, control->periods};
    return left;
}

TimeLeft time_left_from_gtp(const TimeControl *control, double seconds, int stones) {
    double left = fmax(0, seconds);
    if (stones <= 0 || control->stones <= 0) return (TimeLeft){.main_seconds = left};
    if (control->stones == 1) return (TimeLeft){0, true, left, 1, stones};
    return (TimeLeft){0, true, left, stones, 1};
}

bool time_spend(const TimeControl *control, TimeLeft *left, double seconds) {
    if (!left->overtime) {
        left->main_seconds -= seconds;
        if (left->main_seconds >= 0) {
            left->main_seconds += control->increment_seconds;
            if (control->main_cap_seconds > 0)
                left->main_seconds = fmin(left->main_seconds, control->main_cap_seconds);
            return true;
        }
        seconds = -left->main_seconds;
        *left = (TimeLeft){0, true, control->period_seconds, control->stones, control->periods};
        if (control->stones <= 0) return false;
    }
    left->period_seconds -= seconds;
    for (; left->period_seconds < 0; left->periods--) {
        if (left->periods <= 1) return false;
        left->period_seconds += control->period_seconds;
    }
    if (--left->stones > 0) return true;
    left->stones = control->stones;
    left->period_seconds = control->period_seconds;
    return true;
}

static double lagged(double seconds, double lag) {
    return seconds < 2 * lag ? seconds / 2 : seconds - lag;
}

/* How many moves a player still has in a game of about `length` stones. It is assumed that both
 * players together still have at least `min` moves. */
static double turns_left(double length, double min, int stones) {
    return 0.5 * fmax(length - stones, min);
}

static double turns_of_absolute(int area, int stones) {
    return turns_left(0.95 * area + 20, 0.15 * area + 30, stones);
}

/* On a clock without increment, every move is assumed to take this many seconds in addition to its
 * search. */
#define MOVE_COST 0.01

/* The budget on absolute and Fischer clocks. A Fischer clock gives the increment back after every
 * move. */
static TimeBudget budget_of_main(const TimeControl *control, const TimeLeft *left, double lag,
                                 int area, int stones) {
    double increment = control->increment_seconds;
    double time = lagged(lagged(left->main_seconds, lag), lag), excess = time - increment;
    if (increment <= 0) excess = fmax(0, time - MOVE_COST * turns_of_absolute(area, stones));
    if (increment > 0 && excess <= 0) return (TimeBudget){time, time, 0};
    double by_increment = excess / turns_left(0.75 * area + 15, 0.10 * area + 20, stones);
    double absolute = excess / turns_of_absolute(area, stones) + 2 * increment;
    return (TimeBudget){increment + fmin(by_increment, absolute),
                        fmin(time, increment + excess / 5), 0};
}

/* The maximum time of one move of a period of `stones` moves. If each move takes its maximum, later
 * moves get less and less time. */
static double period_max(double seconds, int stones) {
    return seconds / (0.75 * stones + 0.25);
}

static TimeBudget budget_of_period(const TimeLeft *left, double lag) {
    bool last = left->stones <= 1 && left->periods <= 1;
    int stones = left->stones > 0 ? left->stones : 1;
    double time = lagged(left->period_seconds, last ? 2 * lag : lag), fraction = time / stones;
    return (TimeBudget){fraction, period_max(time, stones), stones == 1 ? fraction : 0};
}

/* The budget while there is main time before the periods. Usually each move in main time gets e
 * times as much time as a move of a period (e is Euler's number). */
static TimeBudget budget_before_periods(const TimeControl *control, const TimeLeft *left,
                                        double lag, int area, int stones) {
    double period = lagged(control->period_seconds, lag), fraction = period / control->stones;
    int spare = control->periods > 5 ? control->periods - 5 : 0;
    double time = lagged(left->main_seconds + spare * control->period_seconds, lag);
    double absolute = turns_of_absolute(area, stones);
    double turns = time / fmax(fraction, 1e-9) / exp(1);
    double by_game = turns_left(0.50 * area + 10, 0.02 * area + 4, stones);
    if (by_game > turns) turns = fmin(by_game, 1.75 * turns);
    turns = fmax(1, fmin(turns, absolute));
    double wanted = fmax(fraction, fmin(time / turns, time / absolute + 3 * fraction));
    if (wanted < 1.5 * fraction && time < 1.5 * fraction) wanted = time + fraction;
    double single = period_max(period, control->stones);
    double max = single + fmax(fmin(1.75 * single, time), time / 5);
    return (TimeBudget){wanted,
                        fmin(max, lagged(left->main_seconds + control->period_seconds, lag)), 0};
}

static double midgame(const TimeSettings *s, int area, int turn) {
    double peak = s->midgame_turn * area / 361;
    double decay = s->midgame_decay * area / 361;
    double grade = turn < peak ? turn / peak : exp(-(turn - peak) / decay);
    return 1 + grade * (s->midgame_factor - 1);
}

TimeBudget time_budget(const TimeControl *control, const TimeLeft *left, const TimeSettings *s,
                       int area, int stones, int turn) {
    double lag = s->lag_seconds;
    TimeBudget budget;
    if (left->overtime)
        budget = budget_of_period(left, lag);
    else if (control->stones > 0 && control->period_seconds > 0)
        budget = budget_before_periods(control, left, lag, area, stones);
    else
        budget = budget_of_main(control, left, lag, area, stones);
    if (control->move_cap_seconds > 0)
        budget.max = fmin(budget.max, lagged(control->move_cap_seconds, lag));
    budget.wanted *= s->overallocate_factor * midgame(s, area, turn);
    budget.wanted = fmin(budget.wanted, budget.max);
    budget.free = fmin(budget.free, budget.max);
    return budget;
}

void time_budget_keep_reserve(TimeBudget *budget, const TimeControl *control, const TimeLeft *left,
                              double late_seconds) {
    double there = left->overtime
                       ? left->period_seconds
                       : left->main_seconds + (control->stones > 0 ? control->period_seconds : 0);
    if (late_seconds <= 0) return;
    budget->max = fmin(budget->max, fmax(0, there - 2 * late_seconds));
    budget->wanted = fmin(budget->wanted, budget->max);
    budget->free = fmin(budget->free, budget->max);
}

double time_unsettled(int64_t chosen, int64_t other) {
    double fraction = chosen > 0 ? (double)other / (double)chosen : 1;
    return fmin(1, fmax(0, (fraction - 0.5) / 0.5));
}

double time_obviousness(const TimeSettings *s, double entropy, double surprise) {
    return fmin(exp(-entropy / s->obvious_entropy), exp(-surprise / s->obvious_surprise));
}

double time_winning_factor(const TimeSettings *s, double min_win_loss) {
    double threshold = s->winning_threshold;
    if (threshold >= 1 || min_win_loss <= threshold) return 1;
    double fraction = fmin(1, (min_win_loss - threshold) / (1 - threshold));
    return 1 + fraction * (s->winning_factor - 1);
}

double time_carried_over(double wanted, double carried) {
    if (wanted <= 0 || carried <= 0) return wanted;
    return wanted * fmin(1, log1p(exp(6 * (wanted - carried) / wanted)) / 6);
}

static bool is_forced(const Report *report, int area) {
    int legal = 0;
    for (int i = 0; i <= area; i++)
        legal += report->raw_policy[i] >= 0;
    return legal == 1;
}

bool time_is_enough(const TimeBudget *budget, const TimeSettings *s, const Report *report, int area,
                    double elapsed) {
    int64_t other = 0;
    if (elapsed >= budget->max) return true;
    if (!report->move_count) return false;
    if (is_forced(report, area)) return true;
    for (int i = 1; i < report->move_count; i++)
        other = report->moves[i].visits > other ? report->moves[i].visits : other;
    int64_t chosen = report->moves[0].visits;
    double obvious =
        time_obviousness(s, (double)report->raw_policy_entropy, (double)report->policy_surprise);
    double limit = budget->wanted * (1 + obvious * (s->obvious_factor - 1)) *
                   (1 + time_unsettled(chosen, other) * (s->unsettled_factor - 1));
    limit = fmin(fmax(limit, budget->free), budget->max);
    if (elapsed >= limit) return true;
    double pace = elapsed > 0 ? (double)report->playouts / elapsed : 0;
    double reachable = (double)other + pace * (limit - elapsed);
    return pace > 0 && reachable < s->futile_fraction * (double)chosen;
}
