/* query_reader.h - what the files that parse a query share: the query in the making, and how faults
 * and warnings are reported. Every function that reads a member returns false after it has called
 * reader_fault().
 * Threading: confined. */
#pragma once
#include "base/json.h"
#include "protocol/analysis/analysis_query.h"
#include "protocol/analysis/analysis_setup.h"

/* What is wrong with a query, in KataGo's words. */
typedef struct {
    char field[64]; /* the field that the fault is about; "": none */
    char *text;     /* the caller frees it */
} QueryFault;

typedef struct {
    const AnalysisSetup *setup;
    json_t *object;
    json_t *warnings; /* an array of objects */
    QueryFault *fault;
    AnalysisQuery *query;
} QueryReader;

/* Notes the fault. Always returns false. */
bool reader_fault(QueryReader *reader, const char *field, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void reader_warn(QueryReader *reader, const char *field, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Whether `value` is an integer within least .. most; if so it is written to `*out`. Notes no
 * fault. */
bool json_whole(const json_t *value, long long min, long long max, long long *out);
