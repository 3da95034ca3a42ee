/* op.h - what an op is. The class of an op, its OpClass, stands in its file of nn/ops/ and says all
 * that the rest of the program must know of it: its word, inputs and attributes, the shape of its
 * output, its parameters, and forward and backward in plain C, which are its definition. With
 * those alone an op runs in both executors, in the text of nets and in the tests; faster steps and
 * kernels (infer_lower.c, learn.c) are additions that must agree with the definition. The classes
 * of all ops are found by op_table.h.
 * Channels last: a value has (n, rows, c) numbers, where rows is h * w for spatial values, 1 for
 * vectors, the op's rows for lists. Gradients are of one number with respect to everything.
 * Threading: classes are immutable; a call is confined. */
#pragma once
#include "nn/ops/op_kinds.h"

enum { OP_CHANNELS_MAX = 1 << 16, OP_ROWS_MAX = 1 << 16 };

typedef struct {
    const Op *op;
    int n, height, width;
    int active;        /* samples that count; the rest of n are padding */
    int in_rows, rows; /* of the first input and of the output, a sample */
    int in_channels[2];
    const float *mask; /* (n, h * w), 1 on the board */
    const float *area; /* (n), cells on the mask, at least 1 */
    const float *x[2];
    const float *parameters[4];
    float *running[4];  /* running statistics, by parameter: forward updates them while training;
                             NULL: it does not, or the parameter is none */
    float r_max, d_max; /* limits of batch renorm */
    bool training;
    float *saved; /* what backward needs; as many as OpClass.saved says */
    float *y;     /* forward writes */
    const float *dy;
    float
        *dx[2]; /* NULL: not wanted. backward writes where first[i], else adds; dx[0] before dx[1],
                     which are the same where both inputs are one value */
    bool first[2];
    float *gradients[4]; /* NULL: not trained. backward adds */
} OpCall;

/* An attribute of an op in the text of a net: where it is in Op, and its form. */
typedef enum {
    OP_FIELD_COUNT,    /* int from 0 to 2^20 */
    OP_FIELD_COUNTS,   /* `count` of those side by side, as a list */
    OP_FIELD_REAL,     /* float */
    OP_FIELD_WORD,     /* enum, as words[value] */
    OP_FIELD_BOOL,     /* bool, always written */
    OP_FIELD_NOT,      /* bool, written as its opposite */
    OP_FIELD_RARE,     /* bool, written only where it is true */
    OP_FIELD_RARE_NOT, /* bool, written only where it is true, as its opposite: "key": false */
} OpFieldForm;

typedef struct {
    const char *key; /* NULL: the end of the list */
    OpFieldForm form;
    size_t offset;            /* in Op */
    int count;                /* OP_FIELD_COUNTS */
    const char *const *words; /* OP_FIELD_WORD: by value; ends with NULL */
} OpField;

#define OP_FIELD(KEY, FORM, MEMBER)                                                                \
    { .key = KEY, .form = FORM, .offset = offsetof(Op, MEMBER) }
#define OP_FIELD_LIST(KEY, MEMBER, COUNT)                                                          \
    { .key = KEY, .form = OP_FIELD_COUNTS, .offset = offsetof(Op, MEMBER), .count = COUNT }
#define OP_FIELD_ENUM(KEY, MEMBER, WORDS)                                                          \
    { .key = KEY, .form = OP_FIELD_WORD, .offset = offsetof(Op, MEMBER), .words = WORDS }

typedef struct {
    const char *word;       /* in the text of a net: "conv" */
    const char *phrase;     /* in messages: "a convolution" */
    const char *layer;      /* in lists of a net's layers: "conv"; NULL: it is in none */
    const char *fixed_name; /* of every op of the kind; NULL: each has a name of its own, as ops
                               with parameters must */
    int inputs;             /* 0 to 2 */
    const OpField *fields;  /* its attributes; NULL: none */
    bool free_channels;     /* the caller says how many channels the output has; else as many as
                               the first input */
    bool in_place;          /* forward may have y where x[0] is */
    int passes;             /* the gradient of the first so many inputs is dy itself */
    unsigned statistics;    /* bit i: parameter i is a running statistic */
    /* Completes an op whose inputs and attributes are given, in whatever state a text can bring
     * them. shape, channels and rows are as the first input's until this sets them. Parameters go
     * into `parameters`, up to 4, with their last name ("weight") as name. Returns NULL, or what
     * is wrong, for a message. NULL: nothing is to be done. */
    const char *(*shape)(Op *op, const Op *const *inputs, ParameterSpec *parameters);
    size_t (*saved)(const Op *op, int n, int cells); /* numbers; NULL: 0 */
    double (*multiply_adds)(const Op *op, int in_channels, int rows, int cells); /* NULL: 0 */
    void (*forward)(const OpCall *call); /* NULL: of inputs, which the caller fills */
    void (*backward)(const OpCall *call);
} OpClass;

#define OP_DECLARE(NAME) extern const OpClass OP_CLASS_##NAME;
OP_LIST(OP_DECLARE) /* each in ops/NAME.c, or with its relatives */
#undef OP_DECLARE

/* Rows of channels in a sample of the op's output: cells, rows of a list, or 1. */
int op_rows(const Op *op, int height, int width);
/* A call without numbers: what follows from an op, its inputs (NULL: unused) and the board. */
OpCall op_call(const Op *op, const Op *const *inputs, int height, int width);

/* For `shape`: both inputs must have one shape. */
const char *op_shape_alike(Op *op, const Op *const *inputs, ParameterSpec *parameters);
/* For forward and backward: how many numbers y has, all samples. */
size_t op_elements(const OpCall *call);
/* dx = dy, or `add`: dx += dy. */
void op_pass_on(size_t count, const float *dy, float *dx, bool add);

/* Loops over numbers get a version for each instruction set. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define OP_LOOP __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define OP_LOOP
#endif
