/* lookahead.h - slow weights that follow the fast weights. The fast weights are those of the net,
 * which the optimiser changes. After every k steps of the optimiser
 *     slow += alpha * (fast - slow)
 *     fast  = slow
 * Zhang et al. 2019, Lookahead Optimizer, algorithm 1; KataGo, python/train.py.
 * Threading: confined. */
#pragma once
#include "nn/graph/net.h"
#include "nn/graph/tensor_file.h"

typedef struct Lookahead Lookahead;
/* Makes slow weights that start at the weights of `net`. The program of `net` must outlive the
 * result. `steps` is k, at least 1. `alpha` is in (0, 1]. ERR_MEMORY. */
MUST_USE Status lookahead_new(const Net *net, int steps, double alpha, Lookahead **out, Error *err);
void lookahead_free(Lookahead *lookahead);
/* Sets the slow weights to the weights of `net`, a net of the same program. The count of steps
 * starts at 0 again. */
void lookahead_restart(Lookahead *lookahead, const Net *net);
/* Call this after each step of the optimiser. Every k-th call moves the slow weights, copies them
 * to the net and returns true. */
bool lookahead_step(Lookahead *lookahead, Net *net);
/* Adds the slow weights to a checkpoint. ERR_MEMORY. */
MUST_USE Status lookahead_save(const Lookahead *lookahead, TensorFile *file, Error *err);
/* Reads the slow weights from a checkpoint. On failure some weights may already be restored.
 * ERR_SYNTAX: a weight is missing or not finite, or the saved count of steps is not below k. */
MUST_USE Status lookahead_restore(Lookahead *lookahead, const TensorFile *file, Error *err);
