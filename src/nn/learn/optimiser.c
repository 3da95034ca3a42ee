/* One step of the optimiser:
 *   1. clip_scale() finds the factor that shortens the whole gradient to the limits.
 *   2. find_decay_factors() finds the factors by which this step multiplies the decay.
 *   3. The setting `kind` chooses the method that updates the trained parameters. SGD, AdamW, Nadam
 *      and RMSprop update all of them. With the kind Muon, the method Muon updates the matrices for
 *      which is_for_muon() is true, and AdamW updates all other parameters.
 *      Each update also pulls the parameter towards its decay target. How strongly depends on the
 *      group of the parameter: weights of the trunk, of the first layer or of heads; gains; biases
 *      (decay_of()).
 *   4. visit_centers() multiplies the change of the weights in the middle of kernels by
 *      center_rate. Parameters that must not be negative are limited to 0 and above. */
#include "nn/learn/optimiser.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/name_list.h"
#include "nn/learn/orthogonal.h"
#include "nn/ops/op.h"

#define KINDS "sgd|adamw|muon|nadam|rmsprop"

const SettingsField OPTIMISER_FIELDS[] = {
    FIELD_CHOICE(
        OptimiserSettings, kind, OPTIMISER_MUON, KINDS, "method of the optimiser",
        .source = "Wu 2019 (SGD); Loshchilov and Hutter 2019 (AdamW); Jordan et al. 2024 (Muon); "
                  "lczero-training (Nadam, RMSprop)"),
    FIELD_DOUBLE(OptimiserSettings, momentum, 0.9, 0, 0.9999,
                 "SGD and RMSprop: momentum (RMSprop of lczero-training: 0.9)",
                 .source = "Wu 2019, appendix C"),
    FIELD_BOOL(OptimiserSettings, nesterov, false, "SGD: use Nesterov's momentum"),
    FIELD_DOUBLE(OptimiserSettings, beta1, 0.95, 0, 0.9999,
                 "AdamW and Nadam: decay of the mean of gradients (Nadam of lczero-training: 0.9)"),
    FIELD_DOUBLE(
        OptimiserSettings, beta2, 0.995, 0, 0.99999,
        "AdamW, Nadam and RMSprop: decay of the mean of squared gradients (lczero-training: "
        "0.999 with Nadam)"),
    FIELD_DOUBLE(OptimiserSettings, epsilon, 1e-8, 1e-12, 1,
                 "AdamW, Nadam and RMSprop: number added to the root of the mean of squared "
                 "gradients (Nadam of lczero-training: 1e-7)"),
    FIELD_DOUBLE(OptimiserSettings, weight_decay, -1, -1, 1,
                 "decay of weights but not of gains and biases; SGD adds the decay to the mean "
                 "gradient over the samples (L2), and the other methods subtract it from the "
                 "weights (decoupled); -1: 3e-5 for SGD, 0.02 for Muon, 0.01 for the others",
                 .source = "Wu 2019, appendix C; KataGo, python/train.py"),
    FIELD_BOOL(OptimiserSettings, decay_by_norm, false,
               "multiply the decay of weights and gains outside of heads by 2^(2 tanh(3 ln r)), "
               "where r is the norm of the trunk's weights divided by their norm before the "
               "first step; meant for nets with batch norm, but it acts in all nets",
               .source = "KataGo, python/train.py"),
    FIELD_DOUBLE(OptimiserSettings, decay_rate_exponent, 0, 0, 4,
                 "multiply the decay outside of heads by f^this, where f is the present learning "
                 "rate divided by schedule.rate; 0: off (KataGo: 0.75; with Muon 0.7)",
                 .source = "KataGo, python/train.py"),
    FIELD_TEXT(OptimiserSettings, head_names, "policy value score",
               "beginnings of the names of parameters that belong to heads, separated by blanks",
               .source = "KataGo, python/train.py"),
    FIELD_DOUBLE(OptimiserSettings, head_rate, 1, 0, 10,
                 "factor of the learning rate of heads (KataGo: 0.5)",
                 .source = "KataGo, python/train.py"),
    FIELD_DOUBLE(OptimiserSettings, center_rate, 1, 0, 10,
                 "factor of the learning rate of the weights in the middle of kernels (GoNN: 1.5; "
                 "KataGo, rvglr: 2)",
                 .source = "GoNN, model.py; KataGo, python/katago/train/model_pytorch.py"),
    FIELD_DOUBLE(OptimiserSettings, head_decay, 1, 0, 10, "factor of the weight decay of heads",
                 .source = "KataGo, python/train.py"),
    FIELD_DOUBLE(OptimiserSettings, input_decay, 1, 0, 10,
                 "factor of the weight decay of the first layer",
                 .source = "KataGo, python/train.py"),
    FIELD_DOUBLE(OptimiserSettings, gain_decay, 0, 0, 10,
                 "decay of gains, towards 1, as a fraction of weight_decay (KataGo: 0.125)",
                 .source = "KataGo, python/train.py"),
    FIELD_DOUBLE(OptimiserSettings, bias_decay, 0, 0, 10,
                 "decay of biases, as a fraction of weight_decay",
                 .source = "KataGo, python/train.py"),
    FIELD_DOUBLE(OptimiserSettings, muon.momentum, 0.95, 0, 0.9999, "Muon: Nesterov momentum",
                 .source = "Jordan et al. 2024; KataGo, python/train.py",
                 .former = "muon_momentum"),
    FIELD_TEXT(OptimiserSettings, muon.names, "block",
               "Muon: beginning of the names of the matrices that it updates; AdamW updates all "
               "other parameters",
               .source = "KataGo, python/train.py", .former = "muon_names"),
    FIELD_DOUBLE(OptimiserSettings, muon.factor, 0.67, 0.01, 100,
                 "Muon: learning rate of the matrices that Muon updates, divided by the learning "
                 "rate of the other parameters",
                 .source = "KataGo, python/train.py", .former = "muon_factor"),
    FIELD_DOUBLE(
        OptimiserSettings, clip_norm, 0, 0, 1e9,
        "maximum norm of the gradient of a step, which is the mean over the samples of the step; "
        "a longer gradient is shortened to this norm; 0: no maximum"),
    {0},
};

