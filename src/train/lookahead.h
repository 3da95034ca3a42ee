/* lookahead.h - slow weights that follow the fast ones, which the optimiser moves. Every k steps
 *     slow += alpha * (fast - slow)
 *     fast  = slow
 * Zhang et al. 2019, Lookahead Optimizer, algorithm 1; KataGo, python/train.py.
 * Threading: confined. */
#pragma once
#include "nn/graph/net.h"
#include "nn/graph/tensor_file.h"

typedef struct Lookahead Lookahead;
/* The slow weights start at those of `net`, whose program must outlive the result. `steps`: k, at
 * least 1; `alpha`: in (0, 1]. ERR_MEMORY. */
MUST_USE Status lookahead_new(const Net *net, int steps, double alpha, Lookahead **out, Error *err);
void lookahead_free(Lookahead *lookahead);
/* Sets the slow weights to those of `net`, a net of the same program, and starts to count anew. */
void lookahead_restart(Lookahead *lookahead, const Net *net);
/* To be called after each step of the optimiser. Returns true if the slow weights moved; the net
 * then has them. */
bool lookahead_step(Lookahead *lookahead, Net *net);
/* ERR_MEMORY. */
MUST_USE Status lookahead_save(const Lookahead *lookahead, TensorFile *file, Error *err);
/* ERR_SYNTAX: a weight is missing, or the saved count of steps is not below `steps`. On failure
 * some weights may already be restored. */
MUST_USE Status lookahead_restore(Lookahead *lookahead, const TensorFile *file, Error *err);
