/* statistic.h - running means, medians, binomial intervals. Threading: confined. */
#pragma once

typedef struct {
    double count, mean, sum_squares;
} RunningMean; /* {0} is empty; Welford */
void running_mean_add(RunningMean *mean, double value);
double running_mean_deviation(const RunningMean *mean);
double median(double *values, int count); /* sorts them; 0 of none */
typedef struct {
    double low, high;
} Interval;
Interval wilson_interval(double successes, double trials,
                         double z); /* score interval of a proportion */
/* Student's t with a whole number of degrees of freedom: P(T <= t) (Abramowitz and Stegun, 26.7.3
 * and 26.7.4), and the t that is exceeded with probability `tail` in (0, 1/2). */
double student_probability(double t, int freedom);
double student_quantile(double tail, int freedom);
/* sqrt(E x^2 - (E x)^2); 0 where rounding makes it negative. */
double deviation_of(double mean, double mean_square);
/* How far the mean of `count` (at least 2) values may be off but for `tail` on each side, by
 * Student's t; beyond 1,000 values as for so many. */
double student_radius(double mean, double mean_square, int count, double tail);
