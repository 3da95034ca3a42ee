#include "nn/learn/latent_weights.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/name_list.h"
#include "nn/graph/packed_weights.h"
#include "nn/learn/mask_2_4.h"
#include "nn/ops/lsq.h"

static const PackedForm FORM_2_4 = {PACKED_FORM_2_4, 0};

/* A parameter with latent weights. */
typedef struct {
    int parameter; /* the weights */
    int steps;     /* the parameter with the step sizes of the rounding; -1: no rounding */
    int group;     /* weights with one step in int4; 1: int8, with a step for each output */
    size_t count, outputs, inputs;
    bool sparse;   /* it gets a mask */
    bool has_mask; /* the mask has been chosen */
    unsigned char *mask;
    /* The latent weights. From latent_weights_enter() to latent_weights_leave() they are not up to
     * date, because the optimiser then changes the copy in the net. */
    float *values;
} LatentLayer;

struct LatentWeights {
    const Program *program; /* borrowed from the net */
    SparsitySettings settings;
    LatentLayer *layers;
    int count;
    int64_t refreshed; /* number of samples when the masks were last chosen */
};

/* Reads the words of settings.layers. */
static Status read_kinds(const char *words, bool *conv, bool *dense, Error *err) {
    *conv = *dense = false;
    for (const char *at = words + strspn(words, " ,"); *at; at += strspn(at, " ,")) {
        size_t length = strcspn(at, " ,");
        if (length == 4 && strncmp(at, "conv", length) == 0)
            *conv = true;
        else if (length == 5 && strncmp(at, "dense", length) == 0)
            *dense = true;
        else
            return fail(err, ERR_ARGUMENT,
                        "sparsity.layers: \"%.*s\" is no kind of layers; conv and dense are",
                        (int)(length < 40 ? length : 40), at);
        at += length;
    }
    return OK;
}

/* Whether the op has weights of its own that are to become sparse. */
static bool is_sparse(const LatentWeights *latent, const Op *op, bool conv, bool dense) {
    bool kind = (op->kind == OP_CONV && conv) || (op->kind == OP_DENSE && dense);
    const char *names = latent->settings.names;
    return kind && !op->weights_of && name_list_has_beginning(names, op->name) &&
           !name_list_leaves_out(names, op->name) &&
           packed_form_suits(program_parameter(latent->program, op->parameters[0]), FORM_2_4);
}

/* Finds the weights of a layer in latent->layers, and adds them if they are not there. */
static Status add_layer(LatentWeights *latent, const Op *op, LatentLayer **out, Error *err) {
    const ParameterSpec *spec = program_parameter(latent->program, op->parameters[0]);
    LatentLayer *layer = latent->layers;
    while (layer < latent->layers + latent->count && layer->parameter != op->parameters[0])
        layer++;
    *out = layer;
    if (layer < latent->layers + latent->count) return OK;
    *layer = (LatentLayer){.parameter = op->parameters[0],
                           .steps = -1,
                           .group = 1,
                           .count = spec->count,
                           .outputs = (size_t)spec->dims[0],
                           .inputs = (size_t)spec->dims[spec->rank - 1]};
    latent->count++;
    Status status = mem_new_aligned(layer->count, sizeof *layer->values, &layer->values, err);
    return status ? status : mem_new(mask_2_4_bytes(layer->count), 1, &layer->mask, err);
}

/* Weights that stand side by side and share a step. */
typedef struct {
    size_t at, count;
} Segment;

static size_t groups_of_row(const LatentLayer *layer) {
    size_t group = (size_t)layer->group;
    return (layer->inputs + group - 1) / group;
}

static size_t segment_count(const LatentLayer *layer) {
    return layer->group == 1 ? layer->outputs : layer->count / layer->inputs * groups_of_row(layer);
}

