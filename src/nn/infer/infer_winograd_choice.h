/* infer_winograd_choice.h - chooses the convolutions that run by Winograd. Part of lowering
 * (infer_lower.h). Threading: free functions without state. */
#pragma once
#include "nn/infer/infer_plan.h"

/* Sets Step.winograd of all steps. In a plan in bf16, it chooses only convolutions that run faster
 * by Winograd in f32 than directly in bf16, in which products are twice as fast. */
void plan_choose_winograd(Plan *plan);
