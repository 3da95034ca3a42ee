/* infer_plan_cache.h - a cache of packed plans (infer_packed.h). When many threads run one net on
 * one board size, its plan and its packed weights are in memory only once. The plans are kept in
 * the cache of the net (net_cache.h). The key of a plan consists of the program, the values and the
 * quantisation of the net, the board size and the precision.
 * Threading: shared; while one thread makes a plan, other threads that want a plan of the same
 * cache have to wait. */
#pragma once
#include "nn/backends/backend.h"
#include "nn/graph/net.h"
#include "nn/infer/infer_packed.h"

/* Finds or makes a plan, which the caller must release. Errors are those of plan_new() and of
 * infer_int8_rows_weights(). */
MUST_USE Status plan_cache_acquire(const Net *net, int height, int width, Precision precision,
                                   PackedPlan **out, Error *err);
void plan_cache_release(PackedPlan *packed); /* NULL is fine */
int plan_cache_count(const Net *net);        /* plans that the cache of the net holds */
