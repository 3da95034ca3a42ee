/* arch_settings.h - what a net described in words may be: its settings. Threading: immutable. */
#pragma once
#include "base/settings.h"
#include "eval/policies.h"

enum { NORM_BATCH, NORM_FIXUP, NORM_FIXED, NORM_RENORM, NORM_FIXSCALE, NORM_FSON };
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
    char heads[SETTINGS_TEXT_SIZE];    /* names of heads beside the usual ones, joined by "+" */
    char block[SETTINGS_TEXT_SIZE];    /* kind of the blocks that do not pool: a name of BLOCKS */
} ArchSettings;
extern const ConfigField ARCH_FIELDS[];

/* In words that arch_parse() understands: "b4c32,norm=batch". The same words, the same net. */
typedef struct {
    char text[640];
} ArchText;
ArchText arch_text(const ArchSettings *settings);
/* The settings as a net's note keeps them. Those that came later are left out where they have their
 * defaults, so that the notes of nets without them stay as they were. */
void arch_note_text(const ArchSettings *settings, StrBuf *out);
