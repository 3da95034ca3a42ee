/* infer_winograd_choice.h - chooses the convolutions that run by Winograd. Part of lowering
 * (infer_lower.h). Threading: free functions without state. */
#pragma once
#include "nn/infer/infer_plan.h"

/* Sets Step.winograd of all steps. Winograd runs in f32. Therefore, in a plan in bf16, only
 * convolutions are chosen for which Winograd in f32 is faster than direct products in bf16. */
void plan_choose_winograd(Plan *plan);
