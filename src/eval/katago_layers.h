/* katago_layers.h - from layers of a KataGo file to ops of a net, in the order of the file: each
 * call reads a layer, checks that it fits what it reads, adds its ops, and remembers where its
 * weights go. Threading: confined. */
#pragma once
#include "eval/katago_file.h"
#include "nn/net.h"

typedef struct LayerSource LayerSource;
typedef struct {
    KatagoFile *file;
    Program *program;
    LayerSource *sources;
    size_t count, capacity;
} KatagoLayers;

/* After the last layer: the net with its weights. Takes layers->program, or leaves it to
 * layers_clear(). */
MUST_USE Status layers_finish(KatagoLayers *layers, Net **out, Error *err);
void layers_clear(KatagoLayers *layers); /* also the program, if it was not taken */

/* Ops are called "prefix.part". Values are -1 after a fault. `out`: channels that are wanted; 0:
 * any. */
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
/* Batch norm, activation, mask. */
Value layers_norm(KatagoLayers *layers, LayerPrefix prefix, const char *part, Value x);
int layers_channels(const KatagoLayers *layers, Value x); /* 0 after a fault */
/* Whether the layer read last reads `in` channels, as x has, and writes `out`, as `wanted_out` says
 * (0: any); else a fault. */
bool layers_fit(KatagoLayers *layers, Value x, int in, int out, int wanted_out);
/* Lets the first fault of building, if there is one, be the file's. */
void layers_check(KatagoLayers *layers);

/* A matrix that was read before: its ops, after the check that it fits. */
Value layers_dense(KatagoLayers *layers, LayerPrefix prefix, const char *part, Value x,
                   const KatagoMatrix *matrices, int count);
/* `values` (of spec->count) go to a parameter of the op as they are; NULL: ones. */
void layers_fill(KatagoLayers *layers, Value op, int slot, const float *values);
