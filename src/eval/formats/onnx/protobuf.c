#include "eval/formats/onnx/protobuf.h"

#include <string.h>

typedef enum { WIRE_VARINT = 0, WIRE_LENGTH = 2, WIRE_FIXED32 = 5 } Wire;

/* Writes 7 bits in each byte, the lowest first. The highest bit of a byte says that more bytes
 * follow. */
static void add_varint(StrBuf *out, uint64_t value) {
    unsigned char bytes[10];
    size_t count = 0;
    for (; value >= 128; value >>= 7)
        bytes[count++] = (unsigned char)(value | 128);
    bytes[count++] = (unsigned char)value;
    strbuf_add_bytes(out, bytes, count);
}

static void add_tag(StrBuf *out, int field, Wire wire) {
    add_varint(out, (uint64_t)field << 3 | (uint64_t)wire);
}

void proto_add_int(StrBuf *out, int field, int64_t value) {
    add_tag(out, field, WIRE_VARINT);
    add_varint(out, (uint64_t)value);
}

void proto_add_float(StrBuf *out, int field, float value) {
    uint32_t bits;
    unsigned char bytes[4];
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(bits >> 8 * i);
    add_tag(out, field, WIRE_FIXED32);
    strbuf_add_bytes(out, bytes, sizeof bytes);
}

void proto_add_length(StrBuf *out, int field, uint64_t length) {
    add_tag(out, field, WIRE_LENGTH);
    add_varint(out, length);
}

void proto_add_text(StrBuf *out, int field, const char *text) {
    proto_add_length(out, field, strlen(text));
    strbuf_add(out, text);
}

void proto_add_message(StrBuf *out, int field, const StrBuf *message) {
    if (message->failed) out->failed = true;
    proto_add_length(out, field, message->length);
    strbuf_add_bytes(out, message->text, message->length);
}
