/* metrics.h - sums and means of the metrics of batches (losses.h). Threading: free functions. */
#pragma once
#include "train/losses.h"

void metrics_add(Metrics *sums, const Metrics *more);
void metrics_divide(Metrics *sums); /* sums to means */
double metrics_value(const Metrics *metrics, const MetricField *field);
/* Exponential smoothing:
 *     mean += weight * (now - mean)
 * The first time, when `mean` is {0}, it becomes `now`. */
void metrics_smooth(Metrics *mean, const Metrics *now, double weight);
