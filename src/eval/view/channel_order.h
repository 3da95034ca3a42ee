/* channel_order.h - an order of a net's channels in which similar channels lie side by side, for
 * pictures of weights (GoNN, visualize). The net itself does not change. Threading: immutable after
 * channel_order_new(). */
#pragma once
#include "nn/graph/net.h"
#include <stdint.h>

typedef struct ChannelOrder ChannelOrder;

/* Orders the channels of a net:
 * 1. Values whose channels belong together form a group. The trunk, for example, is a group,
 *    because all layers that add to it or read it share its channels. A group has one order. So the
 *    outputs of a layer and the inputs of the next layer have the same order in their pictures.
 * 2. For each convolution and dense layer, the root mean square over the kernel gives a matrix with
 *    a row for each output and a column for each input. Rows and columns are scaled to norm 1. The
 *    order of a group is good if the sum of the following distances is small: those between
 *    neighbouring rows of the layers that write the group, and those between neighbouring columns
 *    of the layers that read it.
 * 3. Simulated annealing improves the order, beginning with the order in the net. It makes 100,000
 *    random changes of each group, at a temperature that falls geometrically from 10^-0.5 to 10^-6.
 * Inputs and outputs of the net keep their order. Channels also keep their order if an op depends
 * on their places, such as the heads of an attention. The same seed gives the same order.
 * ERR_MEMORY. */
MUST_USE Status channel_order_new(const Net *net, uint64_t seed, ChannelOrder **out, Error *err);
void channel_order_free(ChannelOrder *order);

/* The sum of the distances over all groups: in the order of the net, and in the order that was
 * found. */
double channel_order_before(const ChannelOrder *order);
double channel_order_after(const ChannelOrder *order);
int channel_order_groups(const ChannelOrder *order); /* how many groups were ordered */

/* rows[i] is the row of a parameter at place i of its picture; `columns` likewise. NULL means: in
 * the order of the net. */
typedef struct {
    const int *rows, *columns;
} WeightOrder;
WeightOrder channel_order_of(const ChannelOrder *order, int parameter);
