/* metrics.h - sums and means of Metrics, the losses and accuracies of batches (losses.h).
 * Threading: free functions. */
#pragma once
#include "train/losses/losses.h"

void metrics_add(Metrics *sums, const Metrics *more);
void metrics_divide(Metrics *sums); /* turns sums over rows into means */
/* Returns the metric as it is reported: the mean, or a function of the mean
 * (MetricField.of_mean). */
double metrics_value(const Metrics *metrics, const MetricField *field);
/* Smooths all metrics exponentially:
 *     mean += weight * (now - mean)
 * The learning rate is not smoothed, but copied from `now`. If `mean` is {0}, as before the first
 * call, all metrics are copied from `now`. */
void metrics_smooth(Metrics *mean, const Metrics *now, double weight);