#define FIRST_NORM "optimiser.first_norm"

/* No step is made if the norm of the gradient is larger than this after clipping. AdamW squares the
 * elements of the gradient in f32. If a mean square became infinite, gradients would no longer move
 * the weight to which it belongs. */
static const double NORM_MAX = 1e19;

struct Optimiser {
    Net *net;
    OptimiserSettings config;
    /* Indexed by parameter. first[i] is the velocity (SGD, Muon, RMSprop) or the mean gradient
     * (AdamW, Nadam). second[i] is the mean squared gradient (AdamW, Nadam, RMSprop), and NULL
     * where SGD or Muon updates the parameter. Both are NULL if the parameter is not trained. */
    float **first, **second;
    float *centers;             /* the middles of kernels before a step; NULL if not needed */
    float *muon_step, *scratch; /* Muon: the step of a matrix; room to make it orthogonal */
    int64_t steps;
    double momenta; /* Nadam: product of the momenta of the first `momenta_steps` steps */
    int64_t momenta_steps;
    double first_norm;                  /* norm of the trunk's weights before the first step */
    double rate_fraction;               /* optimiser_set_rate_fraction() */
    double norm_limit;                  /* optimiser_limit_norm() */
    float decay_by_rate, decay_by_norm; /* factors of the decay in this step */
};

/* Whether Muon updates the parameter. It is for matrices, which decay; the rates of a learned
 * rotation have several dimensions too, but are no matrix. */
static bool is_for_muon(const OptimiserSettings *config, const ParameterSpec *spec) {
    return config->kind == OPTIMISER_MUON && spec->rank >= 2 && spec->decayed &&
           strncmp(spec->name, config->muon.names, strlen(config->muon.names)) == 0;
}

static bool is_head(const OptimiserSettings *config, const ParameterSpec *spec) {
    return name_list_has_beginning(config->head_names, spec->name);
}

static bool ends_with(const char *name, const char *end) {
    size_t length = strlen(name), tail = strlen(end);
    return length >= tail && strcmp(name + length - tail, end) == 0;
}

