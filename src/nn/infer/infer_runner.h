/* infer_runner.h - two structs for the files that run steps: a Runner, which runs a plan
 * (infer_run.h), and a Call, which is the run of one chunk of samples. Threading: confined. */
#pragma once
#include "nn/backends/onednn/infer_onednn.h"
#include "nn/graph/op_time.h"
#include "nn/infer/infer_packed.h"
#include "nn/kernels/conv/conv_int8.h"
#include "nn/kernels/infer_kernels.h"
#include "nn/kernels/norm_kernels.h"

enum { CHUNK_SIZES = 19 }; /* how many chunk sizes infer_run.c has */

/* The layers of oneDNN for chunks of one size. */
typedef struct {
    /* by step, NULL if oneDNN does not run it; the array is NULL until this size occurs */
    OnednnLayer **layers;
} Chunk;

typedef struct {
    PackedPlan *packed;
    const Plan *plan; /* the plan of `packed` */
    OnednnInfer *onednn;
    const InferKernels *kernels;
    const NormKernels *norms;
    int batch, sizes; /* only the `sizes` smallest chunk sizes are used */
    Chunk chunks[CHUNK_SIZES];
    unsigned char *arena;
    float **constants; /* by step: the values of a constant, once for each sample of a chunk */
    void *scratch;
    size_t scratch_bytes;
    float *winograd_scratch;
    float *gemm_scratch;
    ConvInt8 **int8; /* by step: convolutions in int8 */
    float *sums;     /* results of a convolution in int8 on one board */
    /* of a chunk: `mask` (samples, cells) is 1 on the board and 0 off it; `area` (samples) is the
     * number of cells on the board, at least 1; `affine` is ElementwiseCall.scratch */
    float *mask, *area, *affine;
    float *attention; /* AttentionCall.scratch */
    float *saved;     /* OpCall.saved, for steps that run definitions */
    OpTime *times;    /* by step; NULL while nothing is measured */
} Runner;

/* The run of one chunk, whose first sample is number `start` of the batch. */
typedef struct {
    Runner *runner;
    float *const *inputs;
    int start, samples;
    const float *mask;    /* Runner.mask, or NULL if all cells are on the board */
    OnednnLayer **layers; /* those of the chunk size, by step */
} Call;
