/* infer_packed.h - a plan with its weights packed as the kernels want them: what executors of one
 * net on one board have in common (infer_plan_cache.h). Threading: shared. */
#pragma once
#include "nn/backends/onednn/infer_onednn.h"
#include "nn/infer/infer_plan.h"

typedef struct {
    Plan *plan;             /* without the weights that are kept below */
    float **winograd;       /* by step: transformed weights of convolutions by Winograd's tiles */
    float **gemm;           /* by step: weights of 1 x 1 convolutions of our own */
    OnednnWeights **onednn; /* by step: of its layers; only onednn_layer_new() may look there */
} PackedPlan;
