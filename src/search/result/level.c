#include "search/result/level.h"

#include <assert.h>
#include <math.h>

static const double STDEV_FRACTION_MIN = 0.15;
/* OPENING_STDEV * sqrt(area) is the standard deviation of the score on an empty board. A net for
 * 13x13 gave this number. */
static const double OPENING_STDEV = 1.3;
enum { CONSIDERED = 16 };

bool level_is_set(const SearchSettings *settings) {
    return settings->level.loss_scale > 0;
}

/* Returns the factor that scales losses in points for this board and this position. */
static double loss_factor(const SearchSettings *settings, const Report *report) {
    double side = sqrt((double)(report->width * report->height));
    double opening =
        settings->level.opening_stdev > 0 ? settings->level.opening_stdev : OPENING_STDEV * side;
    double stdev = (double)report->raw_score_stdev;
    double fraction = stdev > 0 ? stdev / opening : 1;
    return side / 19 * fmin(1, fmax(STDEV_FRACTION_MIN, fraction));
}

static bool is_candidate(const MoveReport *move) {
    return move->visits > 0 && move->point != POINT_PASS && move->prior > 0;
}

Point level_choose(const SearchSettings *settings, const Report *report, Rng *rng) {
    double weights[MOVES_MAX], factor = loss_factor(settings, report), best_lead = -HUGE_VAL;
    Point best = report->gumbel           ? report->choice
                 : report->move_count > 0 ? report->moves[0].point
                                          : POINT_PASS;
    if (best == POINT_PASS) return best;
    for (int i = 0; i < report->move_count; i++) {
        if (is_candidate(&report->moves[i]))
            best_lead = fmax(best_lead, (double)report->moves[i].lead);
    }
    bool any = false;
    for (int i = 0; i < report->move_count; i++) {
        const MoveReport *move = &report->moves[i];
        double loss = best_lead - (double)move->lead;
        weights[i] = 0;
        if (!is_candidate(move) || loss > settings->level.loss_max * factor) continue;
        weights[i] = pow((double)move->prior, 1 / settings->level.temperature) *
                     exp(-loss / (settings->level.loss_scale * factor));
        any = any || weights[i] > 0;
    }
    return any ? report->moves[rng_pick(rng, weights, report->move_count)].point : best;
}

int level_set(double strength, SearchSettings *settings) {
    assert(strength >= 0 && strength <= 1);
    settings->level.loss_scale = 10 * pow(0.015, strength);
    settings->level.loss_max = 40 * pow(0.025, strength);
    settings->level.temperature = 6 * pow(0.05, strength);
    settings->gumbel.on = true;
    settings->gumbel.considered = CONSIDERED;
    settings->gumbel.min_visits = 0;
    settings->gumbel.scale = 0;
    return (int)lround(8 * pow(50, strength));
}
