#include "eval/view/channel_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { CHANGES = 100000, CHANNELS_MAX = 4096 };

/* A group is a set of values whose channels are put into the same order (see channel_order_new()).
 * The channels of a value are the channels of its group, or several copies of these channels, one
 * copy after another. Pooling by mean and maximum makes two copies, for example. */
typedef struct {
    int parent; /* the parent in a tree of values that form one group; a value that is its own
                 * parent stands for the group */
    int copies;
} Channels;

typedef struct {
    int channels;     /* number of channels of one copy; 0 if no group has this index */
    bool fixed;       /* keeps the order of the net */
    int *order;       /* NULL if fixed */
    double *distance; /* (channels, channels), while the group is ordered */
} Group;

typedef struct {
    int *rows, *columns; /* owned; NULL: the order of the net */
} ParameterOrder;

struct ChannelOrder {
    const Net *net;
    Channels *values;
    Group *groups; /* by the value that stands for the group */
    ParameterOrder *parameters;
    int value_count, parameter_count, ordered;
    double before, after;
};

/* Whether channel i of the output depends only on channel i of each input and on the op's weights
 * for channel i. */
static bool keeps_channels(const Op *op) {
    static const OpKind KINDS[] = {OP_SCALE,         OP_BIAS,     OP_BATCH_NORM,  OP_ACTIVATION,
                                   OP_ADD,           OP_MASK,     OP_MULTIPLY,    OP_ADD_BROADCAST,
                                   OP_MUL_BROADCAST, OP_RMS_NORM, OP_SIGMOID,     OP_PRELU,
                                   OP_LAYER_NORM,    OP_POINTS,   OP_CHAIN_POOL,  OP_SOFTPLUS,
                                   OP_PLACE_GATE,    OP_DROPOUT,  OP_WEIGHT_STEP, OP_FAKE_QUANTIZE};
    if (op->kind == OP_WEIGHT_STEP && op->group > 1)
        return false; /* groups of int4 stay together */
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if (op->kind == KINDS[i]) return true;
    return false;
}

static bool has_matrix(const Op *op) {
    return op->kind == OP_CONV || op->kind == OP_DENSE;
}

static bool copies_channels(const Op *op) {
    return op->kind == OP_GLOBAL_POOL || op->kind == OP_CRELU;
}

static int group_of(const ChannelOrder *order, Value value) {
    int at = value;
    while (order->values[at].parent != at)
        at = order->values[at].parent;
    return at;
}

static Group *group_at(const ChannelOrder *order, Value value) {
    return &order->groups[group_of(order, value)];
}

/* Makes one group of the groups of two values. Values with different numbers of copies keep their
 * order. */
static void unite(ChannelOrder *order, Value a, Value b) {
    int x = group_of(order, a), y = group_of(order, b);
    bool fixed = order->groups[x].fixed || order->groups[y].fixed ||
                 order->groups[x].channels != order->groups[y].channels ||
                 order->values[a].copies != order->values[b].copies;
    if (x != y) order->values[x > y ? x : y].parent = x > y ? y : x;
    order->groups[x > y ? y : x].fixed = fixed;
}

/* Puts the output of an op into a group. */
static void place_value(ChannelOrder *order, const Program *program, Value value) {
    const Op *op = program_op(program, value);
    Value first = op->inputs[0];
    order->values[value] = (Channels){value, 1};
    order->groups[value] = (Group){.channels = op->channels, .fixed = op->channels > CHANNELS_MAX};
    if (copies_channels(op) && op->channels % program_op(program, first)->channels == 0) {
        order->values[value] =
            (Channels){group_of(order, first), op->channels / program_op(program, first)->channels *
                                                   order->values[first].copies};
    } else if (keeps_channels(op)) {
        order->values[value] = (Channels){group_of(order, first), order->values[first].copies};
        if (op->inputs[1] >= 0) unite(order, value, op->inputs[1]);
    } else if (has_matrix(op)) {
        if (op->weights_of) {
            unite(order, value, op->weights_of);
            unite(order, first, program_op(program, op->weights_of)->inputs[0]);
        }
    } else { /* the op may depend on the places of its channels */
        group_at(order, value)->fixed = true;
        for (int i = 0; i < 2; i++)
            if (op->inputs[i] >= 0) group_at(order, op->inputs[i])->fixed = true;
    }
}

static void find_groups(ChannelOrder *order, const Program *program) {
    for (Value v = 0; v < order->value_count; v++)
        place_value(order, program, v);
    for (int i = 0; i < program_output_count(program); i++)
        group_at(order, program_output_value(program, i))->fixed = true;
}

