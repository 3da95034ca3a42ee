/* heads.h - names, shapes and meaning of a net's outputs, the multipliers of KataGo's
 * post-processing, and decoding. Threading: free functions. */
#pragma once
#include "eval/evaluation.h"
#include "eval/meaning.h"
#include "go/symmetry.h"
#include "nn/net.h"

/* Inputs: "planes" spatial 22 (mask: channel 0), "globals" vector 19, or what the net's version of
 * features has; "metadata" vector 192, where the net is told who plays. Outputs (raw, before
 * softmax and softplus): */
#define HEAD_POLICY "policy" /* spatial (h, w, P): logits of the policies below */
#define HEAD_PASS "pass"     /* vector (P): their pass logits */
#define HEAD_VALUE "value"   /* vector (3): win, loss, no result */
#define HEAD_SCORE                                                                                 \
    "score" /* vector (6): score mean, stdev, lead, var time, short-term winloss error, short-term \
               score error; the first 1, 2 or 4 of them in KataGo's older nets */
#define HEAD_OWNERSHIP "ownership" /* spatial (h, w, 1): tanh */
#define HEAD_SCORE_DISTRIBUTION                                                                    \
    "score_distribution" /* list (842, 1): logits; bin i stands for score i - 421 + 0.5; may be    \
                            absent */
/* The next ones only teach the trunk; "auxiliary" nets have all of them (KataGo,
 * python/katago/train/model_pytorch.py; the last: p3achygo). */
#define HEAD_TD                                                                                    \
    "td" /* vector (12): win, loss, no result over the three horizons, then their scores */
#define HEAD_FUTURE "future"   /* spatial (h, w, 2): tanh, stones in 8 and 32 turns */
#define HEAD_SEKI "seki"       /* spatial (h, w, 4): neither, own, opponent's; and nobody's point */
#define HEAD_SCORING "scoring" /* spatial (h, w, 1): what a point is worth */
#define HEAD_SEARCH_VALUES                                                                         \
    "search_values" /* vector (51): win - loss of this turn's search, from -1 to 1 */
/* What "auxiliary" nets may have besides (p3achygo, python/model.py): */
#define HEAD_TD_ERRORS                                                                             \
    "td_errors" /* vector (6): squared error of win - loss over the three horizons, 4 * logistic;  \
                   then that of their scores, 100 |x| points */
/* P is 2, 4, 6 or 8 in our own nets, in the order of KataGo's trainer (python/katago/train/
 * model_pytorch.py). Its nets for play have 1, 2 or 4: the own policy is the first, from version 12
 * the optimistic one is the second, and of 4 the last two are the values of moves. */
enum {
    POLICY_OWN,
    POLICY_REPLY, /* the opponent's next move */
    POLICY_SOFT,  /* own, flattened: the 4th root of the target */
    POLICY_SOFT_REPLY,
    POLICY_LONG_OPTIMISTIC, /* own, where the game ends better than the net expected */
    POLICY_OPTIMISTIC,      /* own, where the next searches find more than the net expected */
    POLICY_Q_WINLOSS,       /* no policy: win - loss after each own move, before tanh */
    POLICY_Q_SCORE,         /* the same of the score, before the multiplier of the score's mean */
    POLICY_CHANNELS_MOST
};
typedef enum { /* P is 2, 4, 6, 8 */
               POLICIES_PLAIN,
               POLICIES_SOFT,
               POLICIES_OPTIMISTIC,
               POLICIES_Q_VALUES
} Policies;
#define TD_HORIZONS 3 /* long, middle, short */
#define TD_CHANNELS 12
#define TD_ERRORS 6
#define FUTURE_CHANNELS 2
#define SEKI_CHANNELS 4
#define VALUE_BUCKETS 51
#define SCORE_BINS 842
#define SCORE_BINS_HALF 421

/* Of our own nets. */
#define SCORE_MULTIPLIERS (MEANING_DEFAULT.score)

typedef struct {
    int policy, pass, value, score, ownership, score_distribution; /* output indices; -1: absent */
    int td, future, seki, scoring, search_values;                  /* the same; all or none */
    int td_errors;                       /* the same; those above are there if it is */
    int planes, globals, metadata;       /* input indices; -1: absent */
    int policy_channels, score_channels; /* P, and how many scores */
    int optimistic;                      /* which policy is the optimistic one; 0: none */
} HeadIndex;
/* ERR_UNSUPPORTED: an input or output is missing, or not what the net's meaning asks for, or some
 * auxiliary outputs are there and others not. */
MUST_USE Status heads_find_as(const Program *program, const NetMeaning *meaning, HeadIndex *out,
                              Error *err);
/* Of the inputs alone: ERR_UNSUPPORTED. */
MUST_USE Status heads_check_inputs(const Program *program, const NetMeaning *meaning, Error *err);
MUST_USE Status heads_find(const Program *program, HeadIndex *out,
                           Error *err); /* as our own nets have them */

typedef struct {
    const float *policy, *pass, *value, *score, *ownership; /* one sample; ownership may be NULL */
    int policy_channels;
    int buffer_width, buffer_height;
    Symmetry symmetry; /* that the features had */
    float policy_temperature;
    float optimism; /* 0 to 1: logits go so far from the own towards the optimistic policy's, where
                       the net has one (KataGo, docs/KataGoMethods.md, "Optimistic Policy") */
    int optimistic; /* which policy that is; 0: none */
    const NetMeaning *meaning;
} RawOutputs;
/* Softmax over legal moves, outcomes, points; undoes the symmetry. ERR_UNSUPPORTED: an output, or
 * what is made of it, is not finite. */
MUST_USE Status heads_decode(const RawOutputs *raw, const Position *position, Evaluation *out,
                             Error *err);