static bool is_gain(const ParameterSpec *spec) {
    return !spec->decayed && (ends_with(spec->name, "gain") || ends_with(spec->name, "gamma"));
}

static bool is_bias(const ParameterSpec *spec) {
    return ends_with(spec->name, "bias") || ends_with(spec->name, "beta") ||
           ends_with(spec->name, "shift");
}

/* Gains decay towards 1, weights and biases towards 0, and other parameters not at all. In KataGo,
 * all parameters decay towards 0, because it stores a gain as its difference from 1. */
typedef struct {
    float rate, target;
} Decay;

static bool is_first_layer(const ParameterSpec *spec) {
    return strncmp(spec->name, "start", 5) == 0;
}

static Decay decay_of(const Optimiser *optimiser, const ParameterSpec *spec) {
    const OptimiserSettings *config = &optimiser->config;
    bool head = is_head(config, spec);
    float decay = (float)config->weight_decay, by_rate = head ? 1 : optimiser->decay_by_rate,
          by_both = head ? 1 : by_rate * optimiser->decay_by_norm;
    if (is_gain(spec)) return (Decay){decay * (float)config->gain_decay * by_both, 1};
    if (!spec->decayed)
        return (Decay){is_bias(spec) ? decay * (float)config->bias_decay * by_rate : 0, 0};
    if (head) return (Decay){decay * (float)config->head_decay, 0};
    if (is_first_layer(spec)) decay *= (float)config->input_decay;
    return (Decay){decay * by_both, 0};
}

static double trunk_norm(const Optimiser *optimiser) {
    const Program *program = net_program(optimiser->net);
    double sum = 0;
    for (int i = 0; i < program_parameter_count(program); i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        const float *values = net_values_const(optimiser->net, i);
        if (!spec->decayed || is_head(&optimiser->config, spec) || is_first_layer(spec)) continue;
        for (size_t k = 0; k < spec->count; k++)
            sum += (double)values[k] * (double)values[k];
    }
    return sqrt(sum);
}

/* Finds the factors by which this step multiplies the decay. The decay may depend on the norm of
 * the weights. The reason is that the larger weights before a batch norm are, the more slowly they
 * learn. If the decay grows with the norm, the norm stays near its first value, and so does the
 * effective learning rate. */
static void find_decay_factors(Optimiser *optimiser) {
    const OptimiserSettings *config = &optimiser->config;
    double exponent = config->decay_rate_exponent;
    optimiser->decay_by_rate = exponent > 0 ? (float)pow(optimiser->rate_fraction, exponent) : 1;
    optimiser->decay_by_norm = 1;
    if (!config->decay_by_norm || !(optimiser->first_norm > 0)) return;
    double ratio = fmax(trunk_norm(optimiser) / optimiser->first_norm, 1e-9);
    optimiser->decay_by_norm = (float)exp2(2 * tanh(3 * log(ratio)));
}

static bool has_centers(const OptimiserSettings *config, const ParameterSpec *spec) {
    return config->center_rate != 1 && spec->rank == 4 && spec->dims[1] * spec->dims[2] > 1;
}

/* Allocates room for the middles of the largest kernels. */
static Status make_centers(Optimiser *optimiser, Error *err) {
    const Program *program = net_program(optimiser->net);
    size_t max = 0;
    for (int i = 0; i < program_parameter_count(program); i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        size_t wanted = (size_t)spec->dims[0] * (size_t)spec->dims[3];
        if (has_centers(&optimiser->config, spec) && wanted > max) max = wanted;
    }
    return max ? mem_new_aligned(max, sizeof(float), &optimiser->centers, err) : OK;
}

/* Allocates muon_step and scratch for the largest matrix that Muon updates. */
static Status make_muon_buffers(Optimiser *optimiser, Error *err) {
    const Program *program = net_program(optimiser->net);
    size_t max = 0, scratch = 0;
    for (int i = 0; i < program_parameter_count(program); i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        if (!spec->trained || !is_for_muon(&optimiser->config, spec)) continue;
        size_t rows = (size_t)spec->dims[0], needed = orthogonal_scratch(rows, spec->count / rows);
        if (spec->count > max) max = spec->count;
        if (needed > scratch) scratch = needed;
    }
    if (!max) return OK;
    Status status = mem_new_aligned(max, sizeof(float), &optimiser->muon_step, err);
    return status ? status : mem_new_aligned(scratch, sizeof(float), &optimiser->scratch, err);
}

