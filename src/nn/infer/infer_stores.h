/* infer_stores.h - chooses the types in which values are stored. Part of lowering (infer_lower.h).
 * Threading: free functions without state. */
#pragma once
#include "nn/infer/infer_plan.h"

/* Chooses the type of every value, and adds a step that rounds where readers want different types.
 * The plan has room for twice its steps. */
MUST_USE Status plan_choose_stores(Plan *plan, Error *err);
