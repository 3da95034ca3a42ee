/* utility.h - the utility of an outcome for White. It is the sum of a term for win, loss and no
 * result and of two terms for the score, which are expected values of an arctangent (Wu 2019,
 * section 4.2). Threading: free functions. */
#pragma once
#include "search/tree/search_settings.h"

/* The expected value of
 *     (2 / pi) atan((x - center) / (scale * board_scale))
 * for a normally distributed x with this mean and deviation, in points, by a table. board_scale is
 * the square root of the board's area. */
double utility_score(double mean, double deviation, double center, double scale,
                     double board_scale);
/* The derivative of that arctangent at x. */
double utility_score_slope(double x, double center, double scale, double board_scale);
typedef struct {
    double win_loss, no_result, score_mean, score_mean_sq;
} ValueForWhite;
double utility_of(const SearchSettings *settings, const ValueForWhite *value, double center,
                  double board_scale);
/* P(T <= z) of Student's t distribution with 3 degrees of freedom, by a table on -50 .. 50. */
double utility_t3(double z);
void utility_t3_all(double *values, int count); /* replaces each value by its utility_t3() */
/* Makes the tables. Otherwise the first use does so, and the 40 ms that this takes would count as
 * thinking time. */
void utility_prepare(void);
