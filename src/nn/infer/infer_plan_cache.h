/* infer_plan_cache.h - what executors of one net on one board have in common: its plan, and weights
 * as the kernels want them. Kept in the cache of the net (net_cache.h), and found there by the
 * net's program, values and scales, so that many threads keep it once. Threading: shared; who asks
 * while another prepares waits. */
#pragma once
#include "nn/backends/backend.h"
#include "nn/graph/net.h"
#include "nn/infer/infer_packed.h"

/* To be released. Errors are those of plan_new(). */
MUST_USE Status plan_cache_acquire(const Net *net, int height, int width, Precision precision,
                                   PackedPlan **out, Error *err);
void plan_cache_release(PackedPlan *packed); /* NULL is fine */
int plan_cache_count(const Net *net);        /* how many the cache of the net holds */
