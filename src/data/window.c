#include "data/window.h"

#include <math.h>

const SettingsField WINDOW_FIELDS[] = {
    FIELD_INT64(
        WindowSettings, min, 250000, 1, 1e15,
        "up to this number of rows the window holds the whole run; then it grows more slowly",
        .source = "Wu 2019, appendix C", .former = "least"),
    FIELD_INT64(WindowSettings, taper, 0, 0, 1e15,
                "the larger, the later the growth of the window slows down: when the run has this "
                "many rows more than window.min, the window grows 2^(window.alpha - 1) times as "
                "fast as just above window.min; 0 stands for the value of window.min",
                .source = "KataGo, python/shuffle.py"),
    FIELD_DOUBLE(WindowSettings, alpha, 0.75, 0.01, 1, "exponent with which the window grows",
                 .source = "Wu 2019, appendix C"),
    FIELD_DOUBLE(WindowSettings, beta, 0.4, 0, 1,
                 "growth of the window just above window.min: how many rows it gains for each "
                 "new row",
                 .source = "Wu 2019, appendix C"),
    FIELD_BOOL(WindowSettings, random_capped, false,
               "for the size of the window, count at most window.min rows of random play",
               .source = "KataGo, python/shuffle.py"),
    {0},
};

int64_t window_rows(const WindowSettings *settings, int64_t usable_rows) {
    double c = (double)settings->min, alpha = settings->alpha, beta = settings->beta,
           s = (double)settings->taper, n = (double)usable_rows;
    if (n <= c) return usable_rows;
    if (!settings->taper) return (int64_t)(c * (1 + beta * (pow(n / c, alpha) - 1) / alpha));
    return (int64_t)(c + beta * s * (pow((n - c + s) / s, alpha) - 1) / alpha);
}

int64_t window_usable(const WindowSettings *settings, int64_t total_rows, int64_t random_rows) {
    int64_t excess = (random_rows < total_rows ? random_rows : total_rows) - settings->min;
    return settings->random_capped && excess > 0 ? total_rows - excess : total_rows;
}
