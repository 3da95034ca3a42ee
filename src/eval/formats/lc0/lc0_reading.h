/* lc0_reading.h - what the files share that read a net file of lc0 as a net: lc0_read.c (the file),
 * lc0_body.c (the trunk), lc0_heads.c (the heads of Go) and lc0_chess_heads.c. Threading:
 * confined. */
#pragma once
#include "eval/formats/lc0/lc0_format.h"
#include "eval/formats/lc0/lc0_layers.h"

typedef struct {
    Lc0Layers layers;
    Lc0Format format;
    int blocks; /* of the trunk, so far; the next block is named by this number */
} Lc0Reading;

/* Adds the inputs and the trunk. Returns its end, or -1 after a fault. */
Value lc0_read_body(Lc0Reading *r);
/* A convolution of `kernel` x `kernel`, its bias and its batch norm, of which the file may lack
 * bias and norm. The names of the tensors begin with `tensor`. The ops are named by `prefix`, a
 * word and `suffix`: "block3.conv1", "block3.bias1", "block3.norm1". */
typedef struct {
    const char *prefix, *suffix; /* "block3", "1" */
    const char *tensor;
    int kernel;
} Lc0ConvBlock;
Value lc0_read_conv_block(Lc0Reading *r, Lc0ConvBlock block, Value x);
/* Adds the activation of the net and the mask. */
Value lc0_read_activation(Lc0Reading *r, Value x);
/* Adds the heads of a net for Go. */
void lc0_read_go_heads(Lc0Reading *r, Value trunk);
/* Adds those parts of the heads of a net for chess that Aji can compute. */
void lc0_read_chess_heads(Lc0Reading *r, Value trunk);