/* Returns s of optimiser_usual_rate(), the size of a net. A plain residual block with two 3x3
 * convolutions has 18 * channels^2 weights, so for such blocks s is about blocks * channels. */
static double net_size(const Net *net) {
    const Program *program = net_program(net);
    int channels = 1;
    for (int i = 0; i < program_op_count(program); i++) {
        const Op *op = program_op(program, i);
        bool of_block = strncmp(op->name, "block", strlen("block")) == 0;
        if (of_block && op->channels > channels) channels = op->channels;
    }
    return (double)net_parameter_total(net) / (2 * 9 * channels);
}

const char *optimiser_kind_name(int kind) {
    static const char *const NAMES[] = {"sgd", "adamw", "muon", "nadam", "rmsprop"};
    return NAMES[kind];
}

double optimiser_usual_rate(int kind, const Net *net) {
    static const double FULL_RATE_MAX = 260; /* size of the largest net with the full rate: b5c48 */
    return kind == OPTIMISER_SGD ? 6e-5 : 12e-6 * fmin(1, sqrt(FULL_RATE_MAX / net_size(net)));
}

Status optimiser_new(Net *net, const OptimiserSettings *config, Optimiser **out, Error *err) {
    Optimiser *optimiser;
    *out = NULL;
    Status status = mem_new(1, sizeof *optimiser, &optimiser, err);
    if (status) return status;
    optimiser->net = net;
    optimiser->config = *config;
    if (config->weight_decay < 0)
        optimiser->config.weight_decay = config->kind == OPTIMISER_SGD    ? 3e-5
                                         : config->kind == OPTIMISER_MUON ? 0.02
                                                                          : 0.01;
    const Program *program = net_program(net);
    size_t count = (size_t)program_parameter_count(program);
    status = mem_new(count, sizeof *optimiser->first, &optimiser->first, err);
    if (!status) status = mem_new(count, sizeof *optimiser->second, &optimiser->second, err);
    for (size_t i = 0; i < count && !status; i++) {
        const ParameterSpec *spec = program_parameter(program, (int)i);
        if (!spec->trained) continue;
        status = mem_new_aligned(spec->count, sizeof(float), &optimiser->first[i], err);
        if (!status && config->kind != OPTIMISER_SGD && !is_for_muon(config, spec))
            status = mem_new_aligned(spec->count, sizeof(float), &optimiser->second[i], err);
    }
    if (!status) status = make_muon_buffers(optimiser, err);
    if (!status) status = make_centers(optimiser, err);
    optimiser->rate_fraction = optimiser->momenta = 1;
    if (!status) optimiser->first_norm = trunk_norm(optimiser);
    if (status)
        optimiser_free(optimiser);
    else
        *out = optimiser;
    return status;
}

void optimiser_free(Optimiser *optimiser) {
    if (!optimiser) return;
    for (int i = 0; i < program_parameter_count(net_program(optimiser->net)); i++) {
        if (optimiser->first) free(optimiser->first[i]);
        if (optimiser->second) free(optimiser->second[i]);
    }
    free(optimiser->first);
    free(optimiser->second);
    free(optimiser->muon_step);
    free(optimiser->centers);
    free(optimiser->scratch);
    free(optimiser);
}

double optimiser_norm(const Optimiser *optimiser, float *const *gradients) {
    const Program *program = net_program(optimiser->net);
    double sum = 0;
    for (int i = 0; i < program_parameter_count(program); i++) {
        size_t count = gradients[i] ? program_parameter(program, i)->count : 0;
        for (size_t k = 0; k < count; k++)
            sum += (double)gradients[i][k] * (double)gradients[i][k];
    }
    return sqrt(sum);
}

