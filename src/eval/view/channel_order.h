/* channel_order.h - an order of a net's channels in which similar channels lie side by side, for
 * pictures of weights (GoNN, visualize). The net itself does not change. Threading: immutable after
 * channel_order_new(). */
#pragma once
#include "nn/graph/net.h"
#include <stdint.h>

typedef struct ChannelOrder ChannelOrder;

/* Orders the channels of a net:
 * 1. Values whose channels belong together form a group: the trunk, for example, whose channels all
 *    layers that add to it or read it share. A group has one order, so that the outputs of one
 *    layer and the inputs of the next are in the same order in their pictures.
 * 2. For each convolution and dense layer, the root mean square over the kernel gives a matrix of
 *    outputs and inputs. A group wants a small sum of the distances between neighbouring rows,
 *    scaled to norm 1, over the layers whose outputs are the group, and between neighbouring
 *    columns, also scaled to norm 1, over the layers that read it.
 * 3. Simulated annealing from the order in the net: 100,000 random changes of each group, at a
 *    temperature that falls geometrically from 10^-0.5 to 10^-6.
 * Inputs and outputs of the net keep their order, and so do channels whose places mean something to
 * an op, such as the heads of an attention. The same seed gives the same order. ERR_MEMORY. */
MUST_USE Status channel_order_new(const Net *net, uint64_t seed, ChannelOrder **out, Error *err);
void channel_order_free(ChannelOrder *order);

/* The sum of the distances in the order of the net and in this one, over all groups. */
double channel_order_before(const ChannelOrder *order);
double channel_order_after(const ChannelOrder *order);
int channel_order_groups(const ChannelOrder *order); /* how many groups were ordered */

/* Which row and which column of a parameter comes at each place of its picture. NULL means: in the
 * order of the net. */
typedef struct {
    const int *rows, *columns;
} WeightOrder;
WeightOrder channel_order_of(const ChannelOrder *order, int parameter);
