/* run_events.h - the news of a run, as events for a stream (WHATWG HTML, section 9.2, "Server-sent
 * events"):
 *   state    the state of the run (run_view.h), without its nets, matches, log and metrics
 *   net      a net, as in the state of the run; again if its rating has changed
 *   metric   a point of a curve
 *   game     a game of self-play
 * docs/SERVER.md describes the data. The id of each event is an EventCursor. A reader that begins
 * with the id of the last event that it knows gets everything that has come since, as far as the
 * files of the run still have it. It may get some events again. Everything is read from the files
 * without a lock.
 * Threading: confined; run_events_read() reads files, so the thread of the jobs calls it. */
#pragma once
#include "base/strbuf.h"
#include "serve/event_cursor.h"

typedef struct RunEvents RunEvents;
/* Begins to read the news of the run in this folder: those after `*last`, or, if it is NULL, those
 * from now on. ERR_ARGUMENT: the path is too long. ERR_MEMORY. */
MUST_USE Status run_events_new(const char *folder, const EventCursor *last, RunEvents **out,
                               Error *err);
void run_events_free(RunEvents *events); /* NULL is fine */

typedef enum {
    RUN_EVENTS_TOLD,  /* nothing is left */
    RUN_EVENTS_MORE,  /* there is more to be read at once */
    RUN_EVENTS_LATER, /* look again in a second: a file of games is too new */
} RunEventsRest;
/* Adds the text of the next events. The first call adds a state. Later calls add one only if the
 * state has changed since. `out` may stay empty. If memory runs out, strbuf_status(out) says so and
 * events are lost; the client must then begin anew with the last id that it got. */
RunEventsRest run_events_read(RunEvents *events, StrBuf *out);
/* Whether the last state said that the run is at work, although it is no longer. */
bool run_events_has_fallen_asleep(const RunEvents *events);
