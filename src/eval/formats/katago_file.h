/* katago_file.h - reads KataGo's model files, versions 3 to 17, layer by layer. A file consists of
 * tokens, separated by blanks or ends of lines, and of weights. Weights are either text or
 * little-endian f32 after "@BIN@" (KataGo, cpp/neuralnet/desc.cpp and
 * python/export_model_pytorch.py). The first fault is recorded together with its layer. After a
 * fault all reads return zeros, empty words or NULL. So a caller may go on as if nothing had
 * happened, and check katago_file_status() at the end. Memory for weights is allocated only if the
 * rest of the file is long enough to hold them. Threading: confined. */
#pragma once
#include "nn/graph/program.h"

/* KATAGO_WORD: the maximum number of bytes of a token, its final 0 included. */
enum { KATAGO_WORD = 128, KATAGO_CHANNELS_MAX = 1 << 16 };

typedef struct KatagoFile KatagoFile;

/* Begins to read a file. `bytes` are its unpacked contents, which are borrowed. ERR_MEMORY. */
MUST_USE Status katago_file_open(const char *bytes, size_t count, KatagoFile **out, Error *err);
void katago_file_close(KatagoFile *file); /* frees the weights, too; NULL is fine */
/* Returns the first fault, or OK. */
MUST_USE Status katago_file_status(const KatagoFile *file, Error *err);
bool katago_file_good(const KatagoFile *file); /* whether there was no fault */
/* Records a fault in the layer whose name was read last, unless there was a fault before. */
void katago_file_refuse(KatagoFile *file, Status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Sets the version of the model, on which the form of activations depends. It is 3 at first. */
void katago_file_set_version(KatagoFile *file, int version);

typedef struct {
    char text[KATAGO_WORD];
} KatagoWord;
/* Here and below, `what` names the token in messages. */
KatagoWord katago_read_word(KatagoFile *file, const char *what);
KatagoWord katago_read_name(KatagoFile *file); /* a layer's name, which later messages mention */
/* Reads an integer, which must be from `min` to `max`. */
int katago_read_int(KatagoFile *file, const char *what, int min, int max);
double katago_read_positive(KatagoFile *file, const char *what); /* finite and above 0 */
void katago_read_zeros(KatagoFile *file, int count);             /* integers that must be 0 */
/* Reads weights, which must be finite. They live until the file is closed. */
const float *katago_read_floats(KatagoFile *file, size_t count);

/* The layers. `in` and `out` are the numbers of channels that a layer reads and writes. Weights
 * live until the file is closed. */
typedef struct {
    int kernel, in, out;
    int dilation;
    const float *weights; /* (kernel, kernel, in, out) */
} KatagoConv;
KatagoConv katago_read_conv(KatagoFile *file);

typedef struct {
    int in, out;
    const float *weights; /* (in, out) */
} KatagoMatrix;
KatagoMatrix katago_read_matrix(KatagoFile *file);

typedef struct {
    int channels;
    const float *values;
} KatagoVector;
KatagoVector katago_read_vector(KatagoFile *file);

typedef struct {
    int channels;
    double epsilon;
    /* `scale` is NULL if the file has none, which means 1; likewise `bias`, which then means 0 */
    const float *mean, *variance, *scale, *bias;
} KatagoBatchNorm;
KatagoBatchNorm katago_read_batch_norm(KatagoFile *file);

typedef struct {
    int channels;
    double epsilon;
    bool whole; /* whether there is one mean square for the whole board; otherwise each cell has its
                 * own */
    const float *gamma, *beta; /* beta is NULL in the norm of a block, which has no bias */
} KatagoRmsNorm;
/* The norm at the end of the trunk, and the one at the beginning of a transformer block. */
KatagoRmsNorm katago_read_tip_rms_norm(KatagoFile *file);
KatagoRmsNorm katago_read_block_rms_norm(KatagoFile *file);

/* Returns ReLU for every model before version 11, whose files do not state the activation. */
Activation katago_read_activation(KatagoFile *file);
