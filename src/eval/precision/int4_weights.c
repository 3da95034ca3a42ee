#include "eval/precision/int4_weights.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "eval/precision/quantize.h"
#include "nn/graph/packed_weights.h"

enum { CUTS = 16 };
static const float CUT = 0.03f; /* neighbouring scales that are tried differ by this fraction of the
                                 * largest scale */
/* A group in which all weights are below WEIGHT_MIN becomes 0. */
static const float WEIGHT_MIN = 1e-30f;

static float rounded(float weight, float scale) {
    float q = fmaxf(-PACKED_INT4_MAX, fminf(PACKED_INT4_MAX, nearbyintf(weight / scale)));
    return q != 0 ? q * scale : 0; /* never -0 */
}

static double squared_error(size_t count, const float *weights, float scale) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double error = (double)weights[i] - (double)rounded(weights[i], scale);
        sum += error * error;
    }
    return sum;
}

static float largest(size_t count, const float *weights) {
    float max = 0;
    for (size_t i = 0; i < count; i++)
        max = fmaxf(max, fabsf(weights[i]));
    return max;
}

/* The weight with the largest absolute value always gets q = 7 or -7, because every scale that is
 * tried is at most slightly above max / 7. */
float int4_scale(size_t count, const float *weights) {
    float max = largest(count, weights), best = 0;
    double smallest = HUGE_VAL;
    for (int cut = 0; cut < CUTS && max >= WEIGHT_MIN; cut++) {
        float scale = packed_bf16(max * (1 - CUT * (float)cut) / PACKED_INT4_MAX);
        double error = squared_error(count, weights, scale);
        if (error >= smallest) continue;
        smallest = error;
        best = scale;
    }
    return best;
}

void int4_round_group(size_t count, float *weights) {
    float scale = int4_scale(count, weights);
    for (size_t i = 0; i < count; i++)
        weights[i] = scale > 0 ? rounded(weights[i], scale) : 0;
}

static void round_rows(const ParameterSpec *spec, int group, float *weights) {
    size_t inputs = (size_t)spec->dims[spec->rank - 1], width = (size_t)group;
    for (size_t row = 0; row < spec->count; row += inputs) {
        for (size_t at = 0; at < inputs; at += width)
            int4_round_group(inputs - at < width ? inputs - at : width, weights + row + at);
    }
}

static Status round_layer(Net *net, const Op *op, int group, PackedForms *forms, Error *err) {
    const ParameterSpec *spec = program_parameter(net_program(net), op->parameters[0]);
    float *weights = net_values(net, op->parameters[0]);
    for (size_t i = 0; i < spec->count; i++) {
        if (!(fabsf(weights[i]) <= INT4_WEIGHT_MAX))
            return fail(err, ERR_ARGUMENT, "int4: \"%s\" has a weight of %g", spec->name,
                        (double)weights[i]);
    }
    round_rows(spec, group, weights);
    return packed_forms_set(forms, spec->name, (PackedForm){PACKED_FORM_INT4, group}, err);
}

Status int4_round_net(Net *net, int group, int *layers, Error *err) {
    const Program *program = net_program(net);
    bool *chosen = NULL;
    PackedForms *forms = NULL;
    *layers = 0;
    if (group != 32 && group != 64)
        return fail(err, ERR_ARGUMENT, "groups of %d weights in int4; 32 or 64 are wanted", group);
    Status status = mem_new((size_t)program_op_count(program), sizeof *chosen, &chosen, err);
    if (!status) status = quantize_find(program, false, chosen, err);
    if (!status) status = packed_forms_new(net_note(net, PACKED_NOTE), &forms, err);
    for (Value v = 0; v < program_op_count(program) && !status; v++) {
        const Op *op = program_op(program, v);
        if (!chosen[v] || op->weights_of) continue;
        status = round_layer(net, op, group, forms, err);
        ++*layers;
    }
    if (!status && !*layers)
        status = fail(err, ERR_UNSUPPORTED, "the trunk of the net has no layers for int4");
    if (!status) status = net_set_packed_forms(net, forms, err);
    packed_forms_free(forms);
    free(chosen);
    return status;
}
