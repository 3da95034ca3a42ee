/* infer_winograd_choice.h - chooses convolutions for Winograd's tiles. Part of lowering (infer_lower.h).
 * Threading: free functions without state. */
#pragma once
#include "nn/infer/infer_plan.h"

/* Which convolutions go by tiles. In bf16 those that are faster so than at twice the
 * arithmetic. */
void plan_choose_winograd(Plan *plan);
