/* analysis.h - an engine for KataGo's JSON protocol of analysis (KataGo, docs/Analysis_Engine.md).
 * Each line is a query about one or many positions of a game, and each position has one answer,
 * besides reports during its search. Worker threads search many positions at once.
 *
 * A program that serves one client on stdin and stdout calls analysis_new(), analysis_serve() and
 * analysis_free(). A program with other clients calls, instead of analysis_serve(),
 * analysis_line() for each line, analysis_wait() after the last one, and analysis_leave() before
 * the client is freed.
 * Threading: an Analysis is shared; a client's lines come from one thread at a time. */
#pragma once
#include "protocol/analysis/analysis_client.h"
#include "protocol/analysis/analysis_setup.h"

typedef struct Analysis Analysis;
/* Starts the worker threads. The setup is copied. ERR_ARGUMENT: it asks for less than one thread or
 * one position. ERR_MEMORY. */
MUST_USE Status analysis_new(const AnalysisSetup *setup, Analysis **out, Error *err);
/* Ends the workers at once. Pending positions are not answered. NULL is fine. */
void analysis_free(Analysis *analysis);

/* Handles one line of the client. Errors, warnings and actions are answered before it returns,
 * positions later by the workers. The client is borrowed until its last answer or
 * analysis_leave(). */
void analysis_line(Analysis *analysis, AnalysisClient *client, const char *line);
/* Waits until all positions of the client are answered. ERR_STOPPED: stop_requested(). ERR_IO: the
 * client does not read its answers any more. */
MUST_USE Status analysis_wait(Analysis *analysis, const AnalysisClient *client, Error *err);
/* Drops the queries of the client. Nothing is written to it afterwards. */
void analysis_leave(Analysis *analysis, AnalysisClient *client);

/* Reads lines from the descriptor `input` until its end, and writes answers to the descriptor
 * `output`. The client may send all queries before it reads an answer. `waits`: positions that are
 * pending at the end of the input are still answered. ERR_STOPPED, ERR_IO as analysis_wait(). */
MUST_USE Status analysis_serve(Analysis *analysis, int input, int output, bool waits, Error *err);
