/* analysis_reply.h - answers with the analysis of one position, as JSON. A worker calls
 * reply_of_search() for each report and for the last answer.
 * Threading: free functions. */
#pragma once
#include "base/json.h"
#include "protocol/analysis/analysis_query.h"
#include "search/tree/report.h"

/* What a reply is made from. */
typedef struct {
    const AnalysisQuery *query;
    int turn;
    bool during_search;
    const Search *search;
    const Report *report;
    const Evaluation *raw;   /* the net's evaluation of the root */
    const Evaluation *human; /* that of the net of human play; NULL: there is no such net */
    const Position *root;
} ReplyView;

/* Returns the reply for a search that has visits. NULL: no memory. */
json_t *reply_of_search(const ReplyView *view);
/* Returns the reply for a position that was terminated before its first visit. NULL: no memory. */
json_t *reply_without_results(const AnalysisQuery *query, int turn);

typedef struct {
    char text[33];
} SituationText;
/* Returns a hash of stones, mover and ko as 32 hexadecimal digits. `smallest`: the smallest hash
 * over all symmetries, which is the same for positions that are rotated or mirrored. */
SituationText situation_text(const Position *position, bool smallest);
