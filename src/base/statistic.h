/* statistic.h - running means, medians, confidence intervals. Threading: confined. */
#pragma once

typedef struct {
    double count, mean, sum_squares; /* squares of the differences from the mean */
} RunningMean;                       /* {0} is empty; Welford 1962 */
void running_mean_add(RunningMean *mean, double value);
double running_mean_deviation(const RunningMean *mean); /* of the sample; 0 below two values */
double median(double *values, int count);               /* sorts the values; 0 if there are none */
typedef struct {
    double low, high;
} Interval;
/* Wilson's score interval of a proportion. z is half its width in standard deviations. */
Interval wilson_interval(double successes, double trials, double z);
/* Student's t distribution with `freedom` degrees of freedom (Abramowitz and Stegun, 26.7.3 and
 * 26.7.4): the probability that T <= t, and the t that T exceeds with probability `tail`, which is
 * in (0, 1/2). */
double student_probability(double t, int freedom);
double student_quantile(double tail, int freedom);
/* sqrt(E x^2 - (E x)^2); 0 where rounding makes the difference negative. */
double deviation_of(double mean, double mean_square);
/* Half the width of the confidence interval for the mean of `count` values, at least 2, by
 * Student's t. The true mean is beyond each end of the interval with probability `tail`. More than
 * 1,000 degrees of freedom are treated as 1,000. */
double student_half_width(double mean, double mean_square, int count, double tail);
