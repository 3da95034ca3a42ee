/* katago_layers.h - turns the layers of a KataGo file into ops of a net, in the order of the file.
 * Each call reads a layer, checks that it fits its input, adds its ops, and records where its
 * weights belong. At the end layers_finish() makes the net and copies the weights into it.
 * Threading: confined. */
#pragma once
#include "eval/formats/katago_file.h"
#include "nn/graph/net.h"

typedef struct LayerSource LayerSource;
typedef struct {
    KatagoFile *file;
    Program *program;
    LayerSource *sources;
    size_t count, capacity;
} KatagoLayers;

/* Makes the net with its weights; called after the last layer has been read. If the file has a
 * fault, returns this fault; otherwise takes layers->program. */
MUST_USE Status layers_finish(KatagoLayers *layers, Net **out, Error *err);
void layers_clear(KatagoLayers *layers); /* also frees the program if it was not taken */

/* The first part of the names of ops, such as "block3"; an op is named "prefix.part". */
typedef struct {
    char text[32];
} LayerPrefix;
/* Returns a prefix. If it is too long, this records a fault of the file. */
LayerPrefix layers_prefix(KatagoLayers *layers, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

typedef struct {
    char text[64];
} LayerName;
LayerName layers_name(LayerPrefix prefix, const char *part);

/* Each of these reads one layer (a convolution, a dense layer, a bias, an activation) and adds its
 * op, with the input x. It returns the op's value, or -1 after a fault. For an activation that is
 * the identity it adds no op and returns x. `out` is the number of channels that the output must
 * have; 0 means any. */
Value layers_conv(KatagoLayers *layers, LayerPrefix prefix, const char *part, Value x, int out);
Value layers_matrix(KatagoLayers *layers, LayerPrefix prefix, const char *part, Value x, int out);
Value layers_vector(KatagoLayers *layers, LayerPrefix prefix, const char *part, Value x);
Value layers_activation(KatagoLayers *layers, Value x);
/* Reads a batch norm and its activation, adds both, and then adds the mask. */
Value layers_norm(KatagoLayers *layers, LayerPrefix prefix, const char *part, Value x);
int layers_channels(const KatagoLayers *layers, Value x); /* 0 if x is -1 */
/* Checks the layer that was read last. It reads `in` channels and gives `out` channels. x must have
 * `in` channels; if `wanted_out` is not 0, `out` must equal `wanted_out`. Otherwise records a fault
 * and returns false. */
bool layers_fit(KatagoLayers *layers, Value x, int in, int out, int wanted_out);
/* If the program has an error, records it as a fault of the file, unless there was one before. */
void layers_check(KatagoLayers *layers);

/* Adds one dense op in place of `count` matrices that were read before. The outputs of the op are
 * the outputs of all these matrices, one matrix after another. Checks that the matrices fit x. */
Value layers_dense(KatagoLayers *layers, LayerPrefix prefix, const char *part, Value x,
                   const KatagoMatrix *matrices, int count);
/* Records that `values` fill the op's parameter number `slot` as they are; NULL means ones. */
void layers_fill(KatagoLayers *layers, Value op, int slot, const float *values);
