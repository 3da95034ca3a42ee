/* window.h - the size of the window: the newest rows of a run, from which training draws.
 * While N_usable is at most c, the window holds N_usable rows. After that it holds
 *     N_window = c + beta * ((x / s)^alpha - 1) * s / alpha,   x = N_usable - c + s
 * rows. N_usable is the number of the run's rows that window_usable() counts. c, s, alpha and beta
 * are settings. With s = c this is the law of Wu 2019, appendix C. With another s it is the law of
 * KataGo, python/shuffle.py.
 * Threading: free functions. */
#pragma once
#include "base/settings.h"
#include <stdint.h>

typedef struct {
    int64_t min;   /* c, the number of rows up to which the window holds the whole run */
    int64_t taper; /* s, in rows: the larger s is, the later the growth slows down; 0 means s = c */
    double alpha, beta;
    bool random_capped; /* at most c rows of random play are counted */
} WindowSettings;
extern const SettingsField WINDOW_FIELDS[];
/* Returns N_window for N_usable = usable_rows. */
int64_t window_rows(const WindowSettings *settings, int64_t usable_rows);
/* Returns N_usable of a run with `total_rows` rows, of which `random_rows` are from random play. */
int64_t window_usable(const WindowSettings *settings, int64_t total_rows, int64_t random_rows);
