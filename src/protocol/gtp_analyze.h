/* gtp_analyze.h - what the analysis commands ask for, and how their lines look (KataGo,
 * docs/GTP_Extensions.md; Leela Zero's lz-analyze). Threading: confined. */
#pragma once
#include "protocol/gtp_private.h"

typedef enum {
    DIALECT_LZ,    /* winrate, prior and lcb as integers up to 10000 */
    DIALECT_KATA,  /* numbers of six digits */
    DIALECT_SABAKI /* the same, always with a decimal point */
} AnalyzeDialect;

typedef struct {
    AnalyzeDialect dialect;
    Color color;
    double interval_seconds; /* 0: no reports on the way */
    int least_moves, most_moves;
    bool root_info, ownership, ownership_stdev, moves_ownership, moves_ownership_stdev, line_visits,
        line_edge_visits, no_result;
    bool avoids;
    SearchAvoid avoid;
} AnalyzeRequest;

/* [color] [interval] [key value ...]; `color` when none is named. `name` is that of the message.
 * ERR_SYNTAX. */
Status analyze_parse(const Gtp *gtp, const Arguments *a, AnalyzeDialect dialect, Color color,
                     const char *name, AnalyzeRequest *out, Error *err);

/* One line of `info` blocks, then those of the root; nothing for a search that has seen nothing.
 * `raw`: the net's view of the root, or NULL where no block needs it. */
typedef struct {
    const AnalyzeRequest *request;
    const Report *report;
    const Evaluation *raw;
    const Session *session; /* says who owns what */
    const SearchSettings *settings;
    int width, height;
    int line_length; /* moves of a line at most */
    bool turned;     /* values are the opponent's, not those of the player to move */
} AnalyzeView;
void analyze_write(const AnalyzeView *view, StrBuf *out);
