/* analysis.h - an engine for KataGo's JSON protocol of analysis (KataGo, docs/Analysis_Engine.md).
 * Each line that a client sends is a query about one or several positions of a game. The engine
 * answers once for each position, and may also report on it during the search. Worker threads
 * search many positions at once.
 *
 * A program that serves one client on stdin and stdout calls analysis_new(), analysis_serve() and
 * analysis_free(). A program that reads and writes in another way does not call analysis_serve().
 * It calls analysis_line() for each line of a client, analysis_wait() after the last one, and
 * analysis_leave() before it frees the client.
 * Threading: an Analysis is shared; a client's lines come from one thread at a time. */
#pragma once
#include "protocol/analysis/analysis_client.h"
#include "protocol/analysis/analysis_setup.h"
#include <stdint.h>

typedef struct Analysis Analysis;
/* Starts the worker threads. Copies the setup. ERR_ARGUMENT: the setup asks for less than one
 * thread or one position. ERR_MEMORY: there is not enough memory. */
MUST_USE Status analysis_new(const AnalysisSetup *setup, Analysis **out, Error *err);
/* Ends the workers immediately, without answers for pending positions. NULL is fine. */
void analysis_free(Analysis *analysis);

/* Handles one line of the client. Answers errors, warnings and actions before it returns; the
 * workers answer positions later. The client is borrowed until its last answer or
 * analysis_leave(). */
void analysis_line(Analysis *analysis, AnalysisClient *client, const char *line);
/* Whether the client may send more lines. It may not while its queries take more than
 * CLIENT_QUERY_BYTES_MAX bytes, or while analysis_client_is_far_behind() is true because the client
 * does not read its answers. If the caller passes on lines all the same, the use of memory has no
 * limit. */
bool analysis_has_room(Analysis *analysis, const AnalysisClient *client);
/* How many positions of the client still wait for their last answer. */
int analysis_pending(Analysis *analysis, const AnalysisClient *client);
/* The work of the engine. */
typedef struct {
    int waiting;      /* positions that wait for a search */
    int64_t searches; /* that have begun since the engine was made */
} AnalysisWork;
AnalysisWork analysis_work(Analysis *analysis);
/* Looks at a line for which there is no room yet. If the line is a terminate action, carries it out
 * immediately for the positions that are queued or searched now, but does not answer the line.
 * Returns whether this was done. While the line waits, the caller may call this function again for
 * the line, since earlier lines may have queued more positions in the meantime. In any case the
 * line must be passed to analysis_line() later. */
bool analysis_line_ahead(Analysis *analysis, AnalysisClient *client, const char *line);
/* Waits until all positions of the client are answered. ERR_STOPPED: stop_requested() has become
 * true. ERR_IO: the client does not read its answers any more. */
MUST_USE Status analysis_wait(Analysis *analysis, const AnalysisClient *client, Error *err);
/* Drops the queries of the client. Nothing is written to it afterwards. */
void analysis_leave(Analysis *analysis, AnalysisClient *client);

/* Reads lines from the descriptor `input` until its end, and writes answers to the descriptor
 * `output`. The client may send all queries before it reads an answer. At the end of the input,
 * pending positions are still answered if `waits`, and otherwise dropped. ERR_STOPPED and ERR_IO
 * have the same causes as in analysis_wait(). */
MUST_USE Status analysis_serve(Analysis *analysis, int input, int output, bool waits, Error *err);
