/* net_inputs.h - encodes positions as the inputs of a net. The features have the version that the
 * net reads, under rules that the net knows. If the net is conditioned on the players, the inputs
 * also describe the players. Call net_inputs_of() once for a net, net_inputs_buffers() once for an
 * executor, and net_inputs_encode() for each position. Threading: immutable once made. */
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
 * metadata_profile(). If the net is not conditioned on the players, `human_profile` is ignored. If
 * the net is one of our own and the profile is missing, the players are hidden from the net.
 * ERR_ARGUMENT: `human_profile` is not a profile, or the profile is missing and the net is one of
 * KataGo's. ERR_SYNTAX: the note in which the net holds its model format cannot be read. */
MUST_USE Status net_inputs_of(const Net *net, const char *human_profile, NetInputs *out,
                              Error *err);
/* Returns the position under rules that the net knows; the nearest known rules replace rules that
 * the net does not know. If the net's features show pass-alive areas as if suicide were legal,
 * `passalive_under_suicide` is set in the result. The result is `position` itself or a shallow copy
 * in `*buffer`. */
const Position *net_inputs_position(const NetInputs *inputs, const Position *position,
                                    Position *buffer);

/* The input buffers of one sample. `metadata` and `gonn` are NULL if the net has no such input. */
typedef struct {
    float *planes, *globals, *metadata, *gonn;
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
 * of net_inputs_position(). The version of the features is that of the net; `features->version` is
 * ignored. If the net has the input "metadata", the function also writes the description of the
 * players. If the net has the input "gonn", the function also writes GoNN's planes. */
void net_inputs_encode(const NetInputs *inputs, const Position *position,
                       const FeatureOptions *features, Symmetry symmetry, int buffer_width,
                       int buffer_height, NetInputBuffers to);
