/* infer_lower.h - lowers the program of a net to a plan (infer_plan.h). Threading: free functions
 * without state. */
#pragma once
#include "nn/backends/backend.h"
#include "nn/graph/net.h"
#include "nn/infer/infer_plan.h"

/* `precision`: f32, bf16 or int8. In int8, what is not quantised runs as in a plan in bf16 if the
 * processor has bf16, and otherwise in f32. ERR_UNSUPPORTED: `precision` is int8 and the net is not
 * quantised, or the plan takes more memory than infer_plan.h allows. ERR_SYNTAX: the quantisation
 * in the net's notes is malformed. */
MUST_USE Status plan_new(const Net *net, int height, int width, Precision precision, Plan **out,
                         Error *err);
