/* decode.h - decodes the raw outputs of a net into the evaluation of one position. Threading: free
 * functions. */
#pragma once
#include "eval/evaluators/evaluation.h"
#include "eval/features/model_format.h"
#include "go/symmetry.h"

typedef struct {
    const float *policy; /* the output for one sample */
    /* The others may be NULL. Without `pass`, the pass has a probability only if there is no other
     * legal move. Without `value`, winning and losing have the same probability. */
    const float *pass, *value, *score, *ownership, *value_buckets, *root_variance, *value_error,
        *moves_left;
    int policy_channels;
    int buffer_width, buffer_height;
    Symmetry symmetry; /* under which the features were encoded */
    float policy_temperature;
    /* 0 to 1: the logits of the ordinary policy (POLICY_OWN) and of the optimistic policy are
     * mixed, and this is the weight of the optimistic policy. Without an optimistic policy it has
     * no effect (KataGo, docs/KataGoMethods.md, "Optimistic Policy") */
    float optimism;
    int optimistic; /* channel of the optimistic policy; -1 if there is none */
    const ModelFormat *model_format;
} RawOutputs;

/* Takes the softmax over legal moves and over outcomes, converts scores to points, and undoes the
 * symmetry. ERR_UNSUPPORTED: an output of policy, pass, value, score or value_error is not finite,
 * or a decoded number is not finite. Other outputs may be infinite if they are decoded to finite
 * numbers. */
MUST_USE Status decode_outputs(const RawOutputs *raw, const Position *position, Evaluation *out,
                               Error *err);
