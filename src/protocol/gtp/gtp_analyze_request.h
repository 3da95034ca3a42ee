/* gtp_analyze_request.h - what a client asks of the analyze commands (KataGo,
 * docs/GTP_Extensions.md; Leela Zero's lz-analyze). Threading: confined. */
#pragma once
#include "protocol/gtp/gtp_engine.h"

typedef enum {
    DIALECT_LZ,    /* winrate, prior and lcb as integers up to 10000 */
    DIALECT_KATA,  /* numbers of six digits */
    DIALECT_SABAKI /* the same, always with a decimal point */
} AnalyzeDialect;

typedef struct {
    AnalyzeDialect dialect;
    Color color;
    double interval_seconds; /* between reports; 0: none during the search */
    int least_moves, most_moves;
    bool root_info, ownership, ownership_stdev, moves_ownership, moves_ownership_stdev, line_visits,
        line_edge_visits, no_result;
    bool avoids; /* `avoid` holds restrictions */
    SearchAvoid avoid;
} AnalyzeRequest;

/* Parses the words [color] [interval] [key value ...]. `color`: that of the request where no word
 * names one. `name`: that of the command in the error message. ERR_SYNTAX. */
Status analyze_request_parse(const Gtp *gtp, const Arguments *a, AnalyzeDialect dialect,
                             Color color, const char *name, AnalyzeRequest *out, Error *err);
