#include "data/focus.h"

#include <math.h>

#include "data/rows/row.h"

double focus_probability(const FocusSettings *settings, const float *targets) {
    const float *found = targets + TARGET_SEARCH;
    double away = fabs((double)(found[0] - found[1] - targets[TARGET_NET_WIN_LOSS])),
           divergence = (double)targets[TARGET_SURPRISE], q = settings->value_weight;
    if (settings->kind == FOCUS_OFF || !(row_search_weight(targets) > 0)) return 1;
    if (settings->kind == FOCUS_DIFF) {
        if (!(divergence > 0)) return 1;
        away = (q * away + divergence) / (q + settings->policy_scale);
    }
    return fmin(settings->min + settings->slope * away, 1);
}
