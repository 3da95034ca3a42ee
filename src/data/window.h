/* window.h - which rows a trainer draws from: the newest N_window of N_total,
 *     N_window = c + beta * ((x / s)^alpha - 1) * s / alpha,   x = N_usable - c + s
 * above c rows, all of them up to there. With s = c it is the law of Wu 2019, appendix C; with s of
 * its own that of KataGo, python/shuffle.py. Threading: free functions. */
#pragma once
#include "base/settings.h"
#include <stdint.h>

typedef struct {
    int64_t least; /* c: rows before it grows slower than the run */
    int64_t taper; /* s: scale of its growth; 0: c */
    float alpha, beta;
    bool random_capped; /* rows of random play count for c at most */
} WindowSettings;
extern const ConfigField WINDOW_FIELDS[];
int64_t window_rows(const WindowSettings *config, int64_t usable_rows);
/* N_usable: all rows, of which so many are of random play. */
int64_t window_usable(const WindowSettings *config, int64_t total_rows, int64_t random_rows);