/* The step of stochastic gradient descent, where g is the gradient plus the L2 decay:
 *     velocity = momentum * velocity + g
 *     step     = velocity, or with Nesterov's momentum  g + momentum * velocity
 * This is PyTorch's form of Sutskever et al. 2013. */
OP_LOOP static void sgd(const OptimiserSettings *config, Decay decay, size_t count,
                        const float *restrict gradient, float scale, float rate,
                        float *restrict velocity, float *restrict values) {
    float momentum = (float)config->momentum, kept = config->nesterov ? momentum : 1,
          direct = config->nesterov ? 1 : 0;
    for (size_t k = 0; k < count; k++) {
        float slope = gradient[k] * scale + decay.rate * (values[k] - decay.target);
        velocity[k] = momentum * velocity[k] + slope;
        values[k] -= rate * (kept * velocity[k] + direct * slope);
    }
}

/* The step of AdamW (Loshchilov and Hutter 2019, algorithm 2). `step` counts from 1. */
OP_LOOP static void adamw(const OptimiserSettings *config, Decay decay, size_t count,
                          const float *restrict gradient, float scale, float rate, int64_t step,
                          float *restrict mean, float *restrict square, float *restrict values) {
    float beta1 = (float)config->beta1, beta2 = (float)config->beta2,
          epsilon = (float)config->epsilon;
    float fix1 = (float)(1 - pow((double)beta1, (double)step)),
          fix2 = (float)(1 - pow((double)beta2, (double)step));
    for (size_t k = 0; k < count; k++) {
        float slope = gradient[k] * scale;
        mean[k] = beta1 * mean[k] + (1 - beta1) * slope;
        square[k] = beta2 * square[k] + (1 - beta2) * slope * slope;
        values[k] -= rate * (mean[k] / fix1 / (sqrtf(square[k] / fix2) + epsilon) +
                             decay.rate * (values[k] - decay.target));
    }
}

/* The momentum of step `step`, which counts from 1, in Nadam. It grows from about beta1 / 2 to
 * beta1 (Dozat 2016, with the numbers of Keras and PyTorch). */
static double nadam_momentum(const OptimiserSettings *config, int64_t step) {
    return config->beta1 * (1 - 0.5 * pow(0.96, 0.004 * (double)step));
}

/* Makes optimiser->momenta the product of the momenta of steps 1 to optimiser->steps. The function
 * multiplies the product by the momenta that it lacks, usually by that of the last step. If a
 * checkpoint has lowered the number of steps, the function begins again at step 1. */
static void find_momenta(Optimiser *optimiser) {
    if (optimiser->momenta_steps > optimiser->steps) {
        optimiser->momenta = 1;
        optimiser->momenta_steps = 0;
    }
    while (optimiser->momenta_steps < optimiser->steps && optimiser->momenta > 1e-30)
        optimiser->momenta *= nadam_momentum(&optimiser->config, ++optimiser->momenta_steps);
    /* A product of 1e-30 or less changes no step, so the factors after it may be left out. */
    optimiser->momenta_steps = optimiser->steps;
}

/* The step of Nadam (Dozat 2016, algorithm 8):
 *     along = (1 - mu) * g / (1 - P) + next * m / (1 - next * P)
 *     step  = along / (sqrt(v / (1 - beta2^steps)) + epsilon)
 * g is the gradient; m and v are the means of AdamW. mu is the momentum of this step, and `next` is
 * the momentum of the following step. P is the product of the momenta of all steps from the first
 * one to this one. The decay is decoupled, as in AdamW. */
OP_LOOP static void nadam(const Optimiser *optimiser, Decay decay, size_t count,
                          const float *restrict gradient, float scale, float rate,
                          float *restrict mean, float *restrict square, float *restrict values) {
    const OptimiserSettings *config = &optimiser->config;
    double product = optimiser->momenta, steps = (double)optimiser->steps,
           now = nadam_momentum(config, optimiser->steps),
           next = nadam_momentum(config, optimiser->steps + 1);
    float beta1 = (float)config->beta1, beta2 = (float)config->beta2,
          epsilon = (float)config->epsilon, of_slope = (float)((1 - now) / (1 - product)),
          of_mean = (float)(next / (1 - product * next)),
          fix = (float)(1 - pow(config->beta2, steps));
    for (size_t k = 0; k < count; k++) {
        float slope = gradient[k] * scale;
        mean[k] = beta1 * mean[k] + (1 - beta1) * slope;
        square[k] = beta2 * square[k] + (1 - beta2) * slope * slope;
        values[k] -=
            rate * ((of_slope * slope + of_mean * mean[k]) / (sqrtf(square[k] / fix) + epsilon) +
                    decay.rate * (values[k] - decay.target));
    }
}

