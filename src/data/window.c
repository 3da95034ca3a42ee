#include "data/window.h"

#include <math.h>

const ConfigField WINDOW_FIELDS[] = {
    FIELD_INT64(WindowConfig, least, 250000, 1, 1e15,
                "rows of the run before the window grows slower than the run",
                .source = "Wu 2019, appendix C"),
    FIELD_FLOAT(WindowConfig, alpha, 0.75, 0.01, 1, "power of its growth",
                .source = "Wu 2019, appendix C"),
    FIELD_FLOAT(WindowConfig, beta, 0.4, 0, 1, "growth where it begins, rows of window a new row",
                .source = "Wu 2019, appendix C"),
    {0},
};

int64_t window_rows(const WindowConfig *config, int64_t total_rows) {
    double c = (double)config->least, alpha = (double)config->alpha, beta = (double)config->beta,
           n = (double)total_rows;
    if (n <= c) return total_rows;
    return (int64_t)(c * (1 + beta * (pow(n / c, alpha) - 1) / alpha));
}
