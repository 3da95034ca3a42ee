/* gtp_analyze_request.h - the arguments of the analyze commands (KataGo, docs/GTP_Extensions.md;
 * Leela Zero's lz-analyze).
 * Threading: confined. */
#pragma once
#include "protocol/gtp/gtp_engine.h"

/* How the numbers in an answer are written. It depends on the prefix of the command: `lz-`, `kata-`
 * or none. */
typedef enum {
    DIALECT_LZ,    /* winrate, prior and lcb as integers up to 10000 */
    DIALECT_KATA,  /* numbers with six significant digits */
    DIALECT_SABAKI /* as DIALECT_KATA, but always with a decimal point */
} AnalyzeDialect;

typedef struct {
    AnalyzeDialect dialect;
    Color color;
    double interval_seconds;  /* between reports; 0 means none during the search */
    int min_moves, max_moves; /* how many moves a report lists */
    bool root_info, ownership, ownership_stdev, moves_ownership, moves_ownership_stdev, line_visits,
        line_edge_visits, no_result;
    bool avoids; /* `avoid` holds restrictions */
    SearchAvoid avoid;
} AnalyzeRequest;

/* Parses the arguments [color] [interval] [key value ...]. If they name no color, `color` is used.
 * Error messages call the command `name`. ERR_SYNTAX: an argument is wrong. */
Status analyze_request_parse(const Gtp *gtp, const Arguments *a, AnalyzeDialect dialect,
                             Color color, const char *name, AnalyzeRequest *out, Error *err);