/* The step of RMSprop (Hinton, lecture 6e of his course of 2012), with momentum as in PyTorch,
 * where g is the gradient:
 *     v        = beta2 v + (1 - beta2) g^2
 *     velocity = momentum * velocity + g / (sqrt(v) + epsilon)
 * The decay is decoupled, as in AdamW. */
OP_LOOP static void rmsprop(const OptimiserSettings *config, Decay decay, size_t count,
                            const float *restrict gradient, float scale, float rate,
                            float *restrict velocity, float *restrict square,
                            float *restrict values) {
    float momentum = (float)config->momentum, beta2 = (float)config->beta2,
          epsilon = (float)config->epsilon;
    for (size_t k = 0; k < count; k++) {
        float slope = gradient[k] * scale;
        square[k] = beta2 * square[k] + (1 - beta2) * slope * slope;
        velocity[k] = momentum * velocity[k] + slope / (sqrtf(square[k]) + epsilon);
        values[k] -= rate * (velocity[k] + decay.rate * (values[k] - decay.target));
    }
}

/* The step of Muon, where g is the gradient:
 *     velocity = momentum * velocity + g
 *     step     = 0.2 * sqrt(longer side of the matrix) * orthogonalise(g + momentum * velocity)
 * The factor makes the step about as long as one of AdamW (Liu et al. 2025, "Muon is scalable for
 * LLM training"). */
static void muon(Optimiser *optimiser, const ParameterSpec *spec, const float *gradient,
                 float scale, float rate, float *velocity, float *values) {
    const OptimiserSettings *config = &optimiser->config;
    size_t rows = (size_t)spec->dims[0], columns = spec->count / rows;
    float *step = optimiser->muon_step, decay = decay_of(optimiser, spec).rate,
          momentum = (float)config->muon.momentum, factor = (float)config->muon.factor;
    for (size_t k = 0; k < spec->count; k++) {
        velocity[k] = momentum * velocity[k] + gradient[k] * scale;
        step[k] = gradient[k] * scale + momentum * velocity[k];
    }
    orthogonalise(rows, columns, step, optimiser->scratch);
    float along = rate * factor * 0.2f * sqrtf((float)(rows > columns ? rows : columns));
    for (size_t k = 0; k < spec->count; k++)
        values[k] -= along * step[k] + rate * factor * decay * values[k];
}

void optimiser_set_rate_fraction(Optimiser *optimiser, double fraction) {
    optimiser->rate_fraction = fraction;
}

void optimiser_limit_norm(Optimiser *optimiser, double norm) {
    optimiser->norm_limit = norm;
}

/* Returns the factor that shortens a gradient of this length to the smaller of the two limits. */
static float clip_scale(const Optimiser *optimiser, double length) {
    double max = optimiser->config.clip_norm, limit = optimiser->norm_limit;
    if (limit > 0 && (!(max > 0) || limit < max)) max = limit;
    return max > 0 && length > max ? (float)(max / length) : 1;
}

/* Goes through the weights in the middle of kernels larger than 1 x 1. Without `moves`, before a
 * step, it copies them to optimiser->centers. With `moves`, after the step, it multiplies their
 * change by center_rate. */
static void visit_centers(const Optimiser *optimiser, const ParameterSpec *spec, float *values,
                          bool moves) {
    size_t kernel = (size_t)spec->dims[1] * (size_t)spec->dims[2], in = (size_t)spec->dims[3],
           middle = (size_t)(spec->dims[1] / 2 * spec->dims[2] + spec->dims[2] / 2);
    float *before = optimiser->centers, factor = (float)optimiser->config.center_rate;
    for (size_t out = 0; out < (size_t)spec->dims[0]; out++, before += in) {
        float *at = values + (out * kernel + middle) * in;
        for (size_t k = 0; k < in; k++) {
            if (moves)
                at[k] = before[k] + factor * (at[k] - before[k]);
            else
                before[k] = at[k];
        }
    }
}

