/* How a program becomes a plan:
 *   1. count_uses(): count the readers of each value. Ops that no output needs are left out.
 *   2. merge_convs(): if a sum adds two convolutions of the same input and one of them can compute
 *      the whole sum, leave out the other.
 *   3. lower_op(): turn each op, in order, into a step, or fold it into the step that made its
 *      input. The table LOWER has the function for each op that has a fast step; any other op
 *      becomes a step that runs its definition.
 *   4. plan_choose_winograd(): choose which convolutions run by Winograd.
 *   5. plan_choose_stores(): choose which values are stored in bf16 or int8, and add steps that
 *      round where readers want different types.
 *   6. set_order(): sort the steps so that each one runs after those whose values it reads.
 *   7. plan_place(): give each step a place in one buffer. */
#include "nn/infer/infer_lower.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "nn/infer/infer_memory.h"
#include "nn/infer/infer_stores.h"
#include "nn/infer/winograd/infer_winograd_choice.h"
#include "nn/ops/attention/attention_shape.h"

/* The state of lowering: which step makes each value, and how many readers the value has. */
typedef struct {
    const Net *net;
    const Program *program;
    Plan *plan;
    int *uses;         /* by value: how many outputs and needed ops read it */
    int *maker;        /* by value: the step that makes it */
    int next_position; /* the next Step.position */
} Lowering;

/* Counts the uses of each value. A value that no output needs has no uses, and its op is not
 * lowered. */
static void count_uses(Lowering *lowering) {
    const Program *program = lowering->program;
    for (int i = 0; i < program_output_count(program); i++) {
        lowering->uses[program_output_value(program, i)]++;
    }
    for (Value v = program_op_count(program) - 1; v >= 0; v--) {
        const Op *op = program_op(program, v);
        for (int k = 0; lowering->uses[v] && k < 2; k++) {
            if (op->inputs[k] >= 0) lowering->uses[op->inputs[k]]++;
        }
    }
}

/* Finds sums of two convolutions of the same value where one convolution has all taps of the other
 * convolution. A net has such sums if it was trained with a 1 x 1 convolution beside a wider
 * convolution. The narrower convolution then counts as not used, and lower_add() adds its weights
 * to the weights of the wider convolution. */
static void merge_convs(Lowering *lowering) {
    const Program *program = lowering->program;
    int *uses = lowering->uses;
    for (Value v = 0; v < program_op_count(program); v++) {
        const Op *sum = program_op(program, v);
        if (!uses[v] || sum->kind != OP_ADD) continue;
        const Op *a = program_op(program, sum->inputs[0]), *b = program_op(program, sum->inputs[1]);
        if (a->kind != OP_CONV || b->kind != OP_CONV || a->inputs[0] != b->inputs[0] ||
            uses[sum->inputs[0]] != 1 || uses[sum->inputs[1]] != 1)
            continue;
        int narrow = op_conv_covers(a, b) ? 1 : op_conv_covers(b, a) ? 0 : -1;
        if (narrow < 0) continue;
        uses[sum->inputs[narrow]] = 0;
        uses[a->inputs[0]]--;
    }
}

static Step *add_step(Lowering *lowering, StepKind kind, const Op *op, int input) {
    Plan *plan = lowering->plan;
    Step *step = &plan->steps[plan->count++];
    *step = (Step){.kind = kind,
                   .op = -1,
                   .inputs = {input, -1},
                   .fused.residual = -1,
                   .fused.vector_add = -1,
                   .fused.vector_mul = -1,
                   .shape = op->shape,
                   .channels = op->channels,
                   .rows = op->rows,
                   .position = lowering->next_position++};
    return step;
}

/* Remembers that this step makes the value. The op of the first such value becomes Step.op. */
static Status made_by(Lowering *lowering, Value v, Step *step) {
    if (step->op < 0) step->op = v;
    lowering->maker[v] = (int)(step - lowering->plan->steps);
    return OK;
}

/* Returns the step that makes x if the next op can be fused into it: x has only one reader, and the
 * step is of a kind that can apply more to its output. Otherwise returns NULL. */
