/* arch_settings.h - the settings of a net's architecture, and their text forms. Threading:
 * immutable. */
#pragma once
#include "base/settings.h"
#include "eval/features/policies.h"

enum { NORM_BATCH, NORM_FIXUP, NORM_FIXED, NORM_RENORM, NORM_FIXSCALE, NORM_FSON };
typedef struct {
    int blocks, channels;
    int pool_channels;   /* in global-pooling blocks; 0: a quarter of `channels`, at least 8 */
    int pool_every;      /* every k-th block pools (Wu 2019: two of six); 0: none */
    int inner_channels;  /* inside residual blocks; 0: as `channels` */
    int policy_channels; /* of the heads; 0: chosen by `channels`, also for the next two */
    int value_channels, value_hidden;
    int start_kernel; /* width of the first convolution: 5 in the paper, 3 in KataGo today */
    int norm;         /* NORM_BATCH ... */
    int activation;   /* Activation */
    bool score_distribution;
    bool go_features; /* false: only stones, ko, last moves, rules and komi */
    int policies;     /* Policies: which policies the policy head gives */
    bool auxiliary;   /* the heads that only teach the trunk; heads.h */
    bool td_errors;   /* with `auxiliary`: also the head of later values' errors */
    double norm_momentum, norm_epsilon; /* of batch norms */
    bool norm_gain;                     /* whether batch norms have gains beside their biases */
    char heads[SETTINGS_TEXT_SIZE];     /* names of optional heads, joined by "+" */
    char block[SETTINGS_TEXT_SIZE];     /* kind of the blocks that do not pool: a name in BLOCKS */
} ArchSettings;
extern const SettingsField ARCH_FIELDS[];

/* The settings in words that arch_parse() understands, such as "b4c32,norm=batch". Equal settings
 * give equal words. */
typedef struct {
    char text[640];
} ArchText;
ArchText arch_text(const ArchSettings *settings);
/* The settings as a net's note holds them. Settings that were added later are left out where they
 * have their defaults, so that older nets and new ones like them have the same note. */
void arch_note_text(const ArchSettings *settings, StrBuf *out);
