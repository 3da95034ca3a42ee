#include "eval/formats/protobuf.h"

#include <string.h>

enum { FIELD_NUMBER_MAX = (1 << 29) - 1 };

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

static void add_tag(StrBuf *out, int field, ProtoWire wire) {
    add_varint(out, (uint64_t)field << 3 | (uint64_t)wire);
}

void proto_add_int(StrBuf *out, int field, int64_t value) {
    add_tag(out, field, PROTO_VARINT);
    add_varint(out, (uint64_t)value);
}

void proto_add_fixed32(StrBuf *out, int field, uint32_t value) {
    unsigned char bytes[4];
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(value >> 8 * i);
    add_tag(out, field, PROTO_32);
    strbuf_add_bytes(out, bytes, sizeof bytes);
}

void proto_add_float(StrBuf *out, int field, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    proto_add_fixed32(out, field, bits);
}

void proto_add_length(StrBuf *out, int field, uint64_t length) {
    add_tag(out, field, PROTO_LENGTH);
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

bool proto_read_varint(ProtoBytes *from, uint64_t *out) {
    *out = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        if (!from->left) return false;
        unsigned char byte = *from->at++;
        from->left--;
        if (shift == 63 && byte > 1) return false; /* more than 64 bits */
        *out |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return true;
    }
    return false;
}

static bool read_fixed(ProtoBytes *from, size_t count, uint64_t *out) {
    *out = 0;
    if (from->left < count) return false;
    for (size_t i = count; i-- > 0;)
        *out = *out << 8 | from->at[i];
    from->at += count;
    from->left -= count;
    return true;
}

static bool read_bytes(ProtoBytes *from, ProtoBytes *out) {
    uint64_t length;
    if (!proto_read_varint(from, &length) || length > from->left) return false;
    *out = (ProtoBytes){from->at, (size_t)length};
    from->at += length;
    from->left -= (size_t)length;
    return true;
}

bool proto_read_field(ProtoBytes *from, ProtoField *out) {
    uint64_t tag;
    *out = (ProtoField){0};
    if (!proto_read_varint(from, &tag) || tag >> 3 == 0 || tag >> 3 > FIELD_NUMBER_MAX)
        return false;
    out->number = (uint32_t)(tag >> 3);
    out->wire = (ProtoWire)(tag & 7);
    switch (tag & 7) {
    case PROTO_VARINT:
        return proto_read_varint(from, &out->value);
    case PROTO_64:
        return read_fixed(from, 8, &out->value);
    case PROTO_32:
        return read_fixed(from, 4, &out->value);
    case PROTO_LENGTH:
        return read_bytes(from, &out->bytes);
    default:
        return false;
    }
}

float proto_float(const ProtoField *field) {
    uint32_t bits = (uint32_t)field->value;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
