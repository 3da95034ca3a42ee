#include "base/statistic.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

void running_mean_add(RunningMean *mean, double value) {
    mean->count += 1;
    double step = value - mean->mean;
    mean->mean += step / mean->count;
    mean->sum_squares += step * (value - mean->mean);
}

double running_mean_deviation(const RunningMean *mean) {
    return mean->count > 1 ? sqrt(mean->sum_squares / (mean->count - 1)) : 0;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median(double *values, int count) {
    if (count < 1) return 0;
    qsort(values, (size_t)count, sizeof *values, by_value);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

Interval wilson_interval(double successes, double trials, double z) {
    if (trials <= 0) return (Interval){0, 1};
    double p = successes / trials, z2 = z * z / trials;
    double center = (p + z2 / 2) / (1 + z2);
    double half = z / (1 + z2) * sqrt(p * (1 - p) / trials + z2 / (4 * trials));
    /* Without successes the lower end is exactly 0, and without failures the upper end is exactly
     * 1. Rounding would miss them. */
    return (Interval){successes <= 0 ? 0 : fmax(0, center - half),
                      successes >= trials ? 1 : fmin(1, center + half)};
}

double student_probability(double t, int freedom) {
    double angle = atan(t / sqrt(freedom)), cosine = cos(angle), sine = sin(angle), sum = 0;
    bool odd = freedom % 2;
    double term = odd ? cosine : 1;
    for (int k = odd ? 3 : 2; k <= freedom; k += 2) { /* up to cos^(freedom - 2) */
        sum += term;
        term *= cosine * cosine * (k - 1) / k;
    }
    double within = odd ? 2 / acos(-1.0) * (angle + sine * sum) : sine * sum;
    return 0.5 + within / 2;
}

double student_quantile(double tail, int freedom) {
    double low = 0, high = 1;
    while (1 - student_probability(high, freedom) > tail && high < 1e12)
        high *= 2;
    for (int round = 0; round < 100; round++) {
        double middle = (low + high) / 2;
        if (1 - student_probability(middle, freedom) > tail)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

double deviation_of(double mean, double mean_square) {
    return sqrt(fmax(0, mean_square - mean * mean));
}

double student_half_width(double mean, double mean_square, int count, double tail) {
    enum { MAX_FREEDOM = 1000 }; /* beyond it the quantile hardly changes */
    int freedom = count - 1 < MAX_FREEDOM ? count - 1 : MAX_FREEDOM;
    return student_quantile(tail, freedom) * deviation_of(mean, mean_square) /
           sqrt(fmax(1, count - 1));
}
