/* infer_memory.h - places the buffers of a plan. Part of lowering (infer_lower.h). Threading: free
 * functions without state. */
#pragma once
#include "nn/infer/infer_plan.h"

/* Gives each step a place in the arena, reusing what no later step reads. */
MUST_USE Status plan_place(Plan *plan, Error *err);