static Step *extendable(const Lowering *lowering, Value x) {
    if (lowering->uses[x] != 1) return NULL;
    Step *step = &lowering->plan->steps[lowering->maker[x]];
    bool kind =
        step->kind == STEP_CONV || step->kind == STEP_DENSE || step->kind == STEP_ELEMENTWISE;
    return kind ? step : NULL;
}

/* Like extendable(), but also returns NULL if the step already applies more than an affine map to
 * its result. */
static Step *linear(const Lowering *lowering, Value x) {
    Step *step = extendable(lowering, x);
    if (!step || step->activation != ACTIVATION_IDENTITY || step->mask ||
        step->fused.residual >= 0 || step->fused.vector_add >= 0) {
        return NULL;
    }
    return step;
}

static Step *elementwise(Lowering *lowering, const Op *op, Value x) {
    return add_step(lowering, STEP_ELEMENTWISE, op, lowering->maker[x]);
}

/* Folds y = y * gain + shift into a step; gain NULL means 1, shift NULL means 0. If the step has
 * weights, they are multiplied by the gain. */
static Status fold_affine(Step *step, const float *gain, const float *shift, Error *err) {
    size_t channels = (size_t)step->channels;
    if (!step->bias) {
        Status status = mem_new_aligned(channels, sizeof(float), &step->bias, err);
        if (status) return status;
    }
    bool weighted = step->kind != STEP_ELEMENTWISE;
    if (gain && !weighted && !step->scale) {
        Status status = mem_new_aligned(channels, sizeof(float), &step->scale, err);
        if (status) return status;
        for (size_t c = 0; c < channels; c++)
            step->scale[c] = 1.0f;
    }
    size_t fan_in = (size_t)step->kernel_h * (size_t)step->kernel_w * (size_t)step->in_channels;
    for (size_t c = 0; c < channels; c++) {
        float factor = gain ? gain[c] : 1.0f;
        step->bias[c] = step->bias[c] * factor + (shift ? shift[c] : 0.0f);
        if (gain && !weighted) step->scale[c] *= factor;
        for (size_t i = 0; gain && weighted && i < fan_in; i++)
            step->weights[c * fan_in + i] *= factor;
        if (gain && step->int8.weight_scales)
            step->int8.weight_scales[c] =
                fmaxf(step->int8.weight_scales[c] * fabsf(factor), 1e-30f);
    }
    return OK;
}

static Status lower_affine(Lowering *lowering, Value v, const Op *op, Error *err) {
    const Net *net = lowering->net;
    const int *parameters = op->parameters;
    Step *step = linear(lowering, op->inputs[0]);
    if (!step) step = elementwise(lowering, op, op->inputs[0]);
    made_by(lowering, v, step);
    if (op->kind == OP_SCALE)
        return fold_affine(step, net_values_const(net, parameters[0]), NULL, err);
    if (op->kind == OP_BIAS)
        return fold_affine(step, NULL, net_values_const(net, parameters[0]), err);
    const float *gamma = net_values_const(net, parameters[0]);
    const float *beta = net_values_const(net, parameters[1]);
    const float *mean = net_values_const(net, parameters[2]);
    const float *variance = net_values_const(net, parameters[3]);
    float *gain = NULL;
    Status status = mem_new(2 * (size_t)op->channels, sizeof *gain, &gain, err);
    if (status) return status;
    float *shift = gain + op->channels;
    for (int c = 0; c < op->channels; c++) {
        double g = (double)gamma[c] / sqrt((double)variance[c] + (double)op->epsilon);
        gain[c] = (float)g;
        shift[c] = (float)((double)beta[c] - (double)mean[c] * g);
    }
    status = fold_affine(step, gain, shift, err);
    free(gain);
    return status;
}

static Status copy_parameter(const Lowering *lowering, int parameter, float **out, Error *err) {
    size_t count = program_parameter(lowering->program, parameter)->count;
    Status status = mem_new_aligned(count, sizeof(float), out, err);
    if (!status) memcpy(*out, net_values_const(lowering->net, parameter), count * sizeof(float));
    return status;
}

