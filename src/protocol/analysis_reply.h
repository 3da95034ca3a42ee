/* analysis_reply.h - what is told of one position, as JSON. Threading: free functions. */
#pragma once
#include "base/json.h"
#include "protocol/analysis_query.h"
#include "search/report.h"

/* A search as it stands. */
typedef struct {
    const AnalysisQuery *query;
    int turn;
    bool during_search;
    const Search *search;
    const Report *report;
    const Evaluation *raw;   /* the net's view of the root */
    const Evaluation *human; /* that of the net of human play; NULL: none */
    const Position *root;
} ReplyView;

/* NULL: no memory. */
json_t *reply_of_search(const ReplyView *view);
/* Of a position that was given up before it was searched. */
json_t *reply_without_results(const AnalysisQuery *query, int turn);

/* A hash of stones, mover and ko as 32 hexadecimal digits: equal for equal situations; `smallest`:
 * the smallest of those of all symmetries, equal for situations that are turned or mirrored. */
typedef struct {
    char text[33];
} SituationText;
SituationText situation_text(const Position *position, bool smallest);
