/* infer_steps.h - the steps of a plan that are plain loops. Private to infer_run.c. Threading:
 * confined. */
#pragma once
#include "nn/infer/infer_runner.h"

void *steps_buffer(const Call *call, int index);        /* the values of a step */
const float *steps_floats(const Call *call, int index); /* NULL for index -1 */
/* Finishes sample n of a convolution in int8: applies the activation to runner->sums, which include
 * the residual, and stores them in the step's buffer. */
void steps_activate_int8(const Call *call, int index, int n);
void steps_run(const Call *call, int index); /* runs any step except those of oneDNN and Winograd */
