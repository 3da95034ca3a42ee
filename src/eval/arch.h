/* arch.h - a net described in words, and built. Threading: free functions. */
#pragma once
#include "base/settings.h"
#include "nn/net.h"

typedef struct {
    int blocks, channels;
    int pool_channels;  /* of global-pooling blocks; 0: channels / 4 at least 8 */
    int pool_every;     /* every k-th block pools (Wu 2019: two of six); 0: none */
    int inner_channels; /* of residual blocks; 0: as channels */
    int policy_channels, value_channels, value_hidden; /* heads; 0: by channels */
    int start_kernel;                                  /* 5 in the paper, 3 in KataGo today */
    int norm;       /* batch | fixup | fixed | renorm | fixscale | fson */
    int activation; /* relu | mish | silu */
    bool score_distribution;
    bool go_features;                  /* false: stones, ko, last moves, rules and komi only */
    int policies;                      /* Policies: what the policy head says */
    bool auxiliary;                    /* heads that only teach the trunk; heads.h */
    bool td_errors;                    /* one more of them: how far off the later values are */
    float norm_momentum, norm_epsilon; /* of batch norms */
    bool norm_gain;                    /* they have gains, not biases alone */
} ArchConfig;
extern const ConfigField ARCH_FIELDS[];

/* "b6c96", "b4c32", with parts behind dashes: "b4c32-fixup", "b6c96-batch-mish-k5", or
 * "blocks=4,channels=32,norm=fixup". */
MUST_USE Status arch_parse(const char *text, ArchConfig *out, Error *err);
MUST_USE Status arch_build(const ArchConfig *config, Rng *rng, Net **out,
                           Error *err); /* random weights; note "architecture" set */
/* What the net's note says; ERR_UNSUPPORTED: it has none, ERR_SYNTAX: it is not understood. */
MUST_USE Status arch_of_net(const Net *net, ArchConfig *out, Error *err);
/* In words that arch_parse() understands: "b4c32,norm=batch". The same words, the same net. */
typedef struct {
    char text[640];
} ArchText;
ArchText arch_text(const ArchConfig *config);
MUST_USE Status arch_build_text(const char *text, Rng *rng, Net **out, Error *err);
