/* lc0_sink.h - writes the messages of a net file of lc0, by the names of their fields
 * (lc0_fields.h). If memory runs out, the sink remembers it. Threading: confined. */
#pragma once
#include "eval/formats/lc0/lc0_fields.h"
#include "eval/formats/lc0/lc0_tensor.h"

enum { LC0_DEPTH_MAX = 8 };
typedef struct {
    /* The messages that are open, the outermost first: their bytes, the table of their fields, and
     * their own field in the message around them. */
    StrBuf bytes[LC0_DEPTH_MAX];
    const Lc0Field *fields[LC0_DEPTH_MAX], *field[LC0_DEPTH_MAX];
    int depth; /* index of the innermost */
} Lc0Sink;

void lc0_sink_init(Lc0Sink *sink);
void lc0_sink_clear(Lc0Sink *sink);
/* Begins a message, a field of the innermost open message, and ends it. */
void lc0_begin(Lc0Sink *sink, const char *name);
void lc0_end(Lc0Sink *sink);
void lc0_put_number(Lc0Sink *sink, const char *name, int64_t value);
void lc0_put_fixed(Lc0Sink *sink, const char *name, uint32_t value);
void lc0_put_text(Lc0Sink *sink, const char *name, const char *text);
void lc0_put_tensor(Lc0Sink *sink, const char *name, const float *values, size_t count);
/* The whole file; all messages must have been ended. ERR_MEMORY. */
MUST_USE Status lc0_sink_finish(const Lc0Sink *sink, const StrBuf **out, Error *err);
