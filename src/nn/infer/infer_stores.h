/* infer_stores.h - chooses in which form values are kept. Part of lowering (infer_lower.h).
 * Threading: free functions without state. */
#pragma once
#include "nn/infer/infer_plan.h"

/* How values are kept, with a step that rounds where readers want another form than
 * others. The plan has room for as many steps again. */
MUST_USE Status plan_choose_stores(Plan *plan, Error *err);
