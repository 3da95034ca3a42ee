/* event_stream.h - streams that tell clients of HTTP the news of a run (run_events.h). A stream in
 * which nothing happens has a comment now and then, so that no proxy takes it for dead. A client
 * that reads slowly gets the news later, but all of them.
 * Threading: confined to one thread. */
#pragma once
#include "serve/event_cursor.h"
#include "serve/http/listener.h"
#include "serve/jobs.h"
#include "serve/run_watch.h"

typedef struct EventStream EventStream;
typedef struct {
    RunWatch *watch;           /* borrowed */
    Jobs *jobs;                /* borrowed */
    double keep_alive_seconds; /* how long a stream may be silent */
    EventStream *first;
} EventStreams; /* {0} and the first three members set: there are no streams */

/* Makes a stream of the run with this id and folder. It tells what has come after `*last`, or, if
 * `last` is NULL, what comes from now on. ERR_ARGUMENT: the path is too long. ERR_MEMORY. */
MUST_USE Status event_stream_new(EventStreams *streams, const char *id, const char *folder,
                                 const EventCursor *last, EventStream **out, Error *err);
/* Begins to send to this connection, which is a stream of http_request_stream(). */
void event_stream_begin(EventStream *stream, Connection *connection);
/* Ends the stream and frees it. NULL is fine. */
void event_stream_close(EventStream *stream);
/* Lets the streams go on. Call it after jobs_tend() and run_watch_tend(), and at least once a
 * second. */
void event_streams_tend(EventStreams *streams);
