/* query_reader.h - what the files that parse a query share: the query while it is read, faults and
 * warnings. Every function that reads a member of the query returns false if it has called
 * reader_fault().
 * Threading: confined. */
#pragma once
#include "base/json.h"
#include "protocol/analysis/analysis_query.h"
#include "protocol/analysis/analysis_setup.h"

/* The first fault of a query, in the words of KataGo's messages. */
typedef struct {
    char field[64]; /* the field that the fault is about; "" if it is about none */
    char *text;     /* the caller frees it */
} QueryFault;

/* Limits on a query, so that the thread that reads it is soon free again. */
enum {
    QUERY_MEMBERS_MAX = 1000, /* members of a query, and of its overrideSettings */
    QUERY_ID_MAX = 4096       /* bytes of the id, which each answer repeats */
};

typedef struct {
    const AnalysisSetup *setup;
    json_t *object;
    json_t *warnings; /* an array of objects */
    QueryFault *fault;
    AnalysisQuery *query;
} QueryReader;

/* Notes that the query is refused because of `field`; the text is formatted as by printf(). Always
 * returns false. */
bool reader_fault(QueryReader *reader, const char *field, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds a warning about `field`. */
void reader_warn(QueryReader *reader, const char *field, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Returns whether `value` is an integer within min .. max. Any integer is written to `*out`, even
 * one outside these bounds. Does not call reader_fault(). */
bool json_integer_within(const json_t *value, long long min, long long max, long long *out);
