/* lsq_net.h - nets that learn with the rounding of int8 (LSQ, nn/ops/lsq.h). Such a net has the op
 * fake_quantize before the layers that are to run in int8, and the op weight_step behind them. It
 * is made from an ordinary net by lsq_net_begin() and trained for a while. lsq_net_end() then makes
 * an ordinary net of it again, whose quantisation for int8 has the learned steps of activations.
 * Threading: free functions. */
#pragma once
#include "eval/precision/quantize.h"

/* Makes a net with these ops from `net`. They go to the layers that quantize_net() would let run in
 * int8, except those that use the weights of another layer. Each value that such layers read gets
 * one step and one zero point, which quantize_range() finds from activations on the positions of
 * `call`. The weights of each output channel get a step of their own, which begins as a 127th of
 * their largest absolute value, or as a 127th of the usual initial size if all of them are 0. Sets
 * `*layers` to the number of these layers. Errors are those of quantize_net(), and ERR_ARGUMENT:
 * the net has such ops already. */
MUST_USE Status lsq_net_begin(const Net *net, const QuantizeCall *call, Net **out, int *layers,
                              Error *err);
/* Whether the net has such ops. */
bool lsq_net_is(const Net *net);
/* Makes the net without these ops, with the same weights and with the learned steps of activations
 * as its quantisation for int8. With `winograd`, 3 x 3 convolutions may run by Winograd. Sets
 * `*layers` to the number of layers with a quantisation. ERR_UNSUPPORTED: there are none. */
MUST_USE Status lsq_net_end(const Net *net, bool winograd, Net **out, int *layers, Error *err);
