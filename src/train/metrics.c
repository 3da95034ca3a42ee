#include "train/metrics.h"

#include <string.h>

/* The number of fields that are sums over rows: all fields before gradient_norm. The fields from
 * gradient_norm on belong to a step. */
enum { SUMS = offsetof(Metrics, gradient_norm) / sizeof(double) };

void metrics_add(Metrics *sums, const Metrics *more) {
    double totals[SUMS], added[SUMS];
    memcpy(totals, sums, sizeof totals);
    memcpy(added, more, sizeof added);
    for (int i = 0; i < SUMS; i++)
        totals[i] += added[i];
    memcpy(sums, totals, sizeof totals);
}

void metrics_divide(Metrics *sums) {
    double fields[SUMS], rows = sums->rows > 0 ? sums->rows : 1;
    memcpy(fields, sums, sizeof fields);
    for (int i = 1; i < SUMS; i++)
        fields[i] /= rows;
    memcpy(sums, fields, sizeof fields);
}

double metrics_value(const Metrics *metrics, const MetricField *field) {
    double value;
    memcpy(&value, (const char *)metrics + field->offset, sizeof value);
    return field->of_mean ? field->of_mean(value) : value;
}

void metrics_smooth(Metrics *mean, const Metrics *now, double weight) {
    enum { COUNT = sizeof *mean / sizeof(double) };
    double means[COUNT], values[COUNT];
    memcpy(means, mean, sizeof means);
    memcpy(values, now, sizeof values);
    if (!(mean->rows > 0)) weight = 1;
    for (int i = 0; i < COUNT; i++)
        means[i] += weight * (values[i] - means[i]);
    memcpy(mean, means, sizeof means);
    mean->rows = 1;
    mean->learning_rate = now->learning_rate;
}
