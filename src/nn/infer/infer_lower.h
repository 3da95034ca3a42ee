/* infer_lower.h - lowers a program to a plan (infer_plan.h). Threading: free functions without
 * state. */
#pragma once
#include "nn/backends/backend.h"
#include "nn/graph/net.h"
#include "nn/infer/infer_plan.h"

/* `precision`: f32, bf16 or int8. In int8, convolutions without quantisation run in bf16 if the
 * processor has it. ERR_UNSUPPORTED: int8 for a net that is not quantised. */
MUST_USE Status plan_new(const Net *net, int height, int width, Precision precision, Plan **out,
                         Error *err);