/* Updates parameter `i` by the method that the setting `kind` chooses for it. */
static void move(Optimiser *optimiser, int i, const float *gradient, float scale, float rate) {
    const OptimiserSettings *config = &optimiser->config;
    const ParameterSpec *spec = program_parameter(net_program(optimiser->net), i);
    Decay decay = decay_of(optimiser, spec);
    float *values = net_values(optimiser->net, i), *first = optimiser->first[i],
          *second = optimiser->second[i];
    if (config->kind == OPTIMISER_SGD)
        sgd(config, decay, spec->count, gradient, scale, rate, first, values);
    else if (is_for_muon(config, spec))
        muon(optimiser, spec, gradient, scale, rate, first, values);
    else if (config->kind == OPTIMISER_NADAM)
        nadam(optimiser, decay, spec->count, gradient, scale, rate, first, second, values);
    else if (config->kind == OPTIMISER_RMSPROP)
        rmsprop(config, decay, spec->count, gradient, scale, rate, first, second, values);
    else
        adamw(config, decay, spec->count, gradient, scale, rate, optimiser->steps, first, second,
              values);
}

Status optimiser_step(Optimiser *optimiser, float *const *gradients, double learning_rate,
                      double *norm, Error *err) {
    const OptimiserSettings *config = &optimiser->config;
    const Program *program = net_program(optimiser->net);
    if (!(learning_rate >= 0) || !isfinite(learning_rate))
        return fail(err, ERR_ARGUMENT, "the learning rate is %g; it must be finite and at least 0",
                    learning_rate);
    double length = optimiser_norm(optimiser, gradients);
    if (norm) *norm = length;
    if (!isfinite(length)) return fail(err, ERR_ARGUMENT, "the gradient is not finite");
    float scale = clip_scale(optimiser, length);
    if (length * (double)scale > NORM_MAX)
        return fail(err, ERR_ARGUMENT,
                    "the norm of the gradient is %.3g; above %g its square would overflow",
                    length * (double)scale, NORM_MAX);
    optimiser->steps++;
    find_decay_factors(optimiser);
    if (config->kind == OPTIMISER_NADAM) find_momenta(optimiser);
    for (int i = 0; i < program_parameter_count(program); i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        if (!gradients[i]) continue;
        float *values = net_values(optimiser->net, i);
        double rate = learning_rate * (is_head(config, spec) ? config->head_rate : 1);
        bool centers = has_centers(config, spec);
        if (centers) visit_centers(optimiser, spec, values, false);
        move(optimiser, i, gradients[i], scale, (float)rate);
        if (centers) visit_centers(optimiser, spec, values, true);
        for (size_t k = 0; spec->nonnegative && k < spec->count; k++)
            values[k] = fmaxf(values[k], 0);
    }
    return OK;
}

typedef struct {
    char text[96];
} MomentName;

/* The name of the first or second moments of a parameter in a file. */
static MomentName moment_name(int moment, const ParameterSpec *spec) {
    MomentName name;
    snprintf(name.text, sizeof name.text, "m%d.%s", moment, spec->name);
    return name;
}

/* Whether these values can be moments: all are finite and, if they are second moments, which are
 * mean squares, none is negative. */
static bool are_moments(int moment, size_t count, const float *values) {
    for (size_t k = 0; k < count; k++) {
        if (!isfinite(values[k]) || (moment == 2 && values[k] < 0)) return false;
    }
    return true;
}

/* Saves the first or second moments of a parameter, if it has any (`values` is not NULL). */
static Status save_moments(int moment, const ParameterSpec *spec, const float *values,
                           TensorFile *file, Error *err) {
    const MomentName name = moment_name(moment, spec);
    if (!values) return OK;
    if (!are_moments(moment, spec->count, values))
        return fail(err, ERR_ARGUMENT, "%s of the optimiser is not finite", name.text);
    return tensor_file_add(file, name.text, "F32", spec->count, values, err);
}

