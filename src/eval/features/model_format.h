/* model_format.h - the model format of a net: the formulas by which its inputs are encoded and its
 * raw outputs decoded. KataGo changed them with the version of its models
 * (cpp/neuralnet/modelversion.cpp, nneval.cpp). A net holds its format in the note "meaning".
 * Threading: immutable. */
#pragma once
#include "eval/features/policies.h"
#include "go/rules.h"
#include "nn/graph/net.h"

/* Factors of the raw outputs of HEAD_SCORE (eval/arch/heads.h), in the order of its channels. */
typedef struct {
    double mean, stdev, lead, var_time, shortterm_winloss, shortterm_score;
} ScoreMultipliers;

typedef struct {
    int version; /* the version of KataGo's models, 3 to 17 */
    /* whether the policies have the channels of our own nets; otherwise the channels are those of
     * KataGo's nets for play (policies.h) */
    bool own_policies;
    bool passalive_under_suicide; /* features show pass-alive areas as if suicide were legal */
    bool metadata;   /* the net is conditioned on the players: it has an input "metadata" */
    double td_score; /* only KataGo's training uses it; we keep it to write KataGo's files again */
    ScoreMultipliers score;
} ModelFormat;

/* The format of nets without the note, which are our own nets: that of KataGo's version 14, with
 * our policies. */
extern const ModelFormat MODEL_FORMAT_DEFAULT;
/* Our own nets have version 14, with three exceptions. A net with values of moves
 * (POLICIES_Q_VALUES) has version 16. Other nets have version 15 if they read who played, or if
 * their trunk ends with an RMS norm. Nets with version 15 or 16 have the note. */
enum {
    MODEL_FORMAT_VERSION_PLAYERS = 15,
    MODEL_FORMAT_VERSION_RMS = 15,
    MODEL_FORMAT_VERSION_Q_VALUES = 16
};

/* Reads the format from the net's note. A net without the note has the default format. ERR_SYNTAX,
 * ERR_ARGUMENT: the note is damaged. */
MUST_USE Status model_format_of(const Net *net, ModelFormat *out, Error *err);
/* Writes the net's note. ERR_MEMORY. */
MUST_USE Status model_format_note(Net *net, const ModelFormat *model_format, Error *err);

/* Returns the version of the input features, 3 to 7. */
int model_format_features(const ModelFormat *model_format);
/* Returns whether the outputs "policy" and "pass" of a net of this format may have this number of
 * channels. */
bool model_format_has_policies(const ModelFormat *model_format, int channels);
/* Returns the smallest number of channels that these outputs may have. */
int model_format_min_policies(const ModelFormat *model_format);
/* Returns which channel each policy has in a net whose output "policy" has `channels` channels. */
PolicyChannels model_format_policies(const ModelFormat *model_format, int channels);
/* Returns the number of channels of the output "score". */
int model_format_score_channels(const ModelFormat *model_format);
/* Returns the rules nearest to `rules` among those that nets of this format are trained on (KataGo,
 * cpp/neuralnet/desc.cpp). */
Rules model_format_rules(const ModelFormat *model_format, const Rules *rules);
