#include "data/window.h"

#include <math.h>

const ConfigField WINDOW_FIELDS[] = {
    FIELD_INT64(WindowSettings, least, 250000, 1, 1e15,
                "rows of the run before the window grows slower than the run",
                .source = "Wu 2019, appendix C"),
    FIELD_INT64(WindowSettings, taper, 0, 0, 1e15,
                "rows after which that growth slows down; 0: window.least",
                .source = "KataGo, python/shuffle.py"),
    FIELD_FLOAT(WindowSettings, alpha, 0.75, 0.01, 1, "power of its growth",
                .source = "Wu 2019, appendix C"),
    FIELD_FLOAT(WindowSettings, beta, 0.4, 0, 1, "growth where it begins, rows of window a new row",
                .source = "Wu 2019, appendix C"),
    FIELD_BOOL(
        WindowSettings, random_capped, false,
        "rows of random play count for window.least at most, where the window's size is found",
        .source = "KataGo, python/shuffle.py"),
    {0},
};

int64_t window_rows(const WindowSettings *config, int64_t usable_rows) {
    double c = (double)config->least, alpha = (double)config->alpha, beta = (double)config->beta,
           s = (double)config->taper, n = (double)usable_rows;
    if (n <= c) return usable_rows;
    if (!config->taper) return (int64_t)(c * (1 + beta * (pow(n / c, alpha) - 1) / alpha));
    return (int64_t)(c + beta * s * (pow((n - c + s) / s, alpha) - 1) / alpha);
}

int64_t window_usable(const WindowSettings *config, int64_t total_rows, int64_t random_rows) {
    int64_t beyond = (random_rows < total_rows ? random_rows : total_rows) - config->least;
    return config->random_capped && beyond > 0 ? total_rows - beyond : total_rows;
}
