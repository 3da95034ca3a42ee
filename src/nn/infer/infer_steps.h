/* infer_steps.h - the steps of a plan that are plain loops. Private to infer_run.c. Threading:
 * confined. */
#pragma once
#include "nn/infer/infer_runner.h"

void *steps_buffer(const Call *call, int index);        /* where a step's values are */
const float *steps_floats(const Call *call, int index); /* NULL for index -1 */
/* Sample n of a convolution in int8: from runner->sums, which have the residual, to its buffer. */
void steps_activate_int8(const Call *call, int index, int n);
void steps_run(const Call *call, int index); /* any but those of oneDNN and Winograd */
