/* arch_settings.h - the settings of a net's architecture, and their text forms. Threading:
 * immutable. */
#pragma once
#include "base/settings.h"
#include "eval/features/policies.h"

enum { NORM_BATCH, NORM_FIXUP, NORM_FIXED, NORM_RENORM, NORM_FIXSCALE, NORM_FSON };
/* Norms of each point. Only the option `norm` of a block can choose them; the setting `norm`
 * cannot. */
enum { NORM_POINT_RMS = NORM_FSON + 1, NORM_POINT_LAYER };
/* Values of ArchSettings.activation that the enum Activation lacks. ARCH_PRELU has parameters, so
 * it is an op of its own. ARCH_RELU2 is the square of relu, which takes two ops. */
enum { ARCH_PRELU = 4, ARCH_RELU2 };
enum { POOLING_AUTO, POOLING_SCALED, POOLING_MEAN_MAX, POOLING_MEAN, POOLING_MEAN_MAX_STDEV };
enum { INPUTS_KATAGO, INPUTS_GONN26 };
enum { TIP_AUTO, TIP_NORM, TIP_RMS, TIP_RMS_BOARD, TIP_NONE };
typedef struct {
    int blocks, channels;
    int pool_channels;  /* in global-pooling blocks; 0: a quarter of `channels`, at least 8 */
    int pool_every;     /* every k-th block pools (Wu 2019: two of six); 0: none */
    int inner_channels; /* inside blocks; 0: each kind of block has its own number */
    /* channels and hidden units of the heads; 0: chosen by `channels` */
    int policy_channels;
    int value_channels, value_hidden;
    int start_kernel;   /* width of the first convolution: 5 in Wu 2019, 3 in KataGo today */
    int norm;           /* one of NORM_BATCH ...; ARCH_FIELDS describes them */
    int activation;     /* Activation, ARCH_PRELU or ARCH_RELU2 */
    double prelu_slope; /* initial slope of ARCH_PRELU */
    bool score_distribution;
    bool go_features; /* whether the net reads liberties, ladders and others: see ARCH_FIELDS */
    int policies;     /* Policies: what the channels of the policy head are */
    bool auxiliary;   /* whether the net has the auxiliary heads (heads.h) */
    bool td_errors;   /* whether the net also has HEAD_TD_ERRORS; needs HEAD_TD */
    double norm_momentum, norm_epsilon;  /* of batch norms */
    bool norm_gain;                      /* whether batch norms have gains beside their biases */
    char heads[SETTINGS_TEXT_SIZE];      /* names of heads, joined by "+": see head_is_wanted() */
    char block[SETTINGS_TEXT_SIZE];      /* kind of the blocks that do not pool: a name in BLOCKS */
    char trunk[SETTINGS_LONG_TEXT_SIZE]; /* all blocks (trunk.h); if empty, settings above decide */
    double center_init;                  /* see program_emphasise_centers() */
    int policy_kernel, head_kernel;      /* widths of convolutions of heads: see ARCH_FIELDS */
    int policy_attention;                /* channels of a key in the policy head; 0: no attention */
    int policy_embedding;                /* channels of a hidden layer before keys and queries */
    bool head_crelu;        /* the last hidden layers of heads have a concatenated ReLU */
    int pooling;            /* POOLING_AUTO ...: what pooling blocks compute for each channel */
    bool head_mean_max;     /* heads do not pool means scaled by board size: see ARCH_FIELDS */
    bool head_stdev;        /* with head_mean_max: the policy pools the standard deviation too */
    double start_center;    /* initial scale of a 1 x 1 convolution beside the first one; 0: none */
    int tip;                /* TIP_AUTO ...: the norm after the last block */
    double score_scale_max; /* the largest factor of the score distribution's logits; 0: no limit */
    int players;            /* width of a network that reads who played; 0: there is none */
    int ranks;              /* how many numbers stand for each rank; 0: the net reads no ranks */
    int score_mixtures;     /* how many distributions are mixed into that of the score */
    int policy_pooled;      /* channels that the policy pools; 0: as many as policy_channels */
    bool pass;              /* whether the net predicts the pass */
    int inputs;             /* INPUTS_KATAGO ...: what the first layer reads */
} ArchSettings;
extern const SettingsField ARCH_FIELDS[];
/* Returns whether a net with these settings reads who played, that is, has the input "metadata"
 * (eval/features/metadata.h). */
bool arch_reads_players(const ArchSettings *settings);

typedef struct {
    char text[2 * SETTINGS_LONG_TEXT_SIZE];
} ArchText;
/* Returns the settings as a description that arch_parse() understands, such as "b4c32,norm=batch".
 * Equal settings give equal descriptions. */
ArchText arch_text(const ArchSettings *settings);
/* Appends the settings in the form of a net's note. If a setting has its default and older versions
 * of the program do not know it, the note leaves it out. So old and new versions write the same
 * note for the same net. */
void arch_note_text(const ArchSettings *settings, StrBuf *out);
