/* model format.h - how the inputs and outputs of a net are meant. KataGo changed the formulas with the
 * version of its models (cpp/neuralnet/modelversion.cpp, nneval.cpp); a net keeps what holds for it
 * in its note "meaning". Threading: immutable. */
#pragma once
#include "go/rules.h"
#include "nn/net.h"

/* Of the raw score outputs, in the order of HEAD_SCORE. */
typedef struct {
    float mean, stdev, lead, var_time, shortterm_winloss, shortterm_score;
} ScoreMultipliers;

typedef struct {
    int version;                  /* of KataGo's models, 3 to 17 */
    bool own_policies;            /* policies are those that heads.h lists */
    bool passalive_under_suicide; /* pass-alive areas are seen as if suicide were legal */
    bool metadata;                /* an input "metadata": who plays (see metadata.h) */
    float td_score;               /* a multiplier that only training reads; kept for writing */
    ScoreMultipliers score;
} ModelFormat;

/* Of nets without the note, which are our own: KataGo's version 14 with our policies. */
extern const ModelFormat MODEL_FORMAT_DEFAULT;
/* The version of our own nets that have values of moves, and their note says so. */
enum { MODEL_FORMAT_VERSION_Q_VALUES = 16 };

MUST_USE Status model_format_of(const Net *net, ModelFormat *out, Error *err);
MUST_USE Status model_format_note(Net *net, const ModelFormat *model_format, Error *err);

int model_format_features(
    const ModelFormat *model_format); /* version of the input features, 3 to 7 */
/* Channels of the outputs "policy" and "pass", and of "score". */
bool model_format_has_policies(const ModelFormat *model_format,
                               int channels); /* whether there may be so many */
int model_format_min_policies(const ModelFormat *model_format);
int model_format_optimistic(const ModelFormat *model_format,
                            int channels); /* which of them is the optimistic policy; 0: none */
int model_format_score_channels(const ModelFormat *model_format);
/* The rules that the net knows, nearest to `rules` (KataGo, cpp/neuralnet/desc.cpp). */
Rules model_format_rules(const ModelFormat *model_format, const Rules *rules);
