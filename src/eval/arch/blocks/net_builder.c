#include "eval/arch/blocks/net_builder.h"

#include <math.h>
#include <stdio.h>

static Value batch_norm(NetBuilder *builder, const char *name, Value x) {
    const ArchSettings *settings = builder->settings;
    char part[64];
    snprintf(part, sizeof part, "%s.norm", name);
    return program_batch_norm_of(builder->program, part, x,
                                 (BatchNormKind){.epsilon = settings->norm_epsilon,
                                                 .momentum = settings->norm_momentum,
                                                 .renorm = settings->norm == NORM_RENORM,
                                                 .no_gain = !settings->norm_gain});
}

bool builder_has_fixed_scales(const ArchSettings *settings) {
    return settings->norm == NORM_FIXSCALE || settings->norm == NORM_FSON;
}

/* Adds a scale that is not trained, unless it is 1; then a trained gain that starts at `gain`,
 * unless that is 0; then a bias. */
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

Value builder_activation(NetBuilder *builder, const char *name, Value x) {
    int activation = builder->settings->activation;
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

Value builder_norm_alone(NetBuilder *builder, const char *name, Value x, NormPlace place,
                         double variance) {
    int norm = builder->settings->norm;
    double scale = builder_has_fixed_scales(builder->settings) ? 1 / sqrt(variance) : 1,
           gain = norm == NORM_FIXED  ? 1 / sqrt(variance)
                  : norm == NORM_FSON ? place != PLACE_HEAD
                                      : place == PLACE_LAST;
    if (norm == NORM_BATCH || norm == NORM_RENORM || (norm == NORM_FSON && place == PLACE_TIP))
        return batch_norm(builder, name, x);
    return affine(builder, name, x, scale, gain);
}

Value builder_norm(NetBuilder *builder, const char *name, Value x, NormPlace place,
                   double variance) {
    x = builder_norm_alone(builder, name, x, place, variance);
    return program_mask(builder->program, builder_activation(builder, name, x));
}

/* If initial weights have the gain of an activation function, the activation and the layer after it
 * together leave the variance unchanged. The gains are KataGo's, which uses that of relu for silu
 * too. The gain of parametric ReLU is from He et al. 2015, equation 15. That of relu2 is our own:
 * for a normal distribution of variance 1, the mean of relu(x)^4 is 3/2, three times the mean of
 * relu(x)^2. Here the gains are divided by the gain of relu, because program_conv() multiplies by
 * it. */
double builder_deviation(const NetBuilder *builder, double scale) {
    double slope = builder->settings->prelu_slope;
    switch (builder->settings->activation) {
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
    if (settings->norm == NORM_FIXUP) scale *= in_row == 1 ? fixup : pow(fixup, 1.0 / in_row);
    return builder_deviation(builder, scale);
}

double builder_last_deviation(const NetBuilder *builder) {
    return builder->settings->norm == NORM_FIXUP ? 0 : builder_deviation(builder, 1);
}
