/* infer_packed.h - a plan with its weights packed for the kernels. Executors that run the same net
 * on the same board size in the same precision share it (infer_plan_cache.h). Threading: shared. */
#pragma once
#include "nn/backends/onednn/infer_onednn.h"
#include "nn/infer/infer_plan.h"

typedef struct {
    /* Step.weights is NULL if one of the next three arrays has the weights of the step */
    Plan *plan;
    float **winograd; /* by step: transformed weights of convolutions by Winograd */
    float **gemm;     /* by step: packed weights of 1 x 1 convolutions by GEMM */
    float **by_rows;  /* by step: packed weights of dense layers in int8 (infer_int8_rows.h) */
    /* by step: packed weights of its oneDNN layers. While executors share the plan, only
     * onednn_layer_new() may access them. */
    OnednnWeights **onednn;
} PackedPlan;
