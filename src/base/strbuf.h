/* strbuf.h - text that grows. If memory runs out, later calls do nothing and strbuf_status()
 * reports the failure, so callers check only once, at the end. Threading: confined. */
#pragma once
#include "base/error.h"
#include <stddef.h>

typedef struct {
    char *text; /* NULL until something is added, and then always 0-terminated */
    size_t length, capacity;
    bool failed;
} StrBuf; /* {0} is empty */

void strbuf_add(StrBuf *buf, const char *text);
void strbuf_add_bytes(StrBuf *buf, const void *bytes, size_t count);
void strbuf_addf(StrBuf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds text for XML or HTML. Escapes < > and &, but no quotes, and leaves out characters below 32
 * other than newlines and tabs. */
void strbuf_add_xml(StrBuf *buf, const char *text, size_t length);
const char *strbuf_text(const StrBuf *buf);                   /* "" when empty */
MUST_USE Status strbuf_status(const StrBuf *buf, Error *err); /* ERR_MEMORY if any growth failed */
void strbuf_reset(StrBuf *buf); /* empties it, but keeps its memory and a failure */
void strbuf_clear(StrBuf *buf); /* frees its memory; then it is {0} */
int texts_in_order(const void *a, const void *b); /* for qsort() of const char *, by strcmp() */
