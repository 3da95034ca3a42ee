/* infer_memory.h - places the buffers of a plan in one arena. Part of lowering (infer_lower.h).
 * Threading: free functions without state. */
#pragma once
#include "nn/infer/infer_plan.h"

/* Gives each step a place in the arena. A place is used again when no later step reads it. */
MUST_USE Status plan_place(Plan *plan, Error *err);
