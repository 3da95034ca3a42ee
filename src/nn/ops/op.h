/* op.h - the definition of a kind of op, such as a convolution. Each kind has an OpClass in a file
 * of nn/ops/. The class has all that the rest of the program must know: the word for the op in the
 * text of nets, its inputs and attributes, the shape of its output, its parameters, and functions
 * for forward and backward in plain C. These functions are the definition of the op. The class is
 * enough to run the op in both executors (nn/infer/infer.h, nn/learn/learn.h), to read and write
 * it, and to test it. Some ops also have faster code, which infer_lower.c and learn.c choose. It
 * must agree with the definition. op_table.h finds the class of an op.
 * Channels come last: a value has (n, rows, c) elements. A spatial value has h * w rows, a vector
 * has 1, and a list has a fixed number (Op.rows). Gradients are those of a scalar loss.
 * Threading: classes are immutable; a call is confined. */
#pragma once
#include "nn/ops/op_kinds.h"
#include <stdint.h>

enum { OP_CHANNELS_MAX = 1 << 16, OP_ROWS_MAX = 1 << 16 };

/* The arguments of forward and backward. */
typedef struct {
    const Op *op;
    int n, height, width;
    int active;        /* the first `active` samples count; the others of the n are padding */
    int in_rows, rows; /* rows of a sample in the first input and in the output */
    int in_channels[2];
    const float *mask; /* (n, h * w), 1 on the board */
    const float *area; /* (n), cells on the mask, at least 1 */
    const float *x[2];
    const float *parameters[4];
    /* by parameter: the running statistic that forward updates while training; NULL for a
     * parameter that is no such statistic or must not be updated */
    float *running[4];
    float r_max, d_max; /* limits of batch renorm */
    bool training;
    /* The random numbers of training are computed from
     *     - `draw`, a key of the op and the step,
     *     - the number of the sample; the first sample has the number `first_sample`,
     *     - the place of the element in the sample,
     * and from nothing else, so that backward can compute the same numbers again. */
    uint64_t draw;
    int first_sample;
    float *saved; /* what forward keeps for backward, and scratch; OpClass.saved has the size */
    float *y;     /* written by forward */
    const float *dy;
    /* Gradients of the inputs, NULL if not wanted. backward overwrites dx[i] if first[i] is true,
     * and otherwise adds to it. If both inputs are the same value, dx[0] and dx[1] are the same
     * array; so an op whose inputs may be the same value writes dx[0] before dx[1]. */
    float *dx[2];
    bool first[2];
    float *gradients[4]; /* of the parameters; NULL if not trained. backward adds to them. */
} OpCall;

/* How an attribute of an op is written in the text of a net (program_json.c). */
typedef enum {
    OP_FIELD_COUNT,    /* int from 0 to 2^20 */
    OP_FIELD_FACTOR,   /* int from 1 to 2^20, written only where it is not 1 */
    OP_FIELD_LIKE,     /* int from 1 to 2^20, left out where it equals the field before it */
    OP_FIELD_LINK,     /* index of an op, written only where it is not 0 */
    OP_FIELD_COUNTS,   /* `count` ints from 0 to 2^20 side by side, as a list */
    OP_FIELD_REAL,     /* float */
    OP_FIELD_LIMIT,    /* float, written only where it is not 0 */
    OP_FIELD_WORD,     /* enum, as words[value] */
    OP_FIELD_BOOL,     /* bool, always written */
    OP_FIELD_NOT,      /* bool, always written, as its opposite */
    OP_FIELD_RARE,     /* bool, written only where it is true */
    OP_FIELD_RARE_NOT, /* bool, written only where it is true, as its opposite: "key": false */
} OpFieldForm;

