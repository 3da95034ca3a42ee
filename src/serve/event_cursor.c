#include "serve/event_cursor.h"

#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

EventCursorText event_cursor_text(const EventCursor *cursor) {
    EventCursorText text;
    snprintf(
        text.text, sizeof text.text,
        "m%" PRIx64 ".%" PRIx32 ".%" PRIx32 "-n%x.%" PRIx32 "-g%" PRIx64 ".%" PRIx32 ".%" PRIx32,
        (uint64_t)cursor->metric, cursor->metric_key, cursor->metric_value, (unsigned)cursor->net,
        cursor->nets, (uint64_t)cursor->file_time, cursor->file, cursor->lines);
    return text;
}

/* Reads a number in hexadecimal digits of lower case, after the text `before`. Returns the rest of
 * the text, or NULL if there is no such number or it is above `max`. NULL is fine. */
static const char *read_number(const char *text, const char *before, uint64_t max, uint64_t *out) {
    static const char DIGITS[] = "0123456789abcdef";
    size_t skipped = strlen(before);
    if (!text || strncmp(text, before, skipped) != 0) return NULL;
    text += skipped;
    size_t count = strspn(text, DIGITS);
    if (count < 1 || count > 16) return NULL;
    *out = 0;
    for (size_t i = 0; i < count; i++)
        *out = *out << 4 | (uint64_t)(strchr(DIGITS, text[i]) - DIGITS);
    return *out <= max ? text + count : NULL;
}

bool event_cursor_parse(const char *text, EventCursor *out) {
    static const struct {
        const char *before;
        uint64_t max;
    } PARTS[] = {{"m", INT64_MAX},  {".", UINT32_MAX}, {".", UINT32_MAX}, {"-n", INT_MAX},
                 {".", UINT32_MAX}, {"-g", INT64_MAX}, {".", UINT32_MAX}, {".", UINT32_MAX}};
    uint64_t numbers[sizeof PARTS / sizeof *PARTS] = {0};
    *out = (EventCursor){0};
    if (strcmp(text, "0") == 0) return true;
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
        text = read_number(text, PARTS[i].before, PARTS[i].max, &numbers[i]);
    if (!text || *text) return false;
    *out = (EventCursor){.metric = (int64_t)numbers[0],
                         .metric_key = (uint32_t)numbers[1],
                         .metric_value = (uint32_t)numbers[2],
                         .net = (int)numbers[3],
                         .nets = (uint32_t)numbers[4],
                         .file_time = (int64_t)numbers[5],
                         .file = (uint32_t)numbers[6],
                         .lines = (uint32_t)numbers[7]};
    return true;
}
