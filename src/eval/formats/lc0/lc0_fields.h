/* lc0_fields.h - the messages of Protocol Buffers of which lc0's net files consist, as tables. A
 * table has the number, the name and the kind of each field of a message. Immutable. */
#pragma once
#include <stdint.h>

typedef enum {
    LC0_MESSAGE, /* with fields of its own */
    LC0_LAYER,   /* a tensor */
    LC0_WHOLE,
    LC0_FLOAT,
    LC0_TEXT,
    LC0_BYTES,
    LC0_FIXED, /* 32 bits */
    LC0_WORD   /* a number that has a name */
} Lc0Kind;

typedef struct {
    uint32_t value;
    const char *name; /* NULL ends a list */
} Lc0Word;

typedef struct Lc0Field {
    uint32_t number; /* 0 ends a message */
    const char *name;
    Lc0Kind kind;
    const struct Lc0Field *fields; /* of a message */
    const Lc0Word *words;
} Lc0Field;

extern const Lc0Field LC0_NET_FIELDS[];
/* The numbers of the fields of a tensor. */
enum {
    LC0_LAYER_MIN = 1,
    LC0_LAYER_MAX = 2,
    LC0_LAYER_PARAMS = 3,
    LC0_LAYER_ENCODING = 4,
    LC0_LAYER_DIMS = 5
};
enum { LC0_ENCODING_UNKNOWN, LC0_LINEAR16, LC0_FLOAT16, LC0_BFLOAT16, LC0_FLOAT32 };
/* Returns the name of a number, or NULL. */
const char *lc0_word(const Lc0Word *words, uint64_t value);
extern const Lc0Word LC0_ENCODINGS[];
