/* window.h - which rows a trainer draws from: the newest N_window of the run's rows. Up to c rows
 * the window holds all of them; above,
 *     N_window = c + beta * ((x / s)^alpha - 1) * s / alpha,   x = N_usable - c + s
 * With s = c this is the law of Wu 2019, appendix C; with another s it is that of KataGo,
 * python/shuffle.py. Threading: free functions. */
#pragma once
#include "base/settings.h"
#include <stdint.h>

typedef struct {
    int64_t min;   /* c: number of rows up to which the window holds the whole run */
    int64_t taper; /* s: the scale of the growth; 0: s = c */
    double alpha, beta;
    bool random_capped; /* at most c rows of random play are counted */
} WindowSettings;
extern const SettingsField WINDOW_FIELDS[];
int64_t window_rows(const WindowSettings *settings, int64_t usable_rows);
/* N_usable of a run with `total_rows` rows, `random_rows` of them from random play. */
int64_t window_usable(const WindowSettings *settings, int64_t total_rows, int64_t random_rows);
