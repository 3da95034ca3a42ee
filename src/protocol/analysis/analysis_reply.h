/* analysis_reply.h - answers with the analysis of one position, as JSON. A thread
 * that searches (analysis_worker.h) calls reply_of_search() for each report and for the last
 * answer.
 * Threading: free functions. */
#pragma once
#include "base/json.h"
#include "protocol/analysis/analysis_query.h"
#include "search/tree/report.h"

/* The contents of a reply. */
typedef struct {
    const AnalysisQuery *query;
    int turn;
    bool during_search;
    const Search *search;
    const Report *report;
    const Evaluation *raw;   /* the net's evaluation of the root */
    const Evaluation *human; /* by the net of human play; NULL if the query asks for none */
    const Position *root;
} ReplyView;

/* Returns the reply for a search that has visits, or NULL if there is no memory. */
json_t *reply_of_search(const ReplyView *view);
/* Returns the reply for a position whose search was terminated before its first visit, or NULL if
 * there is no memory. */
json_t *reply_without_results(const AnalysisQuery *query, int turn);

typedef struct {
    char text[33];
} SituationText;
/* Returns a hash of stones, mover and ko as 32 hexadecimal digits. If `smallest`, it is the
 * smallest hash over all symmetries of the board, so that rotated and mirrored positions have the
 * same hash. */
SituationText situation_text(const Position *position, bool smallest);
