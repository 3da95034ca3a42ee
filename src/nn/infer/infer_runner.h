/* infer_runner.h - the structs that the files that run steps share: a Runner, which runs a plan
 * (infer_run.h), and a Call, the run of one chunk of samples. Threading: confined. */
#pragma once
#include "nn/backends/onednn/infer_onednn.h"
#include "nn/infer/infer_packed.h"
#include "nn/kernels/conv/conv_int8.h"
#include "nn/kernels/infer_kernels.h"

enum { CHUNK_SIZES = 19 };

/* The layers that evaluate chunks of one size. */
typedef struct {
    OnednnLayer **layers; /* by step; the array is NULL until this size occurs */
} Chunk;

typedef struct {
    PackedPlan *packed;
    const Plan *plan; /* the plan of `packed` */
    OnednnInfer *onednn;
    const InferKernels *kernels;
    int batch, sizes; /* `sizes`: how many of the chunk sizes in infer_run.c are used */
    Chunk chunks[CHUNK_SIZES];
    unsigned char *arena;
    float **constants; /* by step: its values, repeated for the largest chunk */
    void *scratch;
    size_t scratch_bytes;
    float *winograd_scratch;
    float *gemm_scratch;
    ConvInt8 **int8; /* by step: convolutions in int8 */
    float *sums;     /* results of a convolution in int8 on one board */
    float *mask, *area, *affine;
    float *attention; /* scratch */
    float *saved;     /* OpCall.saved, for steps that run definitions */
} Runner;

/* The run of one chunk, whose first sample is number `start` of the batch. */
typedef struct {
    Runner *runner;
    float *const *inputs;
    int start, samples;
    const float *mask; /* NULL if all cells are on the board */
    OnednnLayer **layers;
} Call;
