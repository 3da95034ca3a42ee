/* op.h - what an op is. The class of an op, its OpClass, is in its file of nn/ops/ and says all
 * that the rest of the program must know of it: its word, inputs and attributes, the shape of its
 * output, its parameters, and forward and backward in plain C, which are its definition. With these
 * alone an op runs in both executors, in the text of nets and in the tests. Faster steps and
 * kernels (infer_lower.c, learn.c) are additions that must agree with the definition. op_table.h
 * finds the class of an op.
 * Channels come last: a value has (n, rows, c) elements, where rows is h * w for spatial values, 1
 * for vectors, and the op's rows for lists. Gradients are those of a scalar loss.
 * Threading: classes are immutable; a call is confined. */
#pragma once
#include "nn/ops/op_kinds.h"

enum { OP_CHANNELS_MAX = 1 << 16, OP_ROWS_MAX = 1 << 16 };

typedef struct {
    const Op *op;
    int n, height, width;
    int active;        /* samples that count; the rest of n are padding */
    int in_rows, rows; /* rows in a sample, of the first input and of the output */
    int in_channels[2];
    const float *mask; /* (n, h * w), 1 on the board */
    const float *area; /* (n), cells on the mask, at least 1 */
    const float *x[2];
    const float *parameters[4];
    /* running statistics, by parameter, which forward updates while training; NULL: do not update,
     * or the parameter is no statistic */
    float *running[4];
    float r_max, d_max; /* limits of batch renorm */
    bool training;
    float *saved; /* what forward keeps for backward; OpClass.saved says how much */
    float *y;     /* forward writes */
    const float *dy;
    /* NULL: not wanted. backward writes it where first[i] is true and else adds to it. dx[0]
     * comes before dx[1]; they are the same where both inputs are one value. */
    float *dx[2];
    bool first[2];
    float *gradients[4]; /* NULL: not trained. backward adds to them. */
} OpCall;

/* An attribute of an op in the text of a net: its place in Op, and its form. */
typedef enum {
    OP_FIELD_COUNT,    /* int from 0 to 2^20 */
    OP_FIELD_COUNTS,   /* `count` ints side by side, as a list */
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
    const char *word;   /* in the text of a net: "conv" */
    const char *phrase; /* in messages: "a convolution" */
    const char *layer;  /* in lists of a net's layers: "conv"; NULL: it is in none */
    /* the name of every op of this kind; NULL: each has a name of its own, which ops with
     * parameters must have */
    const char *fixed_name;
    int inputs;            /* 0 to 2 */
    const OpField *fields; /* its attributes; NULL: none */
    /* the caller says how many channels the output has; else they are those of the first input */
    bool free_channels;
    bool in_place;       /* forward may write y over x[0] */
    int passes;          /* for this many of the first inputs, the gradient is dy itself */
    unsigned statistics; /* bit i: parameter i is a running statistic */
    /* Completes an op whose inputs and attributes are given, in whatever state a text can bring
     * them. Before the call, shape, channels and rows are those of the first input. Parameters go
     * into `parameters`, up to 4, named with the last part of their names ("weight"). Returns NULL,
     * or what is wrong, for a message. NULL: there is nothing to do. */
    const char *(*shape)(Op *op, const Op *const *inputs, ParameterSpec *parameters);
    size_t (*saved)(const Op *op, int n, int cells); /* floats; NULL: 0 */
    double (*multiply_adds)(const Op *op, int in_channels, int rows, int cells); /* NULL: 0 */
    void (*forward)(const OpCall *call); /* NULL for inputs, which the caller fills */
    void (*backward)(const OpCall *call);
} OpClass;

#define OP_DECLARE(NAME) extern const OpClass OP_CLASS_##NAME;
OP_LIST(OP_DECLARE) /* each is in ops/NAME.c, or with its relatives */
#undef OP_DECLARE

/* Rows in a sample of the op's output: cells, rows of a list, or 1. */
int op_rows(const Op *op, int height, int width);
/* A call without values: what follows from an op, its inputs (NULL: unused) and the board size. */
OpCall op_call(const Op *op, const Op *const *inputs, int height, int width);

/* For OpClass.shape: both inputs must have the same shape. */
const char *op_shape_alike(Op *op, const Op *const *inputs, ParameterSpec *parameters);
/* For forward and backward: the number of elements of y, for all samples. */
size_t op_elements(const OpCall *call);
/* dx = dy or, with `add`, dx += dy. */
void op_pass_on(size_t count, const float *dy, float *dx, bool add);

/* Compiles a loop over floats once for each instruction set. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define OP_LOOP __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define OP_LOOP
#endif