/* An attribute in the text of a net. */
typedef struct {
    const char *key; /* its word in the text; NULL at the end of the list */
    OpFieldForm form;
    size_t offset;            /* of the member in Op */
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
    const char *layer;  /* in lists of a net's layers: "conv"; NULL if they omit it */
    /* the name that all ops of this kind have; NULL if each op has a name of its own, as it must if
     * it has parameters */
    const char *fixed_name;
    int inputs;            /* 0 to 2 */
    const OpField *fields; /* its attributes; NULL if it has none */
    /* Whether the caller chooses the channels of the output. Otherwise these are the channels of
     * the first input, unless `shape` changes them. */
    bool free_channels;
    /* Whether forward rounds, so that it has no useful gradient, and backward estimates one. */
    bool estimates;
    bool in_place;       /* forward may write y over x[0] */
    int passes;          /* the gradient of the first `passes` inputs is dy itself */
    unsigned statistics; /* bit i: parameter i is a running statistic */
    /* Checks the inputs and attributes of an op, which may come from a hostile file, and sets what
     * follows from them. If the op has inputs, the caller has copied `shape` and `rows` of the
     * first input to `op`, and also `channels` if `free_channels` is false. At most 4 parameters go
     * into `parameters`. Their names do not contain the name of the op ("weight"). Returns what is
     * wrong, for a message, or NULL. `shape` itself is NULL if there is nothing to check or set. */
    const char *(*shape)(Op *op, const Op *const *inputs, ParameterSpec *parameters);
    /* the side of the only boards that the op is for, or 0 if it is for all; NULL means 0 */
    int (*only_side)(const Op *op);
    size_t (*saved)(const Op *op, int n, int cells); /* floats in OpCall.saved; NULL means 0 */
    /* Returns the number of multiply-adds of `forward` for one sample. NULL means 0. */
    double (*multiply_adds)(const Op *op, int in_channels, int rows, int cells);
    void (*forward)(const OpCall *call); /* NULL for inputs, which the caller fills */
    void (*backward)(const OpCall *call);
} OpClass;

#define OP_DECLARE(NAME) extern const OpClass OP_CLASS_##NAME;
OP_LIST(OP_DECLARE) /* each is defined in ops/NAME.c or beside a related op */
#undef OP_DECLARE

/* Returns how many rows a sample of the op's output has. */
int op_rows(const Op *op, int height, int width);
/* Makes a call with those fields set that follow from the op, its inputs and the board size.
 * inputs[i] is NULL if the op has no such input. */
OpCall op_call(const Op *op, const Op *const *inputs, int height, int width);

/* An OpClass.shape for ops whose two inputs must have the same shape. */
const char *op_shape_alike(Op *op, const Op *const *inputs, ParameterSpec *parameters);
/* Returns the number of elements of y in all samples. */
size_t op_elements(const OpCall *call);
/* Sets dx[input] to 0 if this gradient is wanted and is to be overwritten. Then backward can add to
 * it in any case. The input must have as many rows as the first one. */
void op_begin_gradient(const OpCall *call, int input);
/* Computes y += factor * x. */
void op_add_scaled(size_t count, float factor, const float *x, float *y);
/* Returns the sum of a[i] * b[i]. It is computed as sixteen partial sums, which can be
 * vectorised. */
float op_dot(size_t count, const float *a, const float *b);
/* Passes a gradient on: dx = dy or, with `add`, dx += dy. */
void op_pass_on(size_t count, const float *dy, float *dx, bool add);

/* Returns whether the convolution `wide` can also do the work of `narrow`, which has the same
 * input: each tap of `narrow` is also a tap of `wide`. Kernel and dilation of both must be set. */
bool op_conv_covers(const Op *wide, const Op *narrow);
/* Adds the weights `from` of `narrow` to the weights `to` of `wide`, so that `wide` computes the
 * sum of both. `wide` must cover `narrow` (op_conv_covers()). Output channel 0 of `narrow` is added
 * to output channel `first` of `wide`, and so on. */
void op_conv_merge(const Op *narrow, const float *from, int in_channels, const Op *wide, int first,
                   float *to);

/* Lets gcc compile a function once for each instruction set. The best version that the processor
 * can run is chosen when the program starts. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define OP_LOOP __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define OP_LOOP
#endif
