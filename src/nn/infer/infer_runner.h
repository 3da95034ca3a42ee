/* infer_runner.h - what a runner of plans (infer_run.h) holds, and the run of one chunk of samples;
 * shared by the files that run the steps. Threading: confined. */
#pragma once
#include "nn/backends/onednn/infer_onednn.h"
#include "nn/infer/infer_packed.h"
#include "nn/kernels/conv/conv_int8.h"
#include "nn/kernels/infer_kernels.h"

enum { CHUNK_SIZES = 19 };

typedef struct {
    OnednnLayer **layers; /* by step; the array is NULL until the chunk is made */
} Chunk;

typedef struct {
    PackedPlan *packed;
    const Plan *plan; /* the plan of `packed` */
    OnednnInfer *onednn;
    const InferKernels *kernels;
    int batch, sizes; /* `sizes`: how many of CHUNK_SAMPLES are used */
    Chunk chunks[CHUNK_SIZES];
    unsigned char *arena;
    float **constants; /* by step: values for the largest chunk */
    void *scratch;
    size_t scratch_bytes;
    float *winograd_scratch;
    float *gemm_scratch;
    ConvInt8 **int8; /* by step: convolutions in int8 */
    float *sums;     /* results of one of them on one board */
    float *mask, *area, *affine;
    float *attention; /* scratch */
    float *saved;     /* what ops by definition save for backward, which is never used here */
} Runner;

/* The run of one chunk. */
typedef struct {
    Runner *runner;
    float *const *inputs;
    int start, samples;
    const float *mask; /* NULL: all cells are on the board */
    OnednnLayer **layers;
} Call;
