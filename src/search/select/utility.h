/* utility.h - what an outcome is worth: win and loss, and the score through an arctangent (Wu 2019,
 * section 4.2). White's view. Threading: free functions. */
#pragma once
#include "search/tree/search_settings.h"

/* Expected (2 / pi) atan((x - center) / (scale * board_scale)) for x normal with this mean and deviation,
 * by a table. `board_scale`: sqrt of the area. */
double utility_score(double mean, double deviation, double center, double scale,
                     double board_scale);
/* Derivative by x of (2 / pi) atan((x - center) / (scale * board_scale)). */
double utility_score_slope(double x, double center, double scale, double board_scale);
typedef struct {
    double win_loss, no_result, score_mean, score_mean_sq;
} ValueForWhite;
double utility_of(const SearchSettings *settings, const ValueForWhite *value, double center,
                  double board_scale);
/* P(T <= z) of Student's t with 3 degrees of freedom, by a table on -50..50. */
double utility_t3(double z);
void utility_t3_all(double *values, int count); /* in place */
/* Makes the tables, which the first use would do: 40 ms that no clock should see. */
void utility_prepare(void);
