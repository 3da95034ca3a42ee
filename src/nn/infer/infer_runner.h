/* infer_runner.h - what a runner of plans (infer_run.h) holds, and one run of a chunk of samples: for
 * the units that run the steps. Threading: confined. */
#pragma once
#include "nn/backends/onednn/infer_onednn.h"
#include "nn/infer/infer_packed.h"
#include "nn/kernels/conv/conv_int8.h"
#include "nn/kernels/infer_kernels.h"

enum { CHUNK_SIZES = 19 };

typedef struct {
    OnednnLayer **layers; /* by step; NULL array: not made yet */
} Chunk;

typedef struct {
    PackedPlan *packed;
    const Plan *plan; /* of prepared */
    OnednnInfer *onednn;
    const InferKernels *kernels;
    int batch, sizes; /* sizes: how many of CHUNK_SAMPLES are used */
    Chunk chunks[CHUNK_SIZES];
    unsigned char *arena;
    float **constants; /* by step: values for the largest chunk */
    void *scratch;
    size_t scratch_bytes;
    float *winograd_scratch; /* scratch of a convolution by Winograd's tiles */
    float *gemm_scratch;     /* of a 1 x 1 convolution of our own */
    ConvInt8 **int8;         /* by step: convolutions in int8 */
    float *sums;             /* of one of them, on one board */
    float *mask, *area, *affine;
    float *attention; /* scratch of attention */
    float *saved;     /* what ops by definition keep for backward, which none of them needs here */
} Runner;

/* One run of a chunk. */
typedef struct {
    Runner *runner;
    float *const *inputs;
    int start, samples;
    const float *mask; /* NULL: every cell is on */
    OnednnLayer **layers;
} Call;