static Status copy_weights(const Lowering *lowering, const Op *op, Step *step, Error *err) {
    return copy_parameter(lowering, op->parameters[0], &step->weights, err);
}

/* Makes a step that runs the definition of an op. It copies what it needs, because plans may live
 * longer than nets. */
static Status lower_definition(Lowering *lowering, Value v, const Op *op, Error *err) {
    int makers[2] = {-1, -1};
    Definition *definition;
    Status status = mem_new(1, sizeof *definition, &definition, err);
    if (status) return status;
    definition->op = *op;
    for (int i = 0; i < 2 && op->inputs[i] >= 0; i++) {
        definition->inputs[i] = *program_op(lowering->program, op->inputs[i]);
        makers[i] = lowering->maker[op->inputs[i]];
    }
    Step *step = add_step(lowering, STEP_DEFINITION, op, makers[0]);
    step->inputs[1] = makers[1];
    step->definition = definition;
    for (int i = 0; !status && i < 4 && op->parameters[i] >= 0; i++)
        status = copy_parameter(lowering, op->parameters[i], &definition->parameters[i], err);
    return status ? status : made_by(lowering, v, step);
}

/* Replaces the weights of a step by those that its quantisation has rounded. */
static Status take_rounded_weights(Step *step, const LayerQuantisation *layer, Error *err) {
    size_t out = (size_t)step->channels, in = (size_t)step->in_channels;
    Status status = mem_new(out, sizeof(float), &step->int8.weight_scales, err);
    for (size_t o = 0; o < out && !status; o++) {
        step->int8.weight_scales[o] = layer->weight_scales[o];
        for (size_t i = 0; i < in; i++)
            step->weights[o * in + i] = layer->weight_scales[o] * layer->weights[o * in + i];
    }
    return status;
}

/* Chooses int8 for a layer if the net has a quantisation of this layer with the right sizes. */
static Status choose_int8(const Plan *plan, const Op *op, Step *step, Error *err) {
    if (!plan->quantisation || !quantisation_can(op, step->in_channels)) return OK;
    const LayerQuantisation *layer =
        quantisation_find(plan->quantisation, op->name, step->in_channels);
    if (!layer || layer->correction) return OK;
    if (!layer->by_rows) {
        step->int8.quantisation = layer;
        return OK;
    }
    if (op->kind != OP_DENSE || (layer->fine && !quantisation_can_be_fine(step->in_channels)) ||
        (layer->weights && layer->outputs != op->channels))
        return OK;
    step->int8.by_rows = layer;
    return layer->weights ? take_rounded_weights(step, layer, err) : OK;
}

/* Adds the corrections of a layer to its bias, if the net's quantisation has some. */
static Status correct(const Plan *plan, const Op *op, Step *step, Error *err) {
    const LayerQuantisation *layer =
        plan->quantisation ? quantisation_find(plan->quantisation, op->name, step->in_channels)
                           : NULL;
    if (!layer || !layer->correction || layer->correction_count != op->channels) return OK;
    return fold_affine(step, NULL, layer->correction, err);
}

static Status lower_weighted(Lowering *lowering, Value v, const Op *op, Error *err) {
    const Op *x = program_op(lowering->program, op->inputs[0]);
    bool spatial = op->shape == KIND_SPATIAL;
    Step *step =
        add_step(lowering, spatial ? STEP_CONV : STEP_DENSE, op, lowering->maker[op->inputs[0]]);
    made_by(lowering, v, step);
    step->in_channels = x->channels;
    step->kernel_h = op->kind == OP_CONV ? op->kernel_h : 1;
    step->kernel_w = op->kind == OP_CONV ? op->kernel_w : 1;
    step->dilation = op->kind == OP_CONV ? op->dilation : 1;
    Status status = copy_weights(lowering, op, step, err);
    if (!status && spatial) status = choose_int8(lowering->plan, op, step, err);
    return status ? status : correct(lowering->plan, op, step, err);
}

static Status lower_constant(Lowering *lowering, Value v, const Op *op, Error *err) {
    Step *step = add_step(lowering, STEP_CONSTANT, op, -1);
    made_by(lowering, v, step);
    return copy_weights(lowering, op, step, err);
}

