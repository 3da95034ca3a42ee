/* infer_memory.h - places the buffers of a plan in one arena. Part of lowering (infer_lower.h).
 * Threading: free functions without state. */
#pragma once
#include "nn/infer/infer_plan.h"

/* Gives the buffer of each step a place in the arena, except for inputs and constants, which lie
 * elsewhere. A place is used again when no later step reads the buffer. */
MUST_USE Status plan_place(Plan *plan, Error *err);
