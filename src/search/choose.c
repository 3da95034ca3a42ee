#include "search/choose.h"
#include "search/root_policy.h"
#include <math.h>

double choose_temperature(const SearchSettings *settings, int turn, int area) {
    return interpolate_early((double)settings->temperature, (double)settings->temperature_early,
                             (double)settings->temperature_halflife, turn, sqrt((double)area));
}

Point choose_move(const Report *report, double temperature, bool plain, Rng *rng) {
    double weights[MOVES_MAX], most = 0;
    int best = -1;
    bool sampled = report->choice_by_temperature && temperature > 1e-4;
    if (report->gumbel && !sampled) return report->choice;
    for (int i = 0; i < report->move_count; i++) {
        weights[i] = (double)(plain ? report->moves[i].plain_weight : report->moves[i].weight);
        if (weights[i] <= most) continue;
        most = weights[i];
        best = i;
    }
    if (best < 0) return report->move_count ? report->moves[0].point : POINT_PASS;
    if (temperature <= 1e-4) return report->moves[best].point;
    for (int i = 0; i < report->move_count; i++)
        weights[i] = weights[i] > 0 ? pow(weights[i] / most, 1 / temperature) : 0;
    return report->moves[rng_pick(rng, weights, report->move_count)].point;
}