/* Lets the step of a convolution compute the whole of a sum. Input number `narrow` of the sum is
 * the convolution that merge_convs() has left out. */
static Status take_over(Lowering *lowering, Value v, const Op *sum, int narrow) {
    const Op *left_out = program_op(lowering->program, sum->inputs[narrow]),
             *wide = program_op(lowering->program, sum->inputs[1 - narrow]);
    Step *step = &lowering->plan->steps[lowering->maker[sum->inputs[1 - narrow]]];
    op_conv_merge(left_out, net_values_const(lowering->net, left_out->parameters[0]),
                  step->in_channels, wide, 0, step->weights);
    return made_by(lowering, v, step);
}

/* A sum of two values can be computed by a step that makes one of the values and adds the other
 * value as its residual. If both steps can do this, the step of the second value does it. The
 * chosen step gets a later position, so that it runs after the step that makes the other value. If
 * no step can do this, a new step computes the sum. */
static Status lower_add(Lowering *lowering, Value v, const Op *op, Error *err) {
    (void)err;
    for (int side = 0; side < 2; side++) {
        if (!lowering->uses[op->inputs[side]]) return take_over(lowering, v, op, side);
    }
    for (int side = 1; side >= 0; side--) {
        Step *step = linear(lowering, op->inputs[side]);
        if (!step || op->inputs[0] == op->inputs[1] || step->kind == STEP_DENSE ||
            plan_is_small_conv(step)) {
            continue;
        }
        step->fused.residual = lowering->maker[op->inputs[1 - side]];
        step->position = lowering->next_position++;
        return made_by(lowering, v, step);
    }
    Step *step = elementwise(lowering, op, op->inputs[0]);
    step->fused.residual = lowering->maker[op->inputs[1]];
    return made_by(lowering, v, step);
}

static Status lower_add_broadcast(Lowering *lowering, Value v, const Op *op, Error *err) {
    (void)err;
    Step *step = linear(lowering, op->inputs[0]);
    if (!step || step->kind != STEP_ELEMENTWISE) step = elementwise(lowering, op, op->inputs[0]);
    step->fused.vector_add = lowering->maker[op->inputs[1]];
    step->position = lowering->next_position++;
    return made_by(lowering, v, step);
}

static Status lower_activation(Lowering *lowering, Value v, const Op *op, Error *err) {
    (void)err;
    Step *step = extendable(lowering, op->inputs[0]);
    if (!step || step->activation != ACTIVATION_IDENTITY)
        step = elementwise(lowering, op, op->inputs[0]);
    /* A step applies its mask after its activation. If the program has the mask first, the result
     * is the same, because every activation of 0 is 0. */
    step->activation = op->activation;
    return made_by(lowering, v, step);
}

static Status lower_mask(Lowering *lowering, Value v, const Op *op, Error *err) {
    (void)err;
    Step *made = &lowering->plan->steps[lowering->maker[op->inputs[0]]];
    bool norms = made->kind == STEP_LAYER_NORM && lowering->uses[op->inputs[0]] == 1;
    Step *step = norms ? made : extendable(lowering, op->inputs[0]);
    if (!step) step = elementwise(lowering, op, op->inputs[0]);
    step->mask = lowering->plan->mask_input >= 0;
    return made_by(lowering, v, step);
}

/* Inference drops nothing, so the value of a dropout is its input, and the step that makes the
 * input makes the value of the dropout too. An op may be fused into a step only if no other op
 * reads what the step makes. So the other readers of the input count as readers of the dropout
 * too. */
static Status lower_dropout(Lowering *lowering, Value v, const Op *op, Error *err) {
    (void)err;
    lowering->uses[v] += lowering->uses[op->inputs[0]] - 1;
    lowering->maker[v] = lowering->maker[op->inputs[0]];
    return OK;
}

static Status lower_input(Lowering *lowering, Value v, const Op *op, Error *err) {
    (void)err;
    return made_by(lowering, v, add_step(lowering, STEP_INPUT, op, -1));
}

