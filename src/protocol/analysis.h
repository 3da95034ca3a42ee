/* analysis.h - KataGo's JSON protocol of analysis (KataGo, docs/Analysis_Engine.md): one query a
 * line, many positions at once, one answer a position and whatever comes on the way. Threads of
 * their own search; each runs several searches on one evaluator (search/driver.h).
 * Threading: an Analysis is shared; a client's lines come from one thread at a time. */
#pragma once
#include "eval/meaning.h"
#include "protocol/param.h"
#include "protocol/session.h"
#include <stdatomic.h>

/* What a query may change, besides the settings of the search. */
typedef struct {
    MoveLimits limits; /* of a position */
    AnalysisView view;
    int line_length; /* moves of a line after the first */
    bool prevent_encore, handicap_of_moves;
} AnalysisSettings;
extern const ConfigField ANALYSIS_FIELDS[];
/* What searches for analysis start from: KataGo's defaults where they differ from those of play. */
void analysis_settings_search(SearchSettings *out);

/* How the engine works, which no query changes. */
typedef struct {
    int threads;   /* 0: as many as this process may use */
    int positions; /* at once, over all threads; 0: one a thread */
    int64_t cache_mb, seed;
    bool warn_unused, randomize;
    int symmetry; /* -1: any */
} AnalysisEngine;
extern const ConfigField ANALYSIS_ENGINE_FIELDS[];

/* One net as clients are told of it. */
typedef struct {
    const char *path, *name; /* as given; its own */
    int version;
    bool human;                 /* is told who plays */
    const char *half_precision; /* "true", "false", "auto" */
} AnalysisModel;

typedef struct {
    /* Makes an evaluator for `positions_at_once`; called from any of the threads. */
    Status (*make_evaluator)(void *context, const EvaluatorWish *wish, Evaluator **out, Error *err);
    /* The same of a second net, of human play, that looks at the root alone; NULL: there is none.
     */
    Status (*make_human)(void *context, const EvaluatorWish *wish, Evaluator **out, Error *err);
    void *context;
    EvaluationCache *cache;    /* borrowed: cleared when a client asks; NULL: none */
    const NetMeaning *meaning; /* NULL: every rule is known */
    const AnalysisModel *models;
    int model_count;
    const char *version, *revision;
    SearchSettings search;
    AnalysisSettings analysis;
    int threads;           /* that search */
    int positions_at_once; /* of each thread */
    int64_t seed;
    bool warn_unused; /* of fields that mean nothing */
} AnalysisSetup;      /* texts and pointers are borrowed */

/* Who asks and is answered. `write` gets whole lines without their end, one call at a time; false:
 * nobody reads any more. Several clients have ids of their own. */
typedef struct {
    bool (*write)(void *context, const char *line, size_t length);
    void *context;
    atomic_bool broken; /* the engine's, as is all below: it was false once */
    int pending;        /* positions to be answered */
} AnalysisClient;

typedef struct Analysis Analysis;
MUST_USE Status analysis_new(const AnalysisSetup *setup, Analysis **out, Error *err);
/* Ends at once; what is pending is not answered. */
void analysis_free(Analysis *analysis);

/* Takes one line; errors, warnings and actions are answered before it returns, positions later.
 * `client` is borrowed until the last of its answers, see analysis_leave(). */
void analysis_line(Analysis *analysis, AnalysisClient *client, const char *line);
/* Waits until nothing of the client is pending. ERR_STOPPED: the process was told to stop; ERR_IO:
 * it took no more. */
MUST_USE Status analysis_wait(Analysis *analysis, const AnalysisClient *client, Error *err);
/* `client` is gone: its queries are dropped, and it is not written to any more. */
void analysis_leave(Analysis *analysis, AnalysisClient *client);

/* Lines from the descriptor `input` until its end, answers to `output`, whether or not they are
 * read before that. waits: what is pending then is still answered. ERR_STOPPED, ERR_IO. */
MUST_USE Status analysis_serve(Analysis *analysis, int input, int output, bool waits, Error *err);
