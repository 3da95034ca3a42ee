/* lc0_fields.h - the messages of Protocol Buffers of which lc0's net files consist, as tables. A
 * table has the number, the name and the kind of each field of a message. Immutable. */
#pragma once
#include <stdbool.h>
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
    bool repeated; /* the message may have it several times */
} Lc0Field;

extern const Lc0Field LC0_NET_FIELDS[];
/* These return a field of a message, or NULL if the message has no such field. */
const Lc0Field *lc0_field_of_number(const Lc0Field *fields, uint32_t number);
const Lc0Field *lc0_field_of_name(const Lc0Field *fields, const char *name);
/* The numbers of the fields of a tensor. */
enum {
    LC0_LAYER_MIN = 1,
    LC0_LAYER_MAX = 2,
    LC0_LAYER_PARAMS = 3,
    LC0_LAYER_ENCODING = 4,
    LC0_LAYER_DIMS = 5
};
enum { LC0_ENCODING_UNKNOWN, LC0_LINEAR16, LC0_FLOAT16, LC0_BFLOAT16, LC0_FLOAT32 };
/* Numbers with a meaning for the reader and the writer. lc0_fields.c has the names of all. */
enum { LC0_NETWORK_SE_HEADS = 4, LC0_NETWORK_ATTENTION = 6, LC0_NETWORK_ATTENTION_MULTI = 7 };
enum { LC0_POLICY_ATTENTION = 3, LC0_VALUE_WDL = 2, LC0_OUTPUT_WDL = 2, LC0_MOVES_LEFT_V1 = 1 };
enum { LC0_EMBEDDING_NONE, LC0_EMBEDDING_PE_MAP, LC0_EMBEDDING_PE_DENSE };
typedef enum {
    LC0_ACTIVATION_DEFAULT,
    LC0_ACTIVATION_MISH,
    LC0_ACTIVATION_RELU,
    LC0_ACTIVATION_NONE,
    LC0_ACTIVATION_TANH,
    LC0_ACTIVATION_SIGMOID,
    LC0_ACTIVATION_SELU,
    LC0_ACTIVATION_SWISH,
    LC0_ACTIVATION_RELU_2,
    LC0_ACTIVATION_SOFTMAX
} Lc0Activation;
/* Returns the name of a number, or NULL. */
const char *lc0_word(const Lc0Word *words, uint64_t value);
extern const Lc0Word LC0_ENCODINGS[];
