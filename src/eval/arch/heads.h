/* heads.h - the heads of a net as one table: name, shape, when a net has them, how they are built.
 * heads_build() adds them to a net; heads_find() finds them in one.
 * To add a head, add a row and its builder in heads.c, and a loss (train/losses.h).
 * Threading: immutable table; free functions. */
#pragma once
#include "eval/arch/blocks/net_builder.h"
#include "eval/features/model_format.h"
#include "eval/features/policies.h"
#include "nn/graph/net.h"

/* The heads, in the order in which they are built. All outputs are raw: before softmax, softplus
 * and tanh. */
typedef enum {
    HEAD_POLICY, /* logits of the policies below, for each point */
    HEAD_PASS,   /* logits of the same policies for the pass */
    HEAD_VALUE,  /* win, loss, no result */
    /* Score mean, deviation, lead, time until the values settle, short-term error of win - loss,
     * short-term error of the score; KataGo's older nets have the first 1, 2 or 4 of them. */
    HEAD_SCORE,
    HEAD_OWNERSHIP,          /* tanh */
    HEAD_SCORE_DISTRIBUTION, /* bin i stands for the score i - 421 + 0.5 */
    /* The next five heads are auxiliary: they only teach the trunk. A net has all five or none
     * (KataGo, python/katago/train/model_pytorch.py; HEAD_SEARCH_VALUES: p3achygo). */
    HEAD_TD,            /* win, loss, no result for each of three horizons, then the three scores */
    HEAD_SEARCH_VALUES, /* this turn's search values: buckets of win - loss, -1 to 1 */
    HEAD_SCORING,       /* the score of each point */
    HEAD_FUTURE,        /* tanh: the stones on the board in 8 and in 32 turns */
    HEAD_SEKI, /* 3 classes: no, own, opponent's point that counts by area alone; then: unowned */
    /* The expected squared errors of HEAD_TD (p3achygo, python/model.py). Of win - loss over the
     * three horizons:
     *     4 * logistic(x)
     * then of the scores, in squared points:
     *     100 * |x| */
    HEAD_TD_ERRORS,
    /* Auxiliary too, but each net may have it by its name (lczero-training, tfprocess.py). The
     * turns to the end of the game, this one included:
     *     20 * softplus(x) */
    HEAD_MOVES_LEFT,
    HEAD_COUNT
} HeadId;

#define TD_HORIZONS 3 /* long, middle, short */
#define TD_CHANNELS 12
#define TD_ERRORS 6
#define FUTURE_CHANNELS 2
#define SEKI_CHANNELS 4
#define VALUE_BUCKETS 51
#define SCORE_BINS 842
#define SCORE_BINS_HALF 421

/* The score multipliers of our own nets. */
#define SCORE_MULTIPLIERS (MODEL_FORMAT_DEFAULT.score)

/* The layers that several heads share. Each is built when the first head needs it. */
typedef struct HeadParts HeadParts;

typedef enum {
    HEAD_ALWAYS,         /* every net has it */
    HEAD_OPTIONAL,       /* a net may have it */
    HEAD_AUXILIARY,      /* a net that has one of these has all of them */
    HEAD_WITH_AUXILIARY, /* a net that has the auxiliary heads may have it */
} HeadNeed;

typedef struct {
    const char *name;
    ValueKind kind;
    int channels; /* 0: one for each policy of the net */
    int rows;     /* of a KIND_LIST value */
    HeadNeed need;
    bool played; /* whether play reads it; inference does not compute the others */
    /* Whether a net of these settings has it. NULL: every net does if `need` is HEAD_ALWAYS,
     * otherwise the nets whose settings list it in `heads`. */
    bool (*wanted)(const ArchSettings *settings);
    Value (*build)(HeadParts *parts);
} Head;
extern const Head HEADS[HEAD_COUNT];

typedef struct {
    int output[HEAD_COUNT];              /* by HeadId: index among the net's outputs; -1: absent */
    int planes, globals, metadata;       /* indices among the net's inputs; -1: absent */
    int policy_channels, score_channels; /* how many policies and scores the net has */
    int optimistic;                      /* channel of the optimistic policy; 0: none */
} HeadIndex;

/* Finds inputs and outputs, and checks their shapes. The inputs are "planes" (spatial, 22 channels,
 * of which channel 0 is the mask) and "globals" (vector, 19), or fewer in older versions of the
 * features; and "metadata" (vector, 192) if the net is conditioned on the players. ERR_UNSUPPORTED:
 * an input or output is missing, or its shape differs from the model format's, or only some of the
 * auxiliary outputs exist. */
MUST_USE Status heads_find_as(const Program *program, const ModelFormat *model_format,
                              HeadIndex *out, Error *err);
MUST_USE Status heads_find(const Program *program, HeadIndex *out,
                           Error *err); /* with the model format of our own nets */
/* Checks the inputs alone. ERR_UNSUPPORTED. */
MUST_USE Status heads_check_inputs(const Program *program, const ModelFormat *model_format,
                                   Error *err);

/* Whether `name` is a head that a net has if its settings list it in `heads`. */
bool head_is_named(const char *name);
/* Checks a list of such names, joined by "+". ERR_ARGUMENT: one of them is not such a head. */
MUST_USE Status heads_check_names(const char *names, Error *err);
/* The number of values that a head gives for one position, on a buffer of `cells` points. */
size_t head_elements(HeadId head, int policy_channels, int cells);

/* Adds every head that the builder's settings ask for. `trunk`: after its last norm and activation;
 * `globals`: the net's input, from which the score distribution takes the parity of komi. */
void heads_build(NetBuilder *builder, Value trunk, Value globals);
