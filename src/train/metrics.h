/* metrics.h - sums and means of what training tells of a batch. Threading: free functions. */
#pragma once
#include "train/losses.h"

void metrics_add(Metrics *sums, const Metrics *more);
void metrics_divide(Metrics *sums); /* sums to means */
double metrics_value(const Metrics *metrics, const MetricField *field);
/* Each mean goes the fraction `share` of the way to that of `now`; the first time, when `mean` is
 * {0}, all of it. */
void metrics_smooth(Metrics *mean, const Metrics *now, double share);
