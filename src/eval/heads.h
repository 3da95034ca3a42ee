/* heads.h - the heads of a net as one table: name, shape, when a net has them, how they are built.
 * To add a head, add a row and its builder in heads.c, and a loss in train/losses.c.
 * Threading: immutable table; free functions. */
#pragma once
#include "eval/blocks/net_builder.h"
#include "eval/model_format.h"
#include "eval/policies.h"
#include "nn/net.h"

/* In the order in which they are built. All are raw: before softmax, softplus and tanh. */
typedef enum {
    HEAD_POLICY, /* logits of the policies below, for each point */
    HEAD_PASS,   /* their logits of the pass */
    HEAD_VALUE,  /* win, loss, no result */
    /* Score mean, deviation, lead, time until the values settle, short-term error of win - loss,
     * short-term error of the score; KataGo's older nets have the first 1, 2 or 4 of them. */
    HEAD_SCORE,
    HEAD_OWNERSHIP,          /* tanh */
    HEAD_SCORE_DISTRIBUTION, /* bin i stands for the score i - 421 + 0.5 */
    /* The next ones only teach the trunk; a net has all five of them or none (KataGo,
     * python/katago/train/model_pytorch.py; the search's values: p3achygo). */
    HEAD_TD,            /* win, loss, no result over three horizons, then the three scores */
    HEAD_SEARCH_VALUES, /* buckets of win - loss of this turn's search, from -1 to 1 */
    HEAD_SCORING,       /* what a point is worth */
    HEAD_FUTURE,        /* tanh: stones in 8 and in 32 turns */
    HEAD_SEKI,          /* neither's, own, opponent's point by area alone; and nobody's point */
    /* Squared error of win - loss over the three horizons, 4 * logistic; then that of their scores,
     * 100 |x| points (p3achygo, python/model.py). */
    HEAD_TD_ERRORS,
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

/* Of our own nets. */
#define SCORE_MULTIPLIERS (MODEL_FORMAT_DEFAULT.score)

/* What the heads are built on. Each part is built when the first head asks for it. */
typedef struct HeadParts HeadParts;

typedef enum {
    HEAD_ALWAYS,         /* every net has it */
    HEAD_OPTIONAL,       /* a net may have it */
    HEAD_AUXILIARY,      /* a net that has one of these has all of them */
    HEAD_WITH_AUXILIARY, /* a net may have it if it has the auxiliary ones */
} HeadNeed;

typedef struct {
    const char *name;
    ValueKind kind;
    int channels; /* 0: as many as the net has policies */
    int rows;     /* of a list */
    HeadNeed need;
    bool played; /* play reads it; inference leaves out what only training reads */
    /* Whether a net of these settings has it. NULL: every net does if it is always there, else those
     * whose settings name it in `heads`. */
    bool (*wanted)(const ArchSettings *settings);
    Value (*build)(HeadParts *parts);
} Head;
extern const Head HEADS[HEAD_COUNT];

typedef struct {
    int output[HEAD_COUNT];              /* by HeadId: index among the net's outputs; -1: absent */
    int planes, globals, metadata;       /* indices among the net's inputs; -1: absent */
    int policy_channels, score_channels; /* P, and how many scores */
    int optimistic;                      /* which policy is the optimistic one; 0: none */
} HeadIndex;

/* Inputs: "planes" spatial 22 (mask: channel 0), "globals" vector 19, or what the net's version of
 * features has; "metadata" vector 192, where the net is conditioned on who plays.
 * ERR_UNSUPPORTED: an input or output is missing, or not what the net's model format asks for, or some
 * auxiliary outputs are there and others not. */
MUST_USE Status heads_find_as(const Program *program, const ModelFormat *model_format,
                              HeadIndex *out, Error *err);
MUST_USE Status heads_find(const Program *program, HeadIndex *out,
                           Error *err); /* as our own nets have them */
/* Checks the inputs alone. ERR_UNSUPPORTED. */
MUST_USE Status heads_check_inputs(const Program *program, const ModelFormat *model_format,
                                   Error *err);

/* Whether this is a head that a net has where its settings name it. */
bool head_is_named(const char *name);
/* ERR_ARGUMENT: a name of the list, joined by "+", is no such head. */
MUST_USE Status heads_check_names(const char *names, Error *err);
/* Numbers of a head for one position on a buffer of `cells` points, in a net of so many policies.
 */
size_t head_elements(HeadId head, int policy_channels, int cells);

/* Adds every head that the builder's settings want. `trunk`: normed and activated; `globals`: the
 * input, for the parity of komi. */
void heads_build(NetBuilder *builder, Value trunk, Value globals);
