/* analysis.h - KataGo's JSON protocol of analysis (KataGo, docs/Analysis_Engine.md): each line is a
 * query about many positions, which are searched at once, and each position has one answer, besides
 * reports on the way. Threads of the engine's own search, each with several searches on one
 * evaluator (search/driver.h).
 *
 * A program calls analysis_new(), analysis_serve() and analysis_free(). One with clients of its
 * own calls analysis_line() for each line instead, analysis_wait() after the last one, and
 * analysis_leave() before the client goes.
 * Threading: an Analysis is shared; a client's lines come from one thread at a time. */
#pragma once
#include "protocol/analysis/analysis_client.h"
#include "protocol/analysis/analysis_setup.h"

typedef struct Analysis Analysis;
/* ERR_ARGUMENT: the setup asks for no thread or no position. ERR_MEMORY. */
MUST_USE Status analysis_new(const AnalysisSetup *setup, Analysis **out, Error *err);
/* Ends at once. What is pending is not answered. */
void analysis_free(Analysis *analysis);

/* Takes one line. Errors, warnings and actions are answered before it returns, positions later. The
 * client is borrowed until its last answer, see analysis_leave(). */
void analysis_line(Analysis *analysis, AnalysisClient *client, const char *line);
/* Waits until nothing of the client is pending. ERR_STOPPED: the process was told to stop. ERR_IO:
 * the client takes no more answers. */
MUST_USE Status analysis_wait(Analysis *analysis, const AnalysisClient *client, Error *err);
/* Drops the queries of a client that is gone. Nothing is written to it any more. */
void analysis_leave(Analysis *analysis, AnalysisClient *client);

/* Reads lines from the descriptor `input` until its end, and writes answers to `output`, whether or
 * not the client reads them before that. `waits`: what is pending at the end is still answered.
 * ERR_STOPPED, ERR_IO. */
MUST_USE Status analysis_serve(Analysis *analysis, int input, int output, bool waits, Error *err);
