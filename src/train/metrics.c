#include "train/metrics.h"

#include <string.h>

/* The fields that are sums: all up to the first that belongs to a step. */
enum { SUMS = offsetof(Metrics, gradient_norm) / sizeof(double) };

void metrics_add(Metrics *sums, const Metrics *more) {
    double to[SUMS], from[SUMS];
    memcpy(to, sums, sizeof to);
    memcpy(from, more, sizeof from);
    for (int i = 0; i < SUMS; i++)
        to[i] += from[i];
    memcpy(sums, to, sizeof to);
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
    return value;
}

void metrics_smooth(Metrics *mean, const Metrics *now, double share) {
    if (!(mean->rows > 0)) share = 1;
    for (const MetricField *field = METRIC_FIELDS; field->name; field++) {
        double value = metrics_value(mean, field);
        value += share * (metrics_value(now, field) - value);
        memcpy((char *)mean + field->offset, &value, sizeof value);
    }
    mean->rows = 1;
    mean->learning_rate = now->learning_rate;
}