static Status lower_mul_broadcast(Lowering *lowering, Value v, const Op *op, Error *err) {
    (void)err;
    Step *step = elementwise(lowering, op, op->inputs[0]);
    step->fused.vector_mul = lowering->maker[op->inputs[1]];
    return made_by(lowering, v, step);
}

/* Adds a step for an op, with no other op fused into it. The table KINDS has the kind of the
 * step. */
static Status lower_as_it_is(Lowering *lowering, Value v, const Op *op, Error *err) {
    (void)err;
    static const StepKind KINDS[OP_KIND_COUNT] = {[OP_GLOBAL_POOL] = STEP_POOL,
                                                  [OP_CONCAT] = STEP_CONCAT,
                                                  [OP_SLICE] = STEP_SLICE,
                                                  [OP_MULTIPLY] = STEP_MULTIPLY};
    const int *maker = lowering->maker;
    Step *step = add_step(lowering, KINDS[op->kind], op, maker[op->inputs[0]]);
    if (op->inputs[1] >= 0) step->inputs[1] = maker[op->inputs[1]];
    step->pool = op->pool;
    step->first = op->first;
    step->in_channels = program_op(lowering->program, op->inputs[0])->channels;
    return made_by(lowering, v, step);
}

/* The kernels have only the two kinds of pooling of KataGo's nets. */
static Status lower_pool(Lowering *lowering, Value v, const Op *op, Error *err) {
    bool fast = op->pool == POOL_MEAN_SCALE_MAX || op->pool == POOL_MEAN_SCALE_SCALE;
    return (fast ? lower_as_it_is : lower_definition)(lowering, v, op, err);
}

static Status lower_rms_norm(Lowering *lowering, Value v, const Op *op, Error *err) {
    Step *step = add_step(lowering, STEP_RMS_NORM, op, lowering->maker[op->inputs[0]]);
    made_by(lowering, v, step);
    step->epsilon = op->epsilon;
    step->whole_board = op->whole_board;
    return copy_weights(lowering, op, step, err);
}

static Status lower_layer_norm(Lowering *lowering, Value v, const Op *op, Error *err) {
    Step *step = add_step(lowering, STEP_LAYER_NORM, op, lowering->maker[op->inputs[0]]);
    made_by(lowering, v, step);
    step->epsilon = op->epsilon;
    Status status = copy_weights(lowering, op, step, err);
    return status ? status : copy_parameter(lowering, op->parameters[1], &step->bias, err);
}

/* The angles depend only on the cell and on the frequencies, which inference does not change, so
 * their cosines and sines are tabulated here. */
static Status lower_rotary(Lowering *lowering, Value v, const Op *op, Error *err) {
    Plan *plan = lowering->plan;
    Step *step = add_step(lowering, STEP_ROTARY, op, lowering->maker[op->inputs[0]]);
    made_by(lowering, v, step);
    step->attention = op->attention;
    const float *f = net_values_const(lowering->net, op->parameters[0]);
    size_t pairs = program_parameter(lowering->program, op->parameters[0])->count / 2,
           cells = (size_t)plan->height * (size_t)plan->width, width = (size_t)plan->width;
    Status status = mem_new_aligned(cells * pairs * 2, sizeof(float), &step->weights, err);
    for (size_t i = 0; !status && i < cells * pairs; i++) {
        size_t cell = i / pairs, pair = i % pairs;
        double angle = (double)f[2 * pair] * (double)(cell % width) +
                       (double)f[2 * pair + 1] * (double)(cell / width);
        step->weights[2 * i] = (float)cos(angle);
        step->weights[2 * i + 1] = (float)sin(angle);
    }
    return status;
}

/* Returns the step that makes the op's queries, keys and values, if it is a rotary op that has the
 * same heads and no other reader. Then one step can do the work of both ops. Otherwise returns
 * NULL. */
static Step *rotary_before(const Lowering *lowering, const Op *op) {
    Step *step = &lowering->plan->steps[lowering->maker[op->inputs[0]]];
    bool alone = step->kind == STEP_ROTARY && lowering->uses[op->inputs[0]] == 1;
    return alone && attention_same_heads(step->attention, op->attention) ? step : NULL;
}

