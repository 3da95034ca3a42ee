#include "eval/arch/blocks/net_builder.h"

#include <math.h>
#include <stdio.h>

/* The epsilons that norms of each point add to the variance. The value for RMS norms is KataGo's.
 * The value for layer norms is the default of Keras, which lczero-training uses. */
static const double RMS_EPSILON = 1e-6, LAYER_EPSILON = 1e-3;

static Value batch_norm(NetBuilder *builder, const char *name, Value x) {
    const ArchSettings *settings = builder->settings;
    char part[64];
    snprintf(part, sizeof part, "%s.norm", name);
    return program_batch_norm_of(
        builder->program, part, x,
        (BatchNormKind){.epsilon = settings->norm_epsilon,
                        .momentum = settings->norm_momentum,
                        .renorm = builder_norm_kind(builder) == NORM_RENORM,
                        .no_gain = !settings->norm_gain});
}

_Static_assert((int)BLOCK_NORM_FSON - (int)BLOCK_NORM_BATCH == (int)NORM_FSON - (int)NORM_BATCH,
               "the norms of a net have the same order in both enums");

int builder_norm_kind(const NetBuilder *builder) {
    int option = builder->block ? builder->block->norm : ROW_NORM_AUTO;
    if (option == ROW_NORM_AUTO) return builder->settings->norm;
    if (option == ROW_NORM_RMS) return NORM_POINT_RMS;
    return option == ROW_NORM_LAYER ? NORM_POINT_LAYER : option - BLOCK_NORM_BATCH + NORM_BATCH;
}

bool builder_has_fixed_scales(const NetBuilder *builder) {
    int norm = builder_norm_kind(builder);
    return norm == NORM_FIXSCALE || norm == NORM_FSON;
}

double builder_variance(const NetBuilder *builder, int index) {
    return index + 1 - builder->silent;
}

/* Adds a scale that is not trained, then a trained gain that starts at `gain`, then a bias. A scale
 * of 1 or a `gain` of 0 adds no op. */
static Value affine(NetBuilder *builder, const char *name, Value x, double scale, double gain) {
    Program *program = builder->program;
    char part[64];
    snprintf(part, sizeof part, "%s.fixed", name);
    if (scale != 1) x = program_fixed_scale(program, part, x, scale);
    snprintf(part, sizeof part, "%s.scale", name);
    if (gain > 0) x = program_scale(program, part, x, gain);
    snprintf(part, sizeof part, "%s.shift", name);
    return program_bias(program, part, x);
}

BlockLayer builder_layer(int index, const char *layer) {
    BlockLayer name;
    snprintf(name.text, sizeof name.text, "block%d.%s", index, layer);
    return name;
}

int builder_inner_channels(const NetBuilder *builder, int option, int usual) {
    if (option) return option;
    return builder->settings->inner_channels ? builder->settings->inner_channels : usual;
}

int builder_option_activation(const NetBuilder *builder, int option) {
    switch (option) {
    case BLOCK_ACTIVATION_RELU:
        return ACTIVATION_RELU;
    case BLOCK_ACTIVATION_MISH:
        return ACTIVATION_MISH;
    case BLOCK_ACTIVATION_SILU:
        return ACTIVATION_SILU;
    case BLOCK_ACTIVATION_RELU2:
        return ARCH_RELU2;
    case BLOCK_ACTIVATION_PRELU:
        return ARCH_PRELU;
    case BLOCK_ACTIVATION_IDENTITY:
        return ACTIVATION_IDENTITY;
    default:
        return builder->settings->activation;
    }
}

static int activation_kind(const NetBuilder *builder) {
    return builder_option_activation(builder, builder->block ? builder->block->activation
                                                             : BLOCK_ACTIVATION_NET);
}

