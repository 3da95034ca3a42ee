#include "serve/event_stream.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "serve/run_events.h"

enum { UNSENT_BYTES_MAX = 1 << 18 }; /* above it, no more news are read */
static const double LATER_SECONDS = 1;

/* News that the thread of the jobs reads. */
typedef struct {
    EventStream *stream; /* NULL once it is closed */
    RunEvents *events;
    StrBuf text;
    RunEventsRest rest;
} Reading;

struct EventStream {
    EventStream *next; /* in streams->first */
    EventStreams *streams;
    Connection *connection; /* NULL: it has not begun */
    RunWatcher watcher;
    RunEvents *events; /* NULL while `reading` has it */
    Reading *reading;  /* NULL: nothing is read at present */
    bool wants;        /* there may be news */
    double look_at;    /* when to look again, in clock_seconds(); 0: only if there may be news */
    double spoke_at;   /* in clock_seconds() */
};

/* RunWatcher.send: the files of the run have changed. */
static bool hear_change(void *context, const char *text, size_t length) {
    EventStream *stream = context;
    (void)text, (void)length;
    stream->wants = true;
    return true;
}

Status event_stream_new(EventStreams *streams, const char *id, const char *folder,
                        const EventCursor *last, EventStream **out, Error *err) {
    EventStream *stream;
    *out = NULL;
    Status status = mem_new(1, sizeof *stream, &stream, err);
    if (status) return status;
    status = run_events_new(folder, last, &stream->events, err);
    if (status) {
        free(stream);
        return status;
    }
    stream->streams = streams;
    stream->next = streams->first;
    streams->first = stream;
    stream->watcher = (RunWatcher){.send = hear_change, .context = stream};
    run_watch_join(streams->watch, &stream->watcher, id, folder);
    *out = stream;
    return OK;
}

static void speak(EventStream *stream, const char *text, size_t length) {
    (void)connection_send(stream->connection, text, length); /* if it fails, the stream is closed */
    stream->spoke_at = clock_seconds();
}

static void read_news(void *argument) {
    Reading *reading = argument;
    reading->rest = run_events_read(reading->events, &reading->text);
}

/* Sends what was read, if the stream is still there. */
static void end_reading(void *argument, bool done) {
    Reading *reading = argument;
    EventStream *stream = reading->stream;
    if (stream) {
        stream->events = reading->events;
        stream->reading = NULL;
        stream->wants = stream->wants || reading->rest == RUN_EVENTS_MORE;
        stream->look_at = reading->rest == RUN_EVENTS_LATER ? clock_seconds() + LATER_SECONDS : 0;
        if (strbuf_status(&reading->text, NULL))
            connection_close(stream->connection); /* the client asks for the news again */
        else if (done && reading->text.length)
            speak(stream, reading->text.text, reading->text.length);
    } else {
        run_events_free(reading->events);
    }
    strbuf_clear(&reading->text);
    free(reading);
}

/* Lets the thread of the jobs read. If there is no memory, the next call tries it again. */
static void begin_reading(EventStream *stream) {
    Reading *reading;
    if (mem_new(1, sizeof *reading, &reading, NULL)) return;
    reading->stream = stream;
    reading->events = stream->events;
    if (jobs_put(stream->streams->jobs, &(Job){read_news, end_reading, reading}, NULL)) {
        free(reading);
        return;
    }
    stream->reading = reading;
    stream->events = NULL;
    stream->wants = false;
    stream->look_at = 0;
}

void event_stream_begin(EventStream *stream, Connection *connection) {
    stream->connection = connection;
    stream->spoke_at = clock_seconds();
    begin_reading(stream);
    stream->wants = !stream->reading;
}

void event_stream_close(EventStream *stream) {
    if (!stream) return;
    EventStream **at = &stream->streams->first;
    while (*at != stream)
        at = &(*at)->next;
    *at = stream->next;
    run_watch_leave(stream->streams->watch, &stream->watcher);
    if (stream->reading) stream->reading->stream = NULL;
    run_events_free(stream->events);
    free(stream);
}

static void tend(EventStream *stream, double now) {
    static const char COMMENT[] = ": the stream goes on\n\n";
    if (now - stream->spoke_at > stream->streams->keep_alive_seconds)
        speak(stream, COMMENT, sizeof COMMENT - 1);
    if (stream->reading || connection_unsent(stream->connection) > UNSENT_BYTES_MAX) return;
    if (stream->wants || (stream->look_at > 0 && now >= stream->look_at) ||
        run_events_has_fallen_asleep(stream->events))
        begin_reading(stream);
}

void event_streams_tend(EventStreams *streams) {
    double now = clock_seconds();
    for (EventStream *stream = streams->first; stream; stream = stream->next)
        if (stream->connection) tend(stream, now);
}
