/* infer_winograd_choice.h - chooses the convolutions that run by Winograd. Part of lowering
 * (infer_lower.h). Threading: free functions without state. */
#pragma once
#include "nn/infer/infer_plan.h"

/* In a plan in bf16 only those are chosen that are faster by Winograd in f32 than directly in bf16,
 * which has twice the arithmetic. */
void plan_choose_winograd(Plan *plan);
