/* analysis_reply.h - the answer for one position, as JSON. A worker calls reply_of_search() for
 * each report and for the last answer.
 * Threading: free functions. */
#pragma once
#include "base/json.h"
#include "protocol/analysis/analysis_query.h"
#include "search/tree/report.h"

/* What a reply shows of a search. */
typedef struct {
    const AnalysisQuery *query;
    int turn;
    bool during_search;
    const Search *search;
    const Report *report;
    const Evaluation *raw;   /* the net's evaluation of the root */
    const Evaluation *human; /* that of the net of human play; NULL: there is none */
    const Position *root;
} ReplyView;

/* NULL: no memory. */
json_t *reply_of_search(const ReplyView *view);
/* The reply for a position that was given up before it was searched. NULL: no memory. */
json_t *reply_without_results(const AnalysisQuery *query, int turn);

typedef struct {
    char text[33];
} SituationText;
/* A hash of stones, mover and ko as 32 hexadecimal digits, which equal situations have in common.
 * `smallest`: takes the smallest hash over all symmetries, which situations that are rotated or
 * mirrored have in common too. */
SituationText situation_text(const Position *position, bool smallest);
