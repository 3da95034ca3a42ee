/* net_inputs.h - the inputs of a net for a position: features in its version, the rules that it
 * knows, and the players if it is conditioned on them. net_inputs_of() once for a net,
 * net_inputs_buffers() for an executor, then net_inputs_encode() for each position. Threading:
 * immutable once made. */
#pragma once
#include "eval/features/features.h"
#include "eval/features/metadata.h"
#include "eval/features/model_format.h"
#include "nn/infer/infer.h"

typedef struct {
    ModelFormat model_format;
    GameMetadata metadata; /* of nets that are conditioned on the players */
} NetInputs;

/* `human_profile`: the players, as metadata_profile() reads it; nets that are not conditioned on
 * them ignore it. ERR_ARGUMENT: it is missing or not a profile. ERR_SYNTAX: the note of the model
 * format cannot be read. */
MUST_USE Status net_inputs_of(const Net *net, const char *human_profile, NetInputs *out,
                              Error *err);
/* The position under the rules that the net knows: rules that it does not know are replaced by the
 * nearest ones. Returns `position` itself, or a shallow copy in `*buffer`. */
const Position *net_inputs_position(const NetInputs *inputs, const Position *position,
                                    Position *buffer);

/* The input buffers of one sample. metadata NULL: the net has no such input. */
typedef struct {
    float *planes, *globals, *metadata;
} NetInputBuffers;
/* The buffers of the first sample in an executor of `program`. ERR_UNSUPPORTED: an input is
 * missing, or its shape differs from the model format's. */
MUST_USE Status net_inputs_buffers(const NetInputs *inputs, const Program *program, Infer *infer,
                                   NetInputBuffers *out, Error *err);
/* The buffers of sample `index`, for boards in buffers of `cells` points. */
NetInputBuffers net_inputs_sample(const NetInputs *inputs, NetInputBuffers first, int cells,
                                  int index);
/* Encodes a position into the buffers of a sample, as features_encode() does. The version in
 * `features` is ignored: the net's counts. */
void net_inputs_encode(const NetInputs *inputs, const Position *position,
                       const FeatureOptions *features, Symmetry symmetry, int buffer_width,
                       int buffer_height, NetInputBuffers to);
