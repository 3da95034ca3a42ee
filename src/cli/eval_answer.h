/* eval_answer.h - what `aji eval` found, as text and as JSON. Threading: any thread. */
#pragma once
#include "base/json.h"
#include "base/strbuf.h"
#include "eval/evaluators/evaluation.h"
#include "search/tree/report.h"

enum { ANSWER_MOVES_MAX = 10 }; /* how many moves of a search the text shows */

typedef struct {
    const char *net; /* path */
    const Position *position;
    const Evaluation *evaluation;
    const Report *report; /* of the search; NULL: there was none */
    const float *scores;  /* the mover's, by score_distribution(); NULL: the net has none */
} EvalAnswer;

/* Adds the text to `out`. `shades`: draw the ownership in greys, for a terminal. */
void eval_answer_text(const EvalAnswer *answer, bool shades, StrBuf *out);
json_t *eval_answer_json(const EvalAnswer *answer); /* the caller releases it; NULL: no memory */