static Segment segment_of(const LatentLayer *layer, size_t index) {
    if (layer->group == 1) {
        size_t each = layer->count / layer->outputs;
        return (Segment){index * each, each};
    }
    size_t groups = groups_of_row(layer), first = index % groups * (size_t)layer->group,
           left = layer->inputs - first;
    return (Segment){index / groups * layer->inputs + first,
                     left < (size_t)layer->group ? left : (size_t)layer->group};
}

static float step_of(const LatentLayer *layer, const Net *net, size_t index) {
    float step = lsq_step(net_values_const(net, layer->steps)[index]);
    return layer->group == 1 ? step : packed_bf16(step);
}

static float level_of(const LatentLayer *layer) {
    return layer->group == 1 ? LSQ_WEIGHT_LEVEL : PACKED_INT4_MAX;
}

/* Adds the layers whose weights are rounded. */
static Status find_rounded(LatentWeights *latent, Error *err) {
    Status status = OK;
    for (int i = 0; i < program_op_count(latent->program) && !status; i++) {
        const Op *op = program_op(latent->program, i);
        LatentLayer *layer;
        if (op->kind != OP_WEIGHT_STEP) continue;
        const Op *from = program_op(latent->program, op->inputs[0]);
        if ((from->kind != OP_CONV && from->kind != OP_DENSE) || from->weights_of)
            return fail(err, ERR_ARGUMENT,
                        "the steps \"%s\" follow no layer with weights of its own", op->name);
        status = add_layer(latent, from, &layer, err);
        if (status) break;
        layer->steps = op->parameters[0];
        layer->group = op->group;
        if (program_parameter(latent->program, layer->steps)->count != segment_count(layer))
            status = fail(err, ERR_ARGUMENT, "the layer of the steps \"%s\" needs %zu steps",
                          op->name, segment_count(layer));
    }
    return status;
}

/* Adds the layers that get masks. */
static Status find_sparse(LatentWeights *latent, Error *err) {
    bool conv = false, dense = false, found = false;
    Status status = read_kinds(latent->settings.layers, &conv, &dense, err);
    for (int i = 0; i < program_op_count(latent->program) && !status; i++) {
        const Op *op = program_op(latent->program, i);
        LatentLayer *layer;
        if (!is_sparse(latent, op, conv, dense)) continue;
        status = add_layer(latent, op, &layer, err);
        if (!status) found = layer->sparse = true;
    }
    if (!status && !found)
        status = fail(err, ERR_ARGUMENT,
                      "the net has no layers for 2:4 sparsity: no layer of the kinds \"%.40s\" has "
                      "a name that \"%.40s\" chooses and a number of inputs that is a "
                      "multiple of 4",
                      latent->settings.layers, latent->settings.names);
    return status;
}

Status latent_weights_new(const Net *net, const SparsitySettings *settings, LatentWeights **out,
                          Error *err) {
    LatentWeights *latent;
    *out = NULL;
    Status status = mem_new(1, sizeof *latent, &latent, err);
    if (status) return status;
    latent->program = net_program(net);
    latent->settings = *settings;
    status = mem_new((size_t)program_op_count(latent->program), sizeof *latent->layers,
                     &latent->layers, err);
    if (!status) status = find_rounded(latent, err);
    if (!status && settings->method != SPARSITY_OFF) status = find_sparse(latent, err);
    if (status || !latent->count) {
        latent_weights_free(latent);
        return status;
    }
    latent_weights_restart(latent, net);
    *out = latent;
    return OK;
}

void latent_weights_free(LatentWeights *latent) {
    if (!latent) return;
    for (int i = 0; latent->layers && i < latent->count; i++) {
        free(latent->layers[i].values);
        free(latent->layers[i].mask);
    }
    free(latent->layers);
    free(latent);
}

void latent_weights_restart(LatentWeights *latent, const Net *net) {
    latent->refreshed = 0;
    for (int i = 0; i < latent->count; i++) {
        LatentLayer *layer = &latent->layers[i];
        layer->has_mask = false;
        memcpy(layer->values, net_values_const(net, layer->parameter),
               layer->count * sizeof *layer->values);
    }
}

