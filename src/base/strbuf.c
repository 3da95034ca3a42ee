#include "base/strbuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static bool make_room(StrBuf *buf, size_t more) {
    if (buf->failed || mem_grow(&buf->text, &buf->capacity, buf->length + more + 1, 1, NULL)) {
        buf->failed = true;
    }
    return !buf->failed;
}

void strbuf_add_bytes(StrBuf *buf, const void *bytes, size_t count) {
    if (!make_room(buf, count)) return;
    if (count) memcpy(buf->text + buf->length, bytes, count);
    buf->length += count;
    buf->text[buf->length] = 0;
}

void strbuf_add(StrBuf *buf, const char *text) {
    strbuf_add_bytes(buf, text, strlen(text));
}

void strbuf_addf(StrBuf *buf, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length >= 0 && make_room(buf, (size_t)length)) {
        vsnprintf(buf->text + buf->length, (size_t)length + 1, format, again);
        buf->length += (size_t)length;
    }
    va_end(again);
}

void strbuf_add_xml(StrBuf *buf, const char *text, size_t length) {
    for (const char *end = text + length; text < end; text++) {
        if (*text == '<')
            strbuf_add(buf, "&lt;");
        else if (*text == '>')
            strbuf_add(buf, "&gt;");
        else if (*text == '&')
            strbuf_add(buf, "&amp;");
        else if ((unsigned char)*text >= ' ' || *text == '\n' || *text == '\t')
            strbuf_add_bytes(buf, text, 1);
    }
}

const char *strbuf_text(const StrBuf *buf) {
    return buf->text ? buf->text : "";
}

Status strbuf_status(const StrBuf *buf, Error *err) {
    return buf->failed ? fail(err, ERR_MEMORY, "there is no memory to extend a text of %zu bytes",
                              buf->length)
                       : OK;
}

void strbuf_reset(StrBuf *buf) {
    buf->length = 0;
    if (buf->text) buf->text[0] = 0;
}

int texts_in_order(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void strbuf_clear(StrBuf *buf) {
    free(buf->text);
    *buf = (StrBuf){0};
}
