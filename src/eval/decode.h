/* decode.h - from the raw outputs of a net to an evaluation of one position. Threading: free
 * functions. */
#pragma once
#include "eval/evaluation.h"
#include "eval/model_format.h"
#include "go/symmetry.h"

typedef struct {
    const float *policy, *pass, *value, *score, *ownership; /* one sample; ownership may be NULL */
    int policy_channels;
    int buffer_width, buffer_height;
    Symmetry symmetry; /* that the features had */
    float policy_temperature;
    float optimism; /* 0 to 1: logits go so far from the own towards the optimistic policy's, where
                       the net has one (KataGo, docs/KataGoMethods.md, "Optimistic Policy") */
    int optimistic; /* which policy that is; 0: none */
    const ModelFormat *model_format;
} RawOutputs;

/* Takes the softmax over legal moves and outcomes, puts scores on the scale of points, and undoes
 * the symmetry. ERR_UNSUPPORTED: an output, or what is made of it, is not finite. */
MUST_USE Status decode_outputs(const RawOutputs *raw, const Position *position, Evaluation *out,
                               Error *err);
