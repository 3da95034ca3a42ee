/* net_inputs.h - what a net is told of a position: features by its version, rules as it knows them,
 * and who plays. Threading: immutable once made. */
#pragma once
#include "eval/features.h"
#include "eval/metadata.h"
#include "eval/model_format.h"
#include "nn/infer.h"

typedef struct {
    ModelFormat model_format;
    GameMetadata metadata; /* of nets that are told who plays */
} NetInputs;

/* `human_profile`: of nets that are told who plays, metadata_profile(); others ignore it.
 * ERR_ARGUMENT: it is missing or not a profile. ERR_UNSUPPORTED: a model format that is not known. */
MUST_USE Status net_inputs_of(const Net *net, const char *human_profile, NetInputs *out,
                              Error *err);
/* The position as the net's version knows it: other rules are seen as the nearest that it knows.
 * The copy in `room` is shallow. */
const Position *net_inputs_position(const NetInputs *inputs, const Position *position,
                                    Position *room);

/* Where one sample goes; metadata NULL: the net has no such input. */
typedef struct {
    float *planes, *globals, *metadata;
} NetInputBuffers;
/* Those of the first sample of an executor of `program`. ERR_UNSUPPORTED: an input is missing, or
 * not what the net's model format asks for. */
MUST_USE Status net_inputs_buffers(const NetInputs *inputs, const Program *program, Infer *infer,
                                   NetInputBuffers *out, Error *err);
/* Those of sample `index`, in buffers of `cells` points. */
NetInputBuffers net_inputs_sample(const NetInputs *inputs, NetInputBuffers first, int cells,
                                  int index);
/* `features`: its version is the net's, whatever it says; buffers as in features_encode(). */
void net_inputs_encode(const NetInputs *inputs, const Position *position,
                       const FeatureOptions *features, Symmetry symmetry, int buffer_width,
                       int buffer_height, NetInputBuffers to);
