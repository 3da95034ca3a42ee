/* statistic.h - running means, medians, confidence intervals. Threading: confined. */
#pragma once

typedef struct {
    double count, mean, sum_squares; /* sum_squares: sum of (value - mean)^2 */
} RunningMean;                       /* {0} is empty; Welford 1962 */
void running_mean_add(RunningMean *mean, double value);
/* The standard deviation, with divisor count - 1, or 0 if there are fewer than two values. */
double running_mean_deviation(const RunningMean *mean);
double median(double *values, int count); /* sorts the values; 0 if there are none */
typedef struct {
    double low, high;
} Interval;
/* Wilson's score interval of a proportion. z is half its width in standard deviations. Without
 * trials the interval is 0 to 1. */
Interval wilson_interval(double successes, double trials, double z);
/* The probability that T <= t, if T has Student's t distribution with `freedom` degrees of freedom
 * (Abramowitz and Stegun, 26.7.3 and 26.7.4). */
double student_probability(double t, int freedom);
/* The t that T exceeds with probability `tail`, which is in (0, 1/2). */
double student_quantile(double tail, int freedom);
/* The standard deviation sqrt(mean_square - mean^2), or 0 if rounding makes the difference
 * negative. */
double deviation_of(double mean, double mean_square);
/* Half the width of the confidence interval, by Student's t, for the mean of `count` values, which
 * have this mean and mean square. `count` is at least 2. The true mean is below the interval with
 * probability `tail`, and above the interval with the same probability. More than 1,000 degrees of
 * freedom are treated as 1,000. */
double student_half_width(double mean, double mean_square, int count, double tail);
