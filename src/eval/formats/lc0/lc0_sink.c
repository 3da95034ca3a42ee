#include "eval/formats/lc0/lc0_sink.h"

#include <assert.h>

static StrBuf *innermost(Lc0Sink *sink) {
    return &sink->bytes[sink->depth];
}

/* Returns a field of the innermost message. All names come from this program. */
static const Lc0Field *field_of(const Lc0Sink *sink, const char *name) {
    const Lc0Field *field = lc0_field_of_name(sink->fields[sink->depth], name);
    assert(field);
    return field;
}

void lc0_sink_init(Lc0Sink *sink) {
    *sink = (Lc0Sink){.depth = 0};
    sink->fields[0] = LC0_NET_FIELDS;
}

void lc0_sink_clear(Lc0Sink *sink) {
    for (int i = 0; i < LC0_DEPTH_MAX; i++)
        strbuf_clear(&sink->bytes[i]);
}

void lc0_begin(Lc0Sink *sink, const char *name) {
    const Lc0Field *field = field_of(sink, name);
    assert(field->kind == LC0_MESSAGE && sink->depth + 1 < LC0_DEPTH_MAX);
    sink->depth++;
    sink->field[sink->depth] = field;
    sink->fields[sink->depth] = field->fields;
    strbuf_reset(innermost(sink));
}

void lc0_end(Lc0Sink *sink) {
    assert(sink->depth > 0);
    StrBuf *ended = innermost(sink);
    int number = (int)sink->field[sink->depth]->number;
    sink->depth--;
    proto_add_message(innermost(sink), number, ended);
}

void lc0_put_number(Lc0Sink *sink, const char *name, int64_t value) {
    proto_add_int(innermost(sink), (int)field_of(sink, name)->number, value);
}

void lc0_put_fixed(Lc0Sink *sink, const char *name, uint32_t value) {
    proto_add_fixed32(innermost(sink), (int)field_of(sink, name)->number, value);
}

void lc0_put_text(Lc0Sink *sink, const char *name, const char *text) {
    proto_add_text(innermost(sink), (int)field_of(sink, name)->number, text);
}

void lc0_put_tensor(Lc0Sink *sink, const char *name, const float *values, size_t count) {
    lc0_tensor_add(innermost(sink), (int)field_of(sink, name)->number, values, count);
}

Status lc0_sink_finish(const Lc0Sink *sink, const StrBuf **out, Error *err) {
    assert(sink->depth == 0);
    *out = &sink->bytes[0];
    return strbuf_status(*out, err);
}