void latent_weights_enter(const LatentWeights *latent, Net *net) {
    for (int i = 0; i < latent->count; i++) {
        const LatentLayer *layer = &latent->layers[i];
        memcpy(net_values(net, layer->parameter), layer->values,
               layer->count * sizeof *layer->values);
    }
}

/* Rounds the weights of a layer by the steps that the net holds. */
static void round_layer(const LatentLayer *layer, Net *net) {
    float *values = net_values(net, layer->parameter), level = level_of(layer);
    for (size_t s = 0; layer->steps >= 0 && s < segment_count(layer); s++) {
        Segment segment = segment_of(layer, s);
        float *row = values + segment.at;
        lsq_forward(segment.count, step_of(layer, net, s), level, level, row, row);
        for (size_t k = 0; k < segment.count; k++)
            row[k] += 0; /* -0 becomes 0; it would count as a kept weight in 2:4 */
    }
}

/* Does what latent_weights_add_gradients() does, for one layer. Weights outside of a mask are not
 * rounded, so their gradients do not change, and the gradients of the steps do not depend on
 * them. */
static void add_step_gradients(const LatentLayer *layer, const Net *net, float *gradient,
                               float *step_gradients) {
    float level = level_of(layer);
    for (size_t s = 0; s < segment_count(layer); s++) {
        Segment segment = segment_of(layer, s);
        float step = step_of(layer, net, s);
        double sum = 0, scale = lsq_gradient_scale((double)segment.count, (double)level);
        for (size_t at = segment.at; at < segment.at + segment.count; at++) {
            bool kept = !layer->has_mask || (layer->mask[at / 4] >> at % 4 & 1);
            if (kept)
                sum += lsq_backward(1, step, level, level, layer->values + at, gradient + at,
                                    gradient + at, false);
        }
        step_gradients[s] += (float)(sum * scale * (double)step);
    }
}

void latent_weights_add_gradients(const LatentWeights *latent, const Net *net,
                                  float *const *gradients) {
    for (int i = 0; i < latent->count; i++) {
        const LatentLayer *layer = &latent->layers[i];
        if (layer->steps >= 0)
            add_step_gradients(layer, net, gradients[layer->parameter], gradients[layer->steps]);
    }
}

void latent_weights_leave(LatentWeights *latent, Net *net) {
    for (int i = 0; i < latent->count; i++) {
        LatentLayer *layer = &latent->layers[i];
        float *values = net_values(net, layer->parameter);
        memcpy(layer->values, values, layer->count * sizeof *layer->values);
        if (layer->has_mask) mask_2_4_apply(layer->count, layer->mask, 0, values);
        round_layer(layer, net);
    }
}

/* Whether it is time to choose all masks anew. Masks that are missing are chosen in any case. */
static bool is_refresh(const LatentWeights *latent, int64_t samples) {
    return latent->settings.method == SPARSITY_SR_STE &&
           samples - latent->refreshed >= latent->settings.refresh_samples;
}

void latent_weights_step(LatentWeights *latent, Net *net, int64_t samples, double rate) {
    const SparsitySettings *settings = &latent->settings;
    bool refresh = is_refresh(latent, samples), fixed = settings->method == SPARSITY_FIXED;
    float kept = fixed ? 0 : (float)(1 - rate * settings->decay);
    if (samples < settings->start_samples) return;
    for (int i = 0; i < latent->count; i++) {
        LatentLayer *layer = &latent->layers[i];
        float *values = net_values(net, layer->parameter);
        if (!layer->sparse) continue;
        bool chooses = refresh || !layer->has_mask;
        if (layer->has_mask) mask_2_4_apply(layer->count, layer->mask, kept, values);
        if (chooses) mask_2_4_choose(layer->count, values, layer->mask);
        if (chooses) latent->refreshed = samples;
        if (!layer->has_mask && fixed) mask_2_4_apply(layer->count, layer->mask, 0, values);
        layer->has_mask = true;
    }
}

