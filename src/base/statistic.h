/* statistic.h - running means, medians, confidence intervals. Threading: confined. */
#pragma once

typedef struct {
    double count, mean, sum_squares; /* of the differences from the mean */
} RunningMean;                       /* {0} is empty; Welford 1962 */
void running_mean_add(RunningMean *mean, double value);
double running_mean_deviation(const RunningMean *mean); /* of the sample; 0 for fewer than two */
double median(double *values, int count);               /* sorts them; 0 if there are none */
typedef struct {
    double low, high;
} Interval;
/* Wilson's score interval of a proportion; z: half its width in standard deviations. */
Interval wilson_interval(double successes, double trials, double z);
/* Student's t distribution with a whole number of degrees of freedom (Abramowitz and Stegun, 26.7.3
 * and 26.7.4): P(T <= t), and the t that is exceeded with probability `tail` in (0, 1/2). */
double student_probability(double t, int freedom);
double student_quantile(double tail, int freedom);
/* sqrt(E x^2 - (E x)^2); 0 where rounding makes the difference negative. */
double deviation_of(double mean, double mean_square);
/* Half the width of the confidence interval of the mean of `count` (at least 2) values: the true
 * mean is beyond each end with probability `tail`, by Student's t. More than 1,000 degrees of
 * freedom count as 1,000. */
double student_half_width(double mean, double mean_square, int count, double tail);