Status optimiser_save(const Optimiser *optimiser, TensorFile *file, Error *err) {
    const Program *program = net_program(optimiser->net);
    Status status = tensor_file_add(file, "optimiser.steps", "I64", 1, &optimiser->steps, err);
    if (!status && optimiser->config.decay_by_norm)
        status = tensor_file_add(file, FIRST_NORM, "F64", 1, &optimiser->first_norm, err);
    for (int i = 0; i < program_parameter_count(program) && !status; i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        status = save_moments(1, spec, optimiser->first[i], file, err);
        if (!status) status = save_moments(2, spec, optimiser->second[i], file, err);
    }
    return status;
}

/* Whether this is the missing second moment of a learned rotation in a file of an earlier version,
 * in which Muon updated such rotations. Then the moments begin anew. */
static bool was_for_muon(const ParameterSpec *spec, const TensorFile *file, int moment) {
    return moment == 2 && spec->rank >= 2 && !spec->decayed &&
           !tensor_file_has(file, moment_name(2, spec).text, "F32", spec->count);
}

/* Checks that the file has the first or second moments (`moment` 1 or 2) of all parameters. */
static Status check_moments(const Optimiser *optimiser, const TensorFile *file, int moment,
                            Error *err) {
    const Program *program = net_program(optimiser->net);
    float *const *moments = moment == 1 ? optimiser->first : optimiser->second;
    for (int i = 0; i < program_parameter_count(program); i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        const MomentName name = moment_name(moment, spec);
        if (!moments[i] || was_for_muon(spec, file, moment)) continue;
        const float *values = tensor_file_values(file, name.text, "F32", spec->count);
        if (!values)
            return fail(
                err, ERR_ARGUMENT,
                "tensor \"%s\" with %zu values of F32 is missing; the file was written with "
                "another optimiser (optimiser.kind, optimiser.muon.names)",
                name.text, spec->count);
        if (!are_moments(moment, spec->count, values))
            return fail(err, ERR_SYNTAX, "tensor \"%s\" holds a number that cannot be a moment",
                        name.text);
    }
    return OK;
}

static Status read_moments(Optimiser *optimiser, const TensorFile *file, int moment, Error *err) {
    const Program *program = net_program(optimiser->net);
    float **moments = moment == 1 ? optimiser->first : optimiser->second;
    Status status = OK;
    for (int i = 0; i < program_parameter_count(program) && !status; i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        if (moments[i] && was_for_muon(spec, file, moment))
            memset(optimiser->first[i], 0, spec->count * sizeof(float));
        else if (moments[i])
            status = tensor_file_read(file, moment_name(moment, spec).text, "F32", spec->count,
                                      moments[i], err);
    }
    return status;
}

Status optimiser_restore(Optimiser *optimiser, const TensorFile *file, Error *err) {
    int64_t steps;
    double first_norm;
    Status status = tensor_file_read(file, "optimiser.steps", "I64", 1, &steps, err);
    if (!status && steps < 0)
        status = fail(err, ERR_SYNTAX, "optimiser.steps is %lld; it must be at least 0",
                      (long long)steps);
    /* the file has this norm only if the decay depends on the norm of the weights */
    bool has_norm = tensor_file_has(file, FIRST_NORM, "F64", 1);
    if (!status && has_norm)
        status = tensor_file_read(file, FIRST_NORM, "F64", 1, &first_norm, err);
    if (!status && has_norm && !(first_norm >= 0 && isfinite(first_norm)))
        status = fail(err, ERR_SYNTAX, "%s is %g, which cannot be a norm", FIRST_NORM, first_norm);
    for (int moment = 1; moment <= 2 && !status; moment++)
        status = check_moments(optimiser, file, moment, err);
    for (int moment = 1; moment <= 2 && !status; moment++) /* from here on the state changes */
        status = read_moments(optimiser, file, moment, err);
    if (status) return status;
    if (has_norm) optimiser->first_norm = first_norm;
    optimiser->steps = steps;
    return OK;
}