/* Makes a step of attention, which rotates queries and keys itself if a rotary op stands before
 * it. */
static Step *attention_step(Lowering *lowering, Value v, const Op *op) {
    Step *step = rotary_before(lowering, op);
    if (!step) {
        step = add_step(lowering, STEP_ATTENTION, op, lowering->maker[op->inputs[0]]);
        step->attention = op->attention;
        made_by(lowering, v, step);
        return step;
    }
    step->kind = STEP_ATTENTION;
    step->channels = op->channels;
    step->op = v; /* not the rotation */
    made_by(lowering, v, step);
    return step;
}

static Status lower_attention(Lowering *lowering, Value v, const Op *op, Error *err) {
    (void)err;
    const Quantisation *int8 = lowering->plan->quantisation;
    Step *step = attention_step(lowering, v, op);
    step->int8.attention = int8 && quantisation_find(int8, QUANTISATION_ATTENTION, 1);
    return OK;
}

static Status lower_attention_maps(Lowering *lowering, Value v, const Op *op, Error *err) {
    if (op->tables) return lower_definition(lowering, v, op, err);
    Step *step = attention_step(lowering, v, op);
    step->inputs[1] = lowering->maker[op->inputs[1]];
    step->maps = attention_map_shape(op);
    /* The step that makes the maps may come after the rotary op. */
    step->position = lowering->next_position++;
    return OK;
}

typedef Status Lower(Lowering *lowering, Value v, const Op *op, Error *err);

/* The ops that have fast steps. */
static Lower *const LOWER[OP_KIND_COUNT] = {
    [OP_INPUT] = lower_input,
    [OP_CONSTANT] = lower_constant,
    [OP_CONV] = lower_weighted,
    [OP_DENSE] = lower_weighted,
    [OP_SCALE] = lower_affine,
    [OP_BIAS] = lower_affine,
    [OP_BATCH_NORM] = lower_affine,
    [OP_ACTIVATION] = lower_activation,
    [OP_ADD] = lower_add,
    [OP_ADD_BROADCAST] = lower_add_broadcast,
    [OP_MUL_BROADCAST] = lower_mul_broadcast,
    [OP_MASK] = lower_mask,
    [OP_GLOBAL_POOL] = lower_pool,
    [OP_CONCAT] = lower_as_it_is,
    [OP_SLICE] = lower_as_it_is,
    [OP_MULTIPLY] = lower_as_it_is,
    [OP_RMS_NORM] = lower_rms_norm,
    [OP_LAYER_NORM] = lower_layer_norm,
    [OP_ROTARY] = lower_rotary,
    [OP_ATTENTION] = lower_attention,
    [OP_ATTENTION_MAPS] = lower_attention_maps,
    [OP_DROPOUT] = lower_dropout,
};

static Status lower_op(Lowering *lowering, Value v, Error *err) {
    const Op *op = program_op(lowering->program, v);
    Lower *fast = LOWER[op->kind];
    return (fast ? fast : lower_definition)(lowering, v, op, err);
}

typedef struct {
    int position, step;
} Place;

static int compare_places(const void *a, const void *b) {
    const Place *x = a, *y = b;
    return x->position != y->position ? (x->position > y->position) - (x->position < y->position)
                                      : (x->step > y->step) - (x->step < y->step);
}

/* Sorts the steps by position. A rounding step has the same position as the step whose values it
 * rounds. It comes later in the list, so it runs after that step. */
static Status set_order(Plan *plan, Error *err) {
    Place *places = NULL;
    Status status = mem_new((size_t)plan->count, sizeof *places, &places, err);
    if (!status) status = mem_new((size_t)plan->count, sizeof *plan->order, &plan->order, err);
    if (!status) {
        for (int i = 0; i < plan->count; i++)
            places[i] = (Place){plan->steps[i].position, i};
        qsort(places, (size_t)plan->count, sizeof *places, compare_places);
        for (int i = 0; i < plan->count; i++) {
            plan->order[i] = places[i].step;
            plan->steps[places[i].step].position = i;
            int channels = plan->steps[i].channels;
            if (channels > plan->max_channels) plan->max_channels = channels;
        }
    }
    free(places);
    return status;
}

