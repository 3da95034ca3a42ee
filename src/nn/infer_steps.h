/* infer_steps.h - what a runner holds, and the steps of a plan that are plain loops. Private to
 * infer_run.c. Threading: confined. */
#pragma once
#include "nn/backends/onednn/infer_onednn.h"
#include "nn/infer_kernels.h"
#include "nn/infer_prepared.h"
#include "nn/infer_run.h"
#include "nn/kernels/conv_bytes.h"

enum { CHUNK_SIZES = 19 };

typedef struct {
    OnednnLayer **layers; /* by step; NULL array: not made yet */
} Chunk;

struct Runner {
    Prepared *prepared;
    const Plan *plan; /* of prepared */
    OnednnInfer *onednn;
    const InferKernels *kernels;
    int batch, sizes; /* sizes: how many of CHUNK_SAMPLES are used */
    Chunk chunks[CHUNK_SIZES];
    unsigned char *arena;
    float **constants; /* by step: values for the largest chunk */
    void *scratch;
    size_t scratch_bytes;
    float *tiles;            /* scratch of a convolution by Winograd's tiles */
    float *products_scratch; /* of a 1 x 1 convolution of our own */
    ConvBytes **bytes;       /* by step: convolutions in int8 */
    float *sums;             /* of one of them, on one board */
    float *mask, *area, *affine;
    float *attention; /* scratch of attention */
    float *saved;     /* what ops by definition keep for backward, which none of them needs here */
};

/* One run of a chunk. */
typedef struct {
    Runner *runner;
    float *const *inputs;
    int start, samples;
    const float *mask; /* NULL: every cell is on */
    OnednnLayer **layers;
} Call;

void *steps_buffer(const Call *call, int index);        /* where a step's values are */
const float *steps_floats(const Call *call, int index); /* NULL for index -1 */
/* Sample n of a convolution in int8: from runner->sums, which have the residual, to its buffer. */
void steps_activate_bytes(const Call *call, int index, int n);
void steps_run(const Call *call, int index); /* any but those of oneDNN and Winograd */
