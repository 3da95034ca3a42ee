/* infer_share.h - where executors of a net find what others of it have prepared (infer_prepared.h).
 * Counted: it lasts as long as one has it. Threading: shared. */
#pragma once
#include "base/error.h"

typedef struct InferShare InferShare;

MUST_USE Status infer_share_new(InferShare **out, Error *err);
InferShare *infer_share_take(InferShare *share); /* for one more */
void infer_share_give(InferShare *share);        /* NULL is fine */
int infer_share_count(InferShare *share);        /* plans that are held */
