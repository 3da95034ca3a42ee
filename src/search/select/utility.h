/* utility.h - the utility of an outcome for White. It is the sum of three terms: one for win, loss
 * and no result, and two for the score. The terms for the score are expected values of an
 * arctangent (Wu 2019, section 4.2). Threading: free functions. */
#pragma once
#include "search/tree/search_settings.h"

/* The expected value of
 *     (2 / pi) atan((x - center) / (scale * board_scale))
 * for a normally distributed x with this mean and deviation, in points. The function looks the
 * value up in a table. board_scale is the square root of the board's area. */
double utility_score(double mean, double deviation, double center, double scale,
                     double board_scale);
/* The derivative of that arctangent at x. */
double utility_score_slope(double x, double center, double scale, double board_scale);
typedef struct {
    double win_loss, no_result, score_mean, score_mean_sq;
} ValueForWhite;
double utility_of(const SearchSettings *settings, const ValueForWhite *value, double center,
                  double board_scale);
/* P(T <= z) of Student's t distribution with 3 degrees of freedom, from a table for z from -50 to
 * 50. */
double utility_t3(double z);
void utility_t3_all(double *values, int count); /* replaces each value by its utility_t3() */
/* Makes the tables. This takes 40 ms. Without this call the first use makes the tables, and these
 * 40 ms count as thinking time. */
void utility_prepare(void);
