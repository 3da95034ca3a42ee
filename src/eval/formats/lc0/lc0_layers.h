/* lc0_layers.h - turns tensors of a net file of lc0 into ops of a net. Each call checks the sizes
 * of the tensors, adds its ops, and keeps the weights. At the end lc0_layers_finish() makes the net
 * and copies the weights into it. The first fault is kept, and after a fault calls add nothing and
 * return -1. Threading: confined. */
#pragma once
#include "base/memory.h"
#include "eval/formats/lc0/lc0_file.h"
#include "nn/graph/net.h"

typedef struct Lc0Source Lc0Source;
typedef struct {
    const Lc0File *file;
    Program *program;
    Error fault;
    Arena arena; /* the weights */
    Lc0Source *sources;
    size_t count, capacity;
} Lc0Layers;

bool lc0_layers_good(const Lc0Layers *layers);
/* Records a fault. The message begins with the path of the file. Returns -1. */
Value lc0_layers_refuse(Lc0Layers *layers, Status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Makes the net. If there was a fault, returns it; otherwise takes layers->program. */
MUST_USE Status lc0_layers_finish(Lc0Layers *layers, Net **out, Error *err);
void lc0_layers_clear(Lc0Layers *layers);

/* The full name of a field or of an op. */
typedef struct {
    char text[160];
} Lc0Name;
Lc0Name lc0_name(const char *format, ...) __attribute__((format(printf, 1, 2)));

int lc0_channels(const Lc0Layers *layers, Value x); /* 0 after a fault */
/* Returns the numbers of the tensor, of which there must be `wanted`. Returns NULL after a fault,
 * and it is a fault if the file does not have the tensor. */
const float *lc0_numbers(Lc0Layers *layers, const char *tensor, size_t wanted);
/* Returns how many rows of `columns` numbers the tensor has. If the tensor is missing, or does not
 * consist of whole rows, records a fault and returns 0. */
int lc0_rows(Lc0Layers *layers, const char *tensor, size_t columns);
/* Records that `values`, which live as long as `layers`, fill the op's parameter `slot`. */
void lc0_fill(Lc0Layers *layers, Value op, int slot, const float *values);
/* Returns room for `count` numbers that lives as long as `layers`, or NULL after a fault. */
float *lc0_room(Lc0Layers *layers, size_t count);

/* These add an op with the name `op`. In `lc0_dense` the tensor has the form (out, inputs). A bias
 * that the file does not have adds no op. */
Value lc0_dense(Lc0Layers *layers, const char *op, const char *tensor, Value x, int out);
Value lc0_bias(Lc0Layers *layers, const char *op, const char *tensor, Value x);
Value lc0_layer_norm(Lc0Layers *layers, const char *op, const char *gain, const char *bias, Value x,
                     float epsilon);
Value lc0_activation(Lc0Layers *layers, Lc0Activation activation, Value x);
/* Adds a convolution from numbers in lc0's order (out, in, kernel, kernel), of which the first
 * `first` inputs of each output are left out. `all_in` is the number of inputs that the numbers
 * have. */
typedef struct {
    const float *numbers;
    int kernel, out, all_in, first;
} Lc0Conv;
Value lc0_conv(Lc0Layers *layers, const char *op, Lc0Conv conv, Value x);
