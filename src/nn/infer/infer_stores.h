/* infer_stores.h - chooses the types in which values are stored. Part of lowering (infer_lower.h).
 * Threading: free functions without state. */
#pragma once
#include "nn/infer/infer_plan.h"

/* Sets Step.store and Step.rounding of all steps. Where the readers of a value want different
 * types, it adds steps that round. The caller must give plan->steps room for twice plan->count
 * steps. */
MUST_USE Status plan_choose_stores(Plan *plan, Error *err);
