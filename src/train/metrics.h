/* metrics.h - sums and means of Metrics, the losses and accuracies of batches (losses.h).
 * Threading: free functions. */
#pragma once
#include "train/losses.h"

void metrics_add(Metrics *sums, const Metrics *more);
void metrics_divide(Metrics *sums); /* turns sums over rows into means */
/* The metric as it is reported: the mean, or a function of it (MetricField.of_mean). */
double metrics_value(const Metrics *metrics, const MetricField *field);
/* Exponential smoothing:
 *     mean += weight * (now - mean)
 * for all metrics but the learning rate, which becomes that of `now`. If `mean` is {0}, as before
 * the first call, all of them become those of `now`. */
void metrics_smooth(Metrics *mean, const Metrics *now, double weight);