Value builder_activation_of(NetBuilder *builder, int activation, const char *name, Value x) {
    char part[64];
    if (activation == ARCH_RELU2) {
        x = program_activation(builder->program, x, ACTIVATION_RELU);
        return program_multiply(builder->program, x, x);
    }
    if (activation != ARCH_PRELU)
        return program_activation(builder->program, x, (Activation)activation);
    snprintf(part, sizeof part, "%s.prelu", name);
    return program_prelu(builder->program, part, x, builder->settings->prelu_slope);
}

Value builder_activation(NetBuilder *builder, const char *name, Value x) {
    return builder_activation_of(builder, activation_kind(builder), name, x);
}

Value builder_point_norm(NetBuilder *builder, const char *name, Value x, bool layer) {
    if (!layer) return program_rms_norm(builder->program, name, x, RMS_EPSILON, false);
    const Op norm = {.kind = OP_LAYER_NORM, .inputs = {x}, .epsilon = (float)LAYER_EPSILON};
    return program_add_op(builder->program, name, norm);
}

/* Adds a norm of each point. The function adds a bias to an RMS norm; a layer norm already has
 * one. */
static Value point_norm(NetBuilder *builder, const char *name, Value x, bool layer) {
    char part[64];
    snprintf(part, sizeof part, "%s.norm", name);
    x = builder_point_norm(builder, part, x, layer);
    snprintf(part, sizeof part, "%s.shift", name);
    return layer ? x : program_bias(builder->program, part, x);
}

Value builder_norm_alone(NetBuilder *builder, const char *name, Value x, NormPlace place,
                         double variance) {
    int norm = builder_norm_kind(builder);
    double scale = builder_has_fixed_scales(builder) ? 1 / sqrt(variance) : 1,
           gain = norm == NORM_FIXED  ? 1 / sqrt(variance)
                  : norm == NORM_FSON ? place != PLACE_HEAD
                                      : place == PLACE_LAST;
    if (norm == NORM_BATCH || norm == NORM_RENORM || (norm == NORM_FSON && place == PLACE_TIP))
        return batch_norm(builder, name, x);
    if (norm == NORM_POINT_RMS || norm == NORM_POINT_LAYER)
        return point_norm(builder, name, x, norm == NORM_POINT_LAYER);
    return affine(builder, name, x, scale, gain);
}

Value builder_norm(NetBuilder *builder, const char *name, Value x, NormPlace place,
                   double variance) {
    x = builder_norm_alone(builder, name, x, place, variance);
    return program_mask(builder->program, builder_activation(builder, name, x));
}

/* If the gain of an activation function scales the initial weights of the next layer, the
 * activation and this layer together leave the variance unchanged. The gains are KataGo's; KataGo
 * uses the gain of relu for silu, too. The gain of parametric ReLU is from He et al. 2015, equation
 * 15. The gain of relu2 is our own: for a normal distribution of variance 1, the mean of relu(x)^4
 * is 3/2, three times the mean of relu(x)^2. Here the gains are divided by the gain of relu,
 * because program_conv() multiplies by it. */
double builder_deviation(const NetBuilder *builder, double scale) {
    double slope = builder->settings->prelu_slope;
    switch (activation_kind(builder)) {
    case ACTIVATION_IDENTITY:
        return -scale * sqrt(0.5);
    case ACTIVATION_MISH:
        return -scale * sqrt(2.210277 / 2);
    case ARCH_PRELU:
        return -scale / sqrt(1 + slope * slope);
    case ARCH_RELU2:
        return -scale * sqrt(1 / 3.0);
    default:
        return -scale;
    }
}

double builder_first_deviation(const NetBuilder *builder, double scale, int in_row) {
    const ArchSettings *settings = builder->settings;
    double fixup = 1 / sqrt((double)settings->blocks);
    if (builder_norm_kind(builder) == NORM_FIXUP)
        scale *= in_row == 1 ? fixup : pow(fixup, 1.0 / in_row);
    return builder_deviation(builder, scale);
}

double builder_last_deviation(const NetBuilder *builder) {
    return builder_norm_kind(builder) == NORM_FIXUP ? 0 : builder_deviation(builder, 1);
}
