/* meaning.h - how the inputs and outputs of a net are meant. KataGo changed the formulas with the
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
} NetMeaning;

/* Of nets without the note, which are our own: KataGo's version 14 with our policies. */
extern const NetMeaning MEANING_DEFAULT;
/* The version of our own nets that have values of moves, and their note says so. */
enum { MEANING_VERSION_Q_VALUES = 16 };

MUST_USE Status meaning_of(const Net *net, NetMeaning *out, Error *err);
MUST_USE Status meaning_note(Net *net, const NetMeaning *meaning, Error *err);

int meaning_features(const NetMeaning *meaning); /* version of the input features, 3 to 7 */
/* Channels of the outputs "policy" and "pass", and of "score". */
bool meaning_has_policies(const NetMeaning *meaning,
                          int channels); /* whether there may be so many */
int meaning_policies_least(const NetMeaning *meaning);
int meaning_optimistic(const NetMeaning *meaning,
                       int channels); /* which of them is the optimistic policy; 0: none */
int meaning_score_channels(const NetMeaning *meaning);
/* The rules that the net knows, nearest to `rules` (KataGo, cpp/neuralnet/desc.cpp). */
Rules meaning_rules(const NetMeaning *meaning, const Rules *rules);