/* Adds the sparse weights to the note of the net that says which weights are packed in its file. */
static Status note_forms(const LatentWeights *latent, Net *net, Error *err) {
    PackedForms *forms;
    Status status = packed_forms_new(net_note(net, PACKED_NOTE), &forms, err);
    if (status) return status;
    for (int i = 0; i < latent->count && !status; i++) {
        const ParameterSpec *spec = program_parameter(latent->program, latent->layers[i].parameter);
        if (latent->layers[i].has_mask) status = packed_forms_set(forms, spec->name, FORM_2_4, err);
    }
    if (!status) status = net_set_packed_forms(net, forms, err);
    packed_forms_free(forms);
    return status;
}

Status latent_weights_restrict(const LatentWeights *latent, Net *net, Error *err) {
    for (int i = 0; i < latent->count; i++) {
        const LatentLayer *layer = &latent->layers[i];
        if (layer->has_mask) mask_2_4_prune(layer->count, net_values(net, layer->parameter));
        round_layer(layer, net);
    }
    return note_forms(latent, net, err);
}

typedef struct {
    char text[80];
} TensorName;

static TensorName tensor_name(const LatentWeights *latent, const LatentLayer *layer,
                              const char *what) {
    TensorName name;
    snprintf(name.text, sizeof name.text, "%s.%s", what,
             program_parameter(latent->program, layer->parameter)->name);
    return name;
}

Status latent_weights_save(const LatentWeights *latent, TensorFile *file, Error *err) {
    Status status = tensor_file_add(file, "latent.refreshed", "I64", 1, &latent->refreshed, err);
    for (int i = 0; i < latent->count && !status; i++) {
        const LatentLayer *layer = &latent->layers[i];
        status = tensor_file_add(file, tensor_name(latent, layer, "latent").text, "F32",
                                 layer->count, layer->values, err);
        if (!status && layer->has_mask)
            status = tensor_file_add(file, tensor_name(latent, layer, "mask").text, "U8",
                                     mask_2_4_bytes(layer->count), layer->mask, err);
    }
    return status;
}

static Status restore_layer(const LatentWeights *latent, LatentLayer *layer, const TensorFile *file,
                            Error *err) {
    TensorName name = tensor_name(latent, layer, "latent");
    const float *values = tensor_file_values(file, name.text, "F32", layer->count);
    for (size_t k = 0; values && k < layer->count; k++) {
        if (!isfinite(values[k])) return fail(err, ERR_SYNTAX, "%s is not finite", name.text);
    }
    if (values) memcpy(layer->values, values, layer->count * sizeof *values);
    name = tensor_name(latent, layer, "mask");
    size_t bytes = mask_2_4_bytes(layer->count);
    const unsigned char *mask = tensor_file_values(file, name.text, "U8", bytes);
    if (!mask || !layer->sparse) return OK;
    if (!mask_2_4_is_valid(layer->count, mask))
        return fail(err, ERR_SYNTAX, "%s does not keep two of each four weights", name.text);
    memcpy(layer->mask, mask, bytes);
    layer->has_mask = true;
    return OK;
}

Status latent_weights_restore(LatentWeights *latent, const TensorFile *file, Error *err) {
    int64_t refreshed = 0;
    Status status = OK;
    if (tensor_file_has(file, "latent.refreshed", "I64", 1))
        status = tensor_file_read(file, "latent.refreshed", "I64", 1, &refreshed, err);
    if (!status && refreshed < 0)
        status =
            fail(err, ERR_SYNTAX, "the masks were chosen after %lld samples", (long long)refreshed);
    for (int i = 0; i < latent->count && !status; i++)
        status = restore_layer(latent, &latent->layers[i], file, err);
    if (!status) latent->refreshed = refreshed;
    return status;
}
