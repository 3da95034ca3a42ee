/* gtp_info.h - the lines that the analyze commands answer with (KataGo, docs/GTP_Extensions.md;
 * Leela Zero's lz-analyze).
 * Threading: free functions. */
#pragma once
#include "protocol/gtp/gtp_analyze_request.h"

/* A report, and how to show it. */
typedef struct {
    const AnalyzeRequest *request;
    const Report *report;
    const Evaluation *raw;  /* the net's evaluation of the root; read only if request->root_info */
    const Session *session; /* it has the ownership */
    const SearchSettings *settings;
    int width, height;
    int line_length; /* maximum number of moves of a line */
    bool flipped;    /* values are shown for the opponent of the player to move */
} GtpInfoView;

/* Adds one line to `out`: an `info` block for each move, then those values of the root that the
 * request asks for. Adds nothing if there is no move to list. */
void gtp_info_write(const GtpInfoView *view, StrBuf *out);