static Status lower(Lowering *lowering, Error *err) {
    const Program *program = lowering->program;
    Plan *plan = lowering->plan;
    count_uses(lowering);
    merge_convs(lowering);
    for (Value v = 0; v < program_op_count(program); v++) {
        if (!lowering->uses[v]) continue;
        Status status = lower_op(lowering, v, err);
        if (status) return status;
    }
    for (int i = 0; i < program_input_count(program); i++) {
        Value v = program_input_value(program, i);
        if (lowering->uses[v]) plan->steps[lowering->maker[v]].source = i;
    }
    for (int i = 0; i < plan->output_count; i++) {
        plan->outputs[i] = lowering->maker[program_output_value(program, i)];
    }
    plan_choose_winograd(plan);
    Status status = plan_choose_stores(plan, err);
    if (!status) status = set_order(plan, err);
    return status ? status : plan_place(plan, err);
}

static void find_mask(const Program *program, Plan *plan) {
    Value source = -1;
    program_mask_source(program, &source, &plan->mask_channel);
    plan->mask_input = -1;
    for (int i = 0; source >= 0 && i < program_input_count(program); i++) {
        if (program_input_value(program, i) == source) plan->mask_input = i;
    }
    if (source >= 0) plan->mask_channels = program_op(program, source)->channels;
}

/* Sets plan->memory_max, and checks that the tables of rotations and the copies of shared weights
 * together take no more memory. The tables grow with the board. An op that uses the weights of
 * another op has two copies of these weights, of which one is packed. */
static Status limit_memory(const Program *program, Plan *plan, Error *err) {
    size_t weights = 0, tables = 0, copies = 0, cells = (size_t)plan->height * (size_t)plan->width;
    for (int i = 0; i < program_parameter_count(program); i++)
        weights += program_parameter(program, i)->count * sizeof(float);
    for (Value v = 0; v < program_op_count(program); v++) {
        const Op *op = program_op(program, v);
        if (op->kind == OP_ROTARY)
            tables += cells * program_parameter(program, op->parameters[0])->count * sizeof(float);
        if (op->weights_of)
            copies += 2 * program_parameter(program, op->parameters[0])->count * sizeof(float);
    }
    plan->memory_max = PLAN_BUFFERS_MAX + PLAN_BUFFERS_BY_WEIGHTS * weights;
    if (tables + copies <= plan->memory_max) return OK;
    return plan_refuse_memory(plan, tables + copies, plan->memory_max, err);
}

Status plan_new(const Net *net, int height, int width, Precision precision, Plan **out,
                Error *err) {
    const Program *program = net_program(net);
    Lowering lowering = {.net = net, .program = program};
    size_t ops = (size_t)program_op_count(program);
    Plan *plan = NULL;
    Status status = mem_new(1, sizeof *plan, &plan, err);
    if (status) return status;
    *plan = (Plan){.height = height,
                   .width = width,
                   .bf16 = precision == PRECISION_BF16 ||
                           (precision == PRECISION_INT8 && backend_has_bf16()),
                   .output_count = program_output_count(program)};
    lowering.plan = plan;
    find_mask(program, plan);
    status = limit_memory(program, plan, err);
    if (!status && precision == PRECISION_INT8)
        status = quantisation_read(net, &plan->quantisation, err);
    if (!status) status = mem_new(4 * ops, sizeof *plan->steps, &plan->steps, err);
    if (!status) status = mem_new((size_t)plan->output_count, sizeof(int), &plan->outputs, err);
    if (!status) status = mem_new(ops, sizeof(int), &lowering.uses, err);
    if (!status) status = mem_new(ops, sizeof(int), &lowering.maker, err);
    if (!status) status = lower(&lowering, err);
    free(lowering.uses);
    free(lowering.maker);
    if (status) {
        plan_free(plan);
        plan = NULL;
    }
    *out = plan;
    return status;
}
