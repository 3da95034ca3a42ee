/* only_side.h - refuses boards of other sizes for programs that are made for one size. Executors
 * call it before they run. Threading: free functions. */
#pragma once
#include "nn/graph/program.h"

/* Which boards a program takes, and the channel of an input that tells where they lie. */
typedef struct {
    int side; /* 0: all boards */
    /* the input that has the mask, or -1 if there is none; the channels of this input; the channel
     * of the mask */
    int input, channels, channel;
} OnlySide;

OnlySide only_side_of(const Program *program);
/* Checks the boards of the first samples in a buffer. `mask_input` is the input with the mask,
 * (samples, height, width, channels). ERR_UNSUPPORTED: a board has another size. */
MUST_USE Status only_side_check(const OnlySide *only, const float *mask_input, int samples,
                                int height, int width, Error *err);
