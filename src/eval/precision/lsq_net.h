/* lsq_net.h - nets that learn with the rounding of int8 (LSQ, nn/ops/lsq.h). Such a net has an op
 * weight_step after each layer that is to run in int8, and an op fake_quantize before it if the
 * activations that the layer reads have 8 bits. lsq_net_begin() makes such a net from an ordinary
 * net. After training, lsq_net_end() makes an ordinary net from it again; its quantisation for int8
 * has the learned steps of activations, and where activations have 15 bits, the learned steps of
 * weights.
 * Threading: free functions. */
#pragma once
#include "eval/precision/quantize.h"

/* Makes a net with these ops from `net`. The ops are added to the layers that quantize_net() would
 * let run in int8, except layers that use the weights of another layer. Each value that such layers
 * read in 8 bits gets one step and one zero point, which quantize_range() finds from activations on
 * the positions of `call`. Where a layer reads 15 bits (quantize_reads_15_bits()), its activations
 * are not rounded. The weights of each output channel get a step of their own. It begins as a
 * 127th of their largest absolute value or, if all these weights are 0, as a 127th of the usual
 * initial size. Sets `*layers` to the number of layers with these ops. Errors are those of
 * quantize_net(). ERR_ARGUMENT also means that the net already has such ops. */
MUST_USE Status lsq_net_begin(const Net *net, const QuantizeCall *call, Net **out, int *layers,
                              Error *err);
/* Makes a net that learns with the rounding of its weights to int4: an op weight_step follows each
 * layer that int4_round_net() rounds, with a step for each group of `group` weights. Activations
 * are not rounded. The steps begin as int4_scale() says or, if all weights of a group are 0, at a
 * seventh of the usual initial size. Sets `*layers` to the number of layers with this op. Errors
 * are those of int4_round_net(). ERR_ARGUMENT also means that the net already has such ops. */
MUST_USE Status lsq_net_begin_int4(const Net *net, int group, Net **out, int *layers, Error *err);
/* Whether the net has such ops. */
bool lsq_net_is(const Net *net);
/* Returns how many weights share a step if the net learns with int4, or 0 if it does not. */
int lsq_net_int4_group(const Net *net);
/* Makes the net without these ops, with the same weights and with the learned steps as its
 * quantisation for int8. With `winograd`, 3 x 3 convolutions may run by Winograd. Sets
 * `*layers` to the number of layers with a quantisation. ERR_UNSUPPORTED: there are none. */
MUST_USE Status lsq_net_end(const Net *net, bool winograd, Net **out, int *layers, Error *err);
/* Makes the net without these ops from a net that learned with int4. Its weights are rounded by the
 * learned steps, and a note says that they are to be packed when the net is saved. Sets `*layers`
 * to the number of layers with such weights. ERR_UNSUPPORTED: there are none. */
MUST_USE Status lsq_net_end_int4(const Net *net, Net **out, int *layers, Error *err);