/* Writes a layer's weights as a matrix of `outputs` rows and `inputs` columns. An element is the
 * root mean square over the kernel from this input to this output. */
static void fill_matrix(const ParameterSpec *spec, const float *weights, double *out) {
    size_t inputs = (size_t)spec->dims[spec->rank - 1], outputs = (size_t)spec->dims[0];
    size_t places = spec->count / (inputs * outputs);
    for (size_t row = 0; row < outputs; row++) {
        for (size_t column = 0; column < inputs; column++) {
            double sum = 0;
            for (size_t place = 0; place < places; place++) {
                double w = (double)weights[(row * places + place) * inputs + column];
                sum += w * w;
            }
            out[row * inputs + column] = sqrt(sum / (double)places);
        }
    }
}

/* Adds the distances between `count` vectors of `length` numbers, each scaled to norm 1. Number k
 * of vector i is at[i * step + k * stride]. */
static Status add_distances(const double *at, int count, size_t step, int length, size_t stride,
                            double *distance, Error *err) {
    double *vectors;
    Status status = mem_new((size_t)count * (size_t)length, sizeof *vectors, &vectors, err);
    if (status) return status;
    for (int i = 0; i < count; i++) {
        double *vector = vectors + (size_t)i * (size_t)length, squares = 0;
        for (int k = 0; k < length; k++) {
            vector[k] = at[(size_t)i * step + (size_t)k * stride];
            squares += vector[k] * vector[k];
        }
        for (int k = 0; k < length && squares > 0; k++)
            vector[k] /= sqrt(squares);
    }
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) {
            const double *x = vectors + (size_t)i * (size_t)length,
                         *y = vectors + (size_t)j * (size_t)length;
            double sum = 0;
            for (int k = 0; k < length; k++)
                sum += (x[k] - y[k]) * (x[k] - y[k]);
            distance[i * count + j] += sqrt(sum);
            distance[j * count + i] = distance[i * count + j];
        }
    }
    free(vectors);
    return OK;
}

/* Adds to `distance` of the group at `root` the distances between channels that one layer gives. */
static Status add_layer(const ChannelOrder *order, Value value, int root, Error *err) {
    const Program *program = net_program(order->net);
    const Op *op = program_op(program, value);
    Group *group = &order->groups[root];
    if (!has_matrix(op) || op->weights_of || op->parameters[0] < 0) return OK;
    bool writes = group_of(order, value) == root, reads = group_of(order, op->inputs[0]) == root;
    if (!writes && !reads) return OK;
    const ParameterSpec *spec = program_parameter(program, op->parameters[0]);
    int inputs = spec->dims[spec->rank - 1], outputs = spec->dims[0], size = group->channels;
    double *matrix;
    Status status = mem_new((size_t)inputs * (size_t)outputs, sizeof *matrix, &matrix, err);
    if (status) return status;
    fill_matrix(spec, net_values_const(order->net, op->parameters[0]), matrix);
    if (writes)
        status = add_distances(matrix, outputs, (size_t)inputs, inputs, 1, group->distance, err);
    for (int copy = 0; reads && copy < inputs / size && !status; copy++)
        status = add_distances(matrix + copy * size, size, 1, outputs, (size_t)inputs,
                               group->distance, err);
    free(matrix);
    return status;
}

static double path_length(const Group *group) {
    double sum = 0;
    for (int i = 0; i + 1 < group->channels; i++)
        sum += group->distance[group->order[i] * group->channels + group->order[i + 1]];
    return sum;
}

/* The distance between the channels at two places; 0 beyond the ends. */
static double gap(const Group *group, int a, int b) {
    if (a < 0 || b >= group->channels) return 0;
    return group->distance[group->order[a] * group->channels + group->order[b]];
}

static void reverse(int *order, int from, int to) {
    for (; from < to; from++, to--) {
        int kept = order[from];
        order[from] = order[to];
        order[to] = kept;
    }
}

/* Simulated annealing of a path through all channels. A change reverses the part of the path
 * between two places. So it changes only two distances. */
static void anneal(Group *group, Rng *rng) {
    double temperature = pow(10, -0.5), factor = pow(10, -5.5 / CHANGES);
    for (int i = 0; i < CHANGES; i++, temperature *= factor) {
        int from = rng_below(rng, group->channels), to = rng_below(rng, group->channels);
        if (from == to) continue;
        if (from > to) {
            int kept = from;
            from = to;
            to = kept;
        }
        double change = gap(group, from - 1, to) + gap(group, from, to + 1) -
                        gap(group, from - 1, from) - gap(group, to, to + 1);
        if (change <= 0 || rng_uniform(rng) < exp(-change / temperature))
            reverse(group->order, from, to);
    }
}

