/* event_cursor.h - how far a client has read the news of a run (run_events.h). Its text is the `id`
 * of an event, which a client sends back in the header Last-Event-ID (WHATWG HTML, section 9.2,
 * "Server-sent events"). Threading: plain values. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define EVENT_FILE_DONE UINT32_MAX /* all games of the file are told */

/* All 0: nothing is told yet. */
typedef struct {
    int64_t metric; /* the place of the last point of a curve (run_index.h); 0: none */
    /* Checksums of this point, which show whether it was replaced: of its curve and samples, and of
     * its seconds and value. */
    uint32_t metric_key, metric_value;
    int net;       /* the number of the last net; 0: none */
    uint32_t nets; /* a checksum of what was told of the nets up to this one */
    /* The last file of games: when it got its name, in nanoseconds since 1970; a checksum of its
     * name; and how many of its lines are told. */
    int64_t file_time;
    uint32_t file, lines;
} EventCursor;

typedef struct {
    char text[128];
} EventCursorText;
EventCursorText event_cursor_text(const EventCursor *cursor);
/* Reads the text of a cursor. "0" is that of {0}. Returns false if the text is not one. */
bool event_cursor_parse(const char *text, EventCursor *out);
