/* infer_reference.h - the program op by op, as nn/ops defines them, nothing folded or fused: what
 * the fast executor must agree with. Threading: confined. */
#pragma once
#include "nn/graph/net.h"

typedef struct Reference Reference;

MUST_USE Status reference_new(const Net *net, int batch, int height, int width, Reference **out,
                              Error *err);
void reference_free(Reference *reference);
/* inputs[i]: the i-th input of the program, `count` samples. */
void reference_run(Reference *reference, float *const *inputs, int count);
const float *reference_value(const Reference *reference, Value value);