static Status order_group(ChannelOrder *order, int root, Rng *rng, Error *err) {
    Group *group = &order->groups[root];
    size_t size = (size_t)group->channels;
    Status status = mem_new(size, sizeof *group->order, &group->order, err);
    if (!status) status = mem_new(size * size, sizeof *group->distance, &group->distance, err);
    for (Value v = 0; v < order->value_count && !status; v++)
        status = add_layer(order, v, root, err);
    if (status) return status;
    for (int i = 0; i < group->channels; i++)
        group->order[i] = i;
    double before = path_length(group);
    anneal(group, rng);
    double after = path_length(group);
    if (after > before) {
        for (int i = 0; i < group->channels; i++)
            group->order[i] = i;
        after = before;
    }
    order->before += before;
    order->after += after;
    order->ordered++;
    free(group->distance);
    group->distance = NULL;
    return OK;
}

/* Sets *out to the order of the channels of a value, copy by copy, or to NULL if it is the order of
 * the net. */
static Status make_order(const ChannelOrder *order, Value value, int count, int **out, Error *err) {
    const Group *group = group_at(order, value);
    *out = NULL;
    if (!group->order || count % group->channels) return OK;
    Status status = mem_new((size_t)count, sizeof **out, out, err);
    for (int i = 0; i < count && !status; i++)
        (*out)[i] = i / group->channels * group->channels + group->order[i % group->channels];
    return status;
}

/* The rows of a layer's weights are its outputs and the columns its inputs. Parameters of ops
 * without a matrix have one number for each channel, and the channels are the columns. */
static Status order_parameters(ChannelOrder *order, Error *err) {
    const Program *program = net_program(order->net);
    Status status = OK;
    for (Value v = 0; v < order->value_count && !status; v++) {
        const Op *op = program_op(program, v);
        for (int i = 0; i < 4 && op->parameters[i] >= 0 && !op->weights_of && !status; i++) {
            const ParameterSpec *spec = program_parameter(program, op->parameters[i]);
            ParameterOrder *out = &order->parameters[op->parameters[i]];
            int last = spec->rank ? spec->dims[spec->rank - 1] : 0;
            if (has_matrix(op)) {
                status = make_order(order, v, spec->dims[0], &out->rows, err);
                if (!status) status = make_order(order, op->inputs[0], last, &out->columns, err);
            } else if (keeps_channels(op) && spec->rank <= 2 && last == op->channels) {
                status = make_order(order, v, last, &out->columns, err);
            }
        }
    }
    return status;
}

Status channel_order_new(const Net *net, uint64_t seed, ChannelOrder **out, Error *err) {
    const Program *program = net_program(net);
    Rng rng = rng_seeded(seed);
    ChannelOrder *order;
    *out = NULL;
    Status status = mem_new(1, sizeof *order, &order, err);
    if (status) return status;
    order->net = net;
    order->value_count = program_op_count(program);
    order->parameter_count = program_parameter_count(program);
    status = mem_new((size_t)order->value_count, sizeof *order->values, &order->values, err);
    if (!status)
        status = mem_new((size_t)order->value_count, sizeof *order->groups, &order->groups, err);
    if (!status)
        status = mem_new((size_t)order->parameter_count, sizeof *order->parameters,
                         &order->parameters, err);
    if (!status) find_groups(order, program);
    for (Value v = 0; v < order->value_count && !status; v++) {
        const Group *group = &order->groups[v];
        if (group_of(order, v) == v && !group->fixed && group->channels > 2)
            status = order_group(order, v, &rng, err);
    }
    if (!status) status = order_parameters(order, err);
    if (status) {
        channel_order_free(order);
        return status;
    }
    *out = order;
    return OK;
}

void channel_order_free(ChannelOrder *order) {
    if (!order) return;
    for (int i = 0; order->groups && i < order->value_count; i++) {
        free(order->groups[i].order);
        free(order->groups[i].distance);
    }
    for (int i = 0; order->parameters && i < order->parameter_count; i++) {
        free(order->parameters[i].rows);
        free(order->parameters[i].columns);
    }
    free(order->parameters);
    free(order->groups);
    free(order->values);
    free(order);
}

double channel_order_before(const ChannelOrder *order) {
    return order->before;
}

double channel_order_after(const ChannelOrder *order) {
    return order->after;
}

int channel_order_groups(const ChannelOrder *order) {
    return order->ordered;
}

WeightOrder channel_order_of(const ChannelOrder *order, int parameter) {
    const ParameterOrder *of = &order->parameters[parameter];
    return (WeightOrder){of->rows, of->columns};
}
