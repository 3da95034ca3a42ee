/* infer_products.h - 1 x 1 convolutions in f32 as products of our own (kernels/products.h), a few
 * rows at a time, with what follows them while they are in the nearest cache. Private to
 * infer_run.c. Threading: confined. */
#pragma once
#include "nn/infer/infer_steps.h"

bool infer_products_can(const Plan *plan, const Step *step);
/* The weights (in, out) of such a step, to be freed. */
MUST_USE Status infer_products_weights(const Step *step, float **out, Error *err);
size_t infer_products_scratch(const Step *step); /* numbers */
void infer_products_run(const Call *call, int index);
