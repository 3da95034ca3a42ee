/* eval_answer.h - what `aji eval` found, as text and as JSON.
 * Threading: any thread. */
#pragma once
#include "base/json.h"
#include "base/strbuf.h"
#include "eval/evaluators/evaluation.h"
#include "search/result/tree_view.h"
#include "search/tree/report.h"

enum { ANSWER_MOVES_MAX = 10 }; /* how many moves of a search the text shows */

typedef struct {
    const char *net; /* path */
    const Position *position;
    int turn; /* number of moves that led to the position */
    const Evaluation *evaluation;
    const Report *report;     /* NULL if there was no search */
    const float *scores;      /* the mover's, by score_distribution(); NULL if the net has none */
    const TreeViewNode *tree; /* NULL if the tree is not to be shown */
    size_t tree_count;
} EvalAnswer;

/* Adds the text to `out`. If `shades`, the ownership is drawn in greys, for a terminal. */
void eval_answer_text(const EvalAnswer *answer, bool shades, StrBuf *out);
/* Returns the answer as JSON, which the caller releases, or NULL if there is no memory. */
json_t *eval_answer_json(const EvalAnswer *answer);
