/* katago_layers.h - turns the layers of a KataGo file into ops of a net, in the order of the file.
 * Each call reads a layer, checks that its inputs fit, adds its ops, and records where its weights
 * belong; layers_finish() then makes the net with its weights. Threading: confined. */
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

/* Makes the net with its weights, after the last layer. Takes layers->program, except after a fault
 * of the file; layers_clear() then frees it. */
MUST_USE Status layers_finish(KatagoLayers *layers, Net **out, Error *err);
void layers_clear(KatagoLayers *layers); /* frees the program, too, if it was not taken */

/* Ops are named "prefix.part". Functions return -1 after a fault. `out`: the required number of
 * output channels; 0: any. */
typedef struct {
    char text[32];
} LayerPrefix;
LayerPrefix layers_prefix(KatagoLayers *layers, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

typedef struct {
    char text[64];
} LayerName;
LayerName layers_name(LayerPrefix prefix, const char *part);

Value layers_conv(KatagoLayers *layers, LayerPrefix prefix, const char *part, Value x, int out);
Value layers_matrix(KatagoLayers *layers, LayerPrefix prefix, const char *part, Value x, int out);
Value layers_vector(KatagoLayers *layers, LayerPrefix prefix, const char *part, Value x);
Value layers_activation(KatagoLayers *layers, Value x);
/* Batch norm, activation and mask. */
Value layers_norm(KatagoLayers *layers, LayerPrefix prefix, const char *part, Value x);
int layers_channels(const KatagoLayers *layers, Value x); /* 0 after a fault */
/* Checks that x has `in` channels, as the layer that was read last needs, and that `out` is
 * `wanted_out` (0: any). Otherwise records a fault and returns false. */
bool layers_fit(KatagoLayers *layers, Value x, int in, int out, int wanted_out);
/* If the program has an error, records it as the fault of the file. */
void layers_check(KatagoLayers *layers);

/* Adds the op for matrices that were read before (`count` of them, joined by their outputs), after
 * checking that they fit. */
Value layers_dense(KatagoLayers *layers, LayerPrefix prefix, const char *part, Value x,
                   const KatagoMatrix *matrices, int count);
/* Records that `values` fill the op's parameter number `slot` unchanged; NULL: ones. */
void layers_fill(KatagoLayers *layers, Value op, int slot, const float *values);
