/* protobuf.h - writes messages in the wire format of Protocol Buffers (protobuf.dev, "Encoding"). A
 * message is a sequence of fields. A field consists of its number, the form of its value, and the
 * value. Fields go into a StrBuf, which remembers whether memory ran out. Threading: free
 * functions. */
#pragma once
#include "base/strbuf.h"
#include <stdint.h>

void proto_add_int(StrBuf *out, int field, int64_t value);
void proto_add_float(StrBuf *out, int field, float value);
void proto_add_text(StrBuf *out, int field, const char *text);
/* Adds a message, which has been written to a buffer of its own. */
void proto_add_message(StrBuf *out, int field, const StrBuf *message);
/* Adds only the number and the length of a field whose bytes follow elsewhere. */
void proto_add_length(StrBuf *out, int field, uint64_t length);
