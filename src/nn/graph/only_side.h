/* only_side.h - some programs take only boards of one size. only_side_check() refuses all others;
 * executors call it before they run. Threading: free functions. */
#pragma once
#include "nn/graph/program.h"

/* The boards that a program takes, and where its mask is. */
typedef struct {
    int side; /* the side of the boards; 0: the program takes boards of all sizes */
    /* the index of the input that has the mask, or -1 if there is none; how many channels this
     * input has; which of them is the mask */
    int input, channels, channel;
} OnlySide;

OnlySide only_side_of(const Program *program);
/* Checks the boards of the first `samples` samples. `mask_input` is the buffer of the input with
 * the mask, (samples, height, width, channels); if there is no mask, it is not read, and each board
 * is taken to fill the buffer. ERR_UNSUPPORTED: a board has another size than the program takes. */
MUST_USE Status only_side_check(const OnlySide *only, const float *mask_input, int samples,
                                int height, int width, Error *err);
