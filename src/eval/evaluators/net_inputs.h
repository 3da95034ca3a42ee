/* net_inputs.h - encodes positions as the inputs of a net: the features in the net's version, under
 * rules that the net knows, and the players if the net is conditioned on them. Call net_inputs_of()
 * once for a net, net_inputs_buffers() once for an executor, and net_inputs_encode() for each
 * position. Threading: immutable once made. */
#pragma once
#include "eval/features/features.h"
#include "eval/features/metadata.h"
#include "eval/features/model_format.h"
#include "nn/infer/infer.h"

typedef struct {
    ModelFormat model_format;
    GameMetadata metadata; /* only for nets that are conditioned on the players */
} NetInputs;

/* Finds out how a net wants its inputs. `human_profile` describes the players in the form of
 * metadata_profile(). It is ignored if the net is not conditioned on them. If it is missing, the
 * players are hidden from nets of our own. ERR_ARGUMENT: `human_profile` is not a profile, or it is
 * missing and the net is one of KataGo's. ERR_SYNTAX: the note in which the net
 * holds its model format cannot be read. */
MUST_USE Status net_inputs_of(const Net *net, const char *human_profile, NetInputs *out,
                              Error *err);
/* Returns the position under rules that the net knows; those that it does not know are replaced by
 * the nearest ones. If the net's features show pass-alive areas as if suicide were legal,
 * `passalive_under_suicide` is set in the result. The result is `position` itself or a shallow copy
 * in `*buffer`. */
const Position *net_inputs_position(const NetInputs *inputs, const Position *position,
                                    Position *buffer);

/* The input buffers of one sample. `metadata` is NULL if the net has no such input. */
typedef struct {
    float *planes, *globals, *metadata;
} NetInputBuffers;
/* Finds the buffers of the first sample in an executor of `program`. ERR_UNSUPPORTED: an input is
 * missing, or its shape differs from the model format's. */
MUST_USE Status net_inputs_buffers(const NetInputs *inputs, const Program *program, Infer *infer,
                                   NetInputBuffers *out, Error *err);
/* Returns the buffers of sample `index`, given those of the first sample. `cells` is the number of
 * points of a board buffer. */
NetInputBuffers net_inputs_sample(const NetInputs *inputs, NetInputBuffers first, int cells,
                                  int index);
/* Encodes a position into the buffers of a sample, as features_encode() does, but under the rules
 * of net_inputs_position() and in the net's version of the features instead of that in `features`.
 * If the net has the input "metadata", the function also writes the description of the players. */
void net_inputs_encode(const NetInputs *inputs, const Position *position,
                       const FeatureOptions *features, Symmetry symmetry, int buffer_width,
                       int buffer_height, NetInputBuffers to);
