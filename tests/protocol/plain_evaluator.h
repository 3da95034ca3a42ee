/* plain_evaluator.h - makes evaluators without a state of their own, for tests. */
#pragma once
#include <stdlib.h>

#include "base/memory.h"
#include "eval/evaluators/evaluator.h"

static inline void plain_evaluator_free(Evaluator *evaluator) {
    free(evaluator);
}

static inline Status plain_evaluator_new(const EvaluatorClass *class, int batch, Evaluator **out,
                                         Error *err) {
    Status status = mem_new(1, sizeof **out, out, err);
    if (!status) **out = (Evaluator){.class = class, .batch = batch};
    return status;
}
