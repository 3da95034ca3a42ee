/* eval_answer.h - what `aji eval` found, as text and as JSON. Threading: any thread. */
#pragma once
#include "base/json.h"
#include "base/strbuf.h"
#include "eval/evaluators/evaluation.h"
#include "search/tree/report.h"

enum { ANSWER_MOVES_MAX = 10 }; /* moves of a search that the text shows */

typedef struct {
    const char *net; /* path */
    const Position *position;
    const Evaluation *evaluation;
    const Report *report; /* NULL: nothing was searched */
    const float *scores;  /* of score_distribution(), the mover's; NULL: the net has none */
} EvalAnswer;

/* `shades`: the second board in greys, for a terminal. */
void eval_answer_text(const EvalAnswer *answer, bool shades, StrBuf *out);
json_t *eval_answer_json(const EvalAnswer *answer); /* the caller's; NULL: no memory */
