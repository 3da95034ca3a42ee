/* infer_steps.h - runs all steps of a plan except dense layers and large convolutions. Private
 * to the files that run steps (infer_run.c, infer_gemm.c, infer_int8_rows.c, infer_winograd.c).
 * Threading: confined. */
#pragma once
#include "nn/infer/infer_runner.h"

void *steps_buffer(const Call *call, int index);        /* the values of a step */
const float *steps_floats(const Call *call, int index); /* NULL if `index` is -1 */
/* Finishes sample n of a convolution in int8: applies activation and mask to runner->sums, which
 * include the residual, and stores the results in the step's buffer. */
void steps_activate_int8(const Call *call, int index, int n);
/* Runs a small convolution (plan_is_small_conv()), or any step that is no convolution and no dense
 * layer. */
void steps_run(const Call *call, int index);
