/* only_side.h - some programs take only boards of one size. only_side_check() refuses all others;
 * executors call it before they run. Threading: free functions. */
#pragma once
#include "nn/graph/program.h"

/* The boards that a program takes, and where its mask is. */
typedef struct {
    int side;     /* the side of the boards; 0: the program takes boards of all sizes */
    int input;    /* index of the input that has the mask; -1: there is no mask */
    int channels; /* how many channels this input has */
    int channel;  /* the channel of this input that is the mask */
} OnlySide;

OnlySide only_side_of(const Program *program);
/* Checks the boards of the first `samples` samples. `mask_input` is the buffer of the input with
 * the mask, (samples, height, width, channels). If there is no mask, this buffer is not read, and
 * every board counts as height x width. ERR_UNSUPPORTED: a board has another size than the program
 * takes. */
MUST_USE Status only_side_check(const OnlySide *only, const float *mask_input, int samples,
                                int height, int width, Error *err);
