/* Policy and value heads: KataGo's of model version 8 and later, with all policies of its trainer
 * as channels of one head. */
#include "eval/blocks/blocks.h"
#include "eval/heads.h"

static int or_default(int value, int otherwise) {
    return value ? value : otherwise;
}

/* With values of moves in two layers, as in KataGo's versions that have them. */
static Value compose_pass(Composer *composer, Value pooled, int hidden, int policies) {
    Program *program = composer->program;
    if (composer->config->policies != POLICIES_Q_VALUES)
        return program_dense(program, "policy.pass", pooled, policies, -0.2);
    Value h = program_bias(
        program, "policy.passbias",
        program_dense(program, "policy.pass", pooled, hidden, block_deviation(composer, 1)));
    h = program_activation(program, h, composer->activation);
    return program_dense(program, "policy.pass2", h, policies, -0.2);
}

static void compose_policy(Composer *composer, Value trunk) {
    Program *program = composer->program;
    int channels =
        or_default(composer->config->policy_channels, composer->config->channels < 64 ? 16 : 32);
    Value p =
        program_conv(program, "policy.p1", trunk, channels, 1, block_deviation(composer, 0.8));
    Value g = program_conv(program, "policy.g1", trunk, channels, 1, block_deviation(composer, 1));
    g = block_norm(composer, "policy.gnorm", g, PLACE_HEAD, 1);
    Value z = program_global_pool(program, g, POOL_MEAN_SCALE_MAX);
    p = program_add_broadcast(
        program, p,
        program_dense(program, "policy.gmap", z, channels, block_deviation(composer, 0.35)));
    p = block_norm(composer, "policy.pnorm", p, PLACE_HEAD, 1);
    const int POLICIES[] = {[POLICIES_PLAIN] = 2,
                            [POLICIES_SOFT] = 4,
                            [POLICIES_OPTIMISTIC] = 6,
                            [POLICIES_Q_VALUES] = POLICY_CHANNELS_MOST};
    int policies = POLICIES[composer->config->policies];
    program_output(program, HEAD_POLICY, program_conv(program, "policy.p2", p, policies, 1, -0.2));
    program_output(program, HEAD_PASS, compose_pass(composer, z, channels, policies));
}

/* The bins' own features: place of the score and parity. Hidden units see them, the position, and,
 * of nets with features of Go, whether komi lets that parity be. */
static void compose_distribution(Composer *composer, Value pooled, Value globals) {
    Program *program = composer->program;
    float features[SCORE_BINS * 2];
    int hidden = or_default(composer->config->value_hidden, 32);
    for (int i = 0; i < SCORE_BINS; i++) {
        features[2 * i] = 0.05f * ((float)(i - SCORE_BINS_HALF) + 0.5f);
        features[2 * i + 1] = i % 2 ? 0.5f : -0.5f;
    }
    Value bins = program_constant(program, "score.bins", SCORE_BINS, 2, features);
    Value place =
        program_dense(program, "score.place", program_slice(program, bins, 0, 1), hidden, 0.3);
    Value parity =
        program_dense(program, "score.parity", program_slice(program, bins, 1, 1), hidden, 0.6);
    if (composer->config->go_features) {
        Value wave = program_slice(program, globals, 18, 1);
        parity = program_mul_broadcast(program, parity,
                                       program_dense(program, "score.wave", wave, hidden, 0.6));
    }
    Value h = program_add(program, place, parity);
    Value v = program_bias(
        program, "score.bias",
        program_dense(program, "score.hidden", pooled, hidden, block_deviation(composer, 0.7)));
    h = program_activation(program, program_add_broadcast(program, h, v), composer->activation);
    program_output(program, HEAD_SCORE_DISTRIBUTION,
                   program_dense(program, "score.out", h, 1, -0.3));
}

static void compose_value(Composer *composer, Value trunk, Value globals) {
    Program *program = composer->program;
    int channels =
        or_default(composer->config->value_channels, composer->config->channels < 64 ? 16 : 32);
    int hidden =
        or_default(composer->config->value_hidden, composer->config->channels < 64 ? 32 : 64);
    Value v = program_conv(program, "value.v1", trunk, channels, 1, block_deviation(composer, 1));
    v = block_norm(composer, "value.v1norm", v, PLACE_HEAD, 1);
    Value pooled = program_global_pool(program, v, POOL_MEAN_SCALE_SCALE);
    Value h = program_bias(
        program, "value.v2bias",
        program_dense(program, "value.v2", pooled, hidden, block_deviation(composer, 1)));
    h = program_activation(program, h, composer->activation);
    program_output(
        program, HEAD_VALUE,
        program_bias(program, "value.v3bias", program_dense(program, "value.v3", h, 3, -0.2)));
    program_output(
        program, HEAD_SCORE,
        program_bias(program, "value.sv3bias", program_dense(program, "value.sv3", h, 6, -0.2)));
    program_output(program, HEAD_OWNERSHIP,
                   program_conv(program, "value.ownership", v, 1, 1, -0.2));
    if (composer->config->score_distribution) compose_distribution(composer, pooled, globals);
    if (!composer->config->auxiliary) return;
    program_output(program, HEAD_TD,
                   program_bias(program, "value.tdbias",
                                program_dense(program, "value.td", h, TD_CHANNELS, -0.2)));
    program_output(program, HEAD_SEARCH_VALUES,
                   program_bias(program, "value.searchbias",
                                program_dense(program, "value.search", h, VALUE_BUCKETS, -0.2)));
    program_output(program, HEAD_SCORING, program_conv(program, "value.scoring", v, 1, 1, -0.2));
    program_output(program, HEAD_FUTURE,
                   program_conv(program, "value.future", trunk, FUTURE_CHANNELS, 1, -0.2));
    program_output(program, HEAD_SEKI,
                   program_conv(program, "value.seki", trunk, SEKI_CHANNELS, 1, -0.2));
    if (!composer->config->td_errors) return;
    program_output(program, HEAD_TD_ERRORS,
                   program_bias(program, "value.tderrorbias",
                                program_dense(program, "value.tderror", h, TD_ERRORS, -0.2)));
}

void heads_compose(Composer *composer, Value trunk, Value globals) {
    compose_policy(composer, trunk);
    compose_value(composer, trunk, globals);
}
