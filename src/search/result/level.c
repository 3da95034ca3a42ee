#include "search/result/level.h"

#include <assert.h>
#include <math.h>

static const double STDEV_FRACTION_MIN = 0.15;
/* OPENING_STDEV * sqrt(area) is the standard deviation of the score on an empty board. A net for
 * 13x13 gave this number. */
static const double OPENING_STDEV = 1.3;
/* When a pass is good enough; see level_choose(). */
static const float PASS_PRIOR = 0.3f, PASS_LOSS = 0.5f;
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

/* Whether the pass, which is the best move of the search, is good enough to be played. */
static bool may_pass(const SearchSettings *settings, const Report *report) {
    if (!search_settings_draw(settings)) return true;
    for (int i = 0; i < report->move_count; i++) {
        const MoveReport *move = &report->moves[i];
        if (move->point == POINT_PASS)
            return move->prior >= PASS_PRIOR || report->raw_lead - move->lead < PASS_LOSS;
    }
    return true;
}

Point level_choose(const SearchSettings *settings, const Report *report, Rng *rng) {
    double weights[MOVES_MAX], factor = loss_factor(settings, report), best_lead = -HUGE_VAL;
    Point best = report->gumbel           ? report->choice
                 : report->move_count > 0 ? report->moves[0].point
                                          : POINT_PASS;
    if (best == POINT_PASS && may_pass(settings, report)) return best;
    for (int i = 0; i < report->move_count; i++) {
        if (is_candidate(&report->moves[i]))
            best_lead = fmax(best_lead, (double)report->moves[i].lead);
    }
    bool any = false;
    for (int i = 0; i < report->move_count; i++) {
        const MoveReport *move = &report->moves[i];
        double loss = best_lead - (double)move->lead, temperature = settings->level.temperature;
        weights[i] = 0;
        if (!is_candidate(move) || loss > settings->level.loss_max * factor) continue;
        weights[i] = exp(-loss / (settings->level.loss_scale * factor));
        if (!search_settings_draw(settings))
            weights[i] *= pow((double)move->prior, 1 / temperature);
        any = any || weights[i] > 0;
    }
    return any ? report->moves[rng_pick(rng, weights, report->move_count)].point : best;
}

int level_set(double strength, SearchSettings *settings) {
    assert(strength >= 0 && strength <= 1);
    settings->level.loss_scale = 1000 * pow(0.00015, strength);
    settings->level.loss_max = 1000 * pow(0.001, strength);
    settings->level.temperature = 100 * pow(0.003, strength);
    settings->level.draw = true;
    settings->gumbel.on = true;
    settings->gumbel.considered = CONSIDERED;
    settings->gumbel.min_visits = 0;
    settings->gumbel.scale = 0;
    return (int)lround(CONSIDERED * pow(25, strength));
}
