/* infer_reference.h - runs a net op by op by the definitions in nn/ops; nothing is folded or
 * fused. The fast executor must agree with it. Threading: confined. */
#pragma once
#include "nn/graph/net.h"

typedef struct Reference Reference;

MUST_USE Status reference_new(const Net *net, int batch, int height, int width, Reference **out,
                              Error *err);
void reference_free(Reference *reference);
/* inputs[i] is the i-th input of the program, with `count` samples. */
void reference_run(Reference *reference, float *const *inputs, int count);
const float *reference_value(const Reference *reference, Value value);
