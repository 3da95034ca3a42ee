/* protobuf.h - writes and reads messages in the wire format of Protocol Buffers (protobuf.dev,
 * "Encoding"). A message is a sequence of fields. A field consists of its number, the form of its
 * value, and the value. When a message is written, its fields go into a StrBuf, which remembers
 * whether memory ran out. When a message is read, nothing is copied: fields point into the bytes of
 * the message. Threading: free functions. */
#pragma once
#include "base/strbuf.h"
#include <stdbool.h>
#include <stdint.h>

typedef enum {
    PROTO_VARINT = 0, /* a whole number, 7 bits in each byte */
    PROTO_64 = 1,     /* 8 bytes */
    PROTO_LENGTH = 2, /* a length and as many bytes: a text, a message or packed numbers */
    PROTO_32 = 5      /* 4 bytes */
} ProtoWire;

void proto_add_int(StrBuf *out, int field, int64_t value);
void proto_add_fixed32(StrBuf *out, int field, uint32_t value);
void proto_add_float(StrBuf *out, int field, float value);
void proto_add_text(StrBuf *out, int field, const char *text);
/* Adds a message, which has been written to a buffer of its own. */
void proto_add_message(StrBuf *out, int field, const StrBuf *message);
/* Adds only the number and the length of a field whose bytes follow elsewhere. */
void proto_add_length(StrBuf *out, int field, uint64_t length);

/* Bytes that are still to be read. */
typedef struct {
    const unsigned char *at;
    size_t left;
} ProtoBytes;

/* A field as it stands in a message. */
typedef struct {
    uint32_t number;
    ProtoWire wire;
    uint64_t value;   /* if `wire` is not PROTO_LENGTH */
    ProtoBytes bytes; /* if `wire` is PROTO_LENGTH */
} ProtoField;

/* Reads the next field and moves `from` to what follows it. Returns false if the bytes are damaged:
 * a number has more than 64 bits, the field's number is not 1 to 2^29 - 1, the form of the value is
 * none of ProtoWire, or the value is longer than the bytes that are left. */
bool proto_read_field(ProtoBytes *from, ProtoField *out);
/* Reads a whole number, such as one of a list of packed numbers. */
bool proto_read_varint(ProtoBytes *from, uint64_t *out);
float proto_float(const ProtoField *field); /* the value of a field of the form PROTO_32 */
