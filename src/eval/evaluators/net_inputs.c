#include "eval/evaluators/net_inputs.h"
#include "eval/arch/heads.h"
#include "eval/features/gonn_planes.h"

Status net_inputs_of(const Net *net, const char *human_profile, NetInputs *out, Error *err) {
    *out = (NetInputs){0};
    Status status = model_format_of(net, &out->model_format, err);
    if (status || !out->model_format.metadata) return status;
    bool given = human_profile && *human_profile;
    if (!given && !out->model_format.own_policies)
        return fail(
            err, ERR_ARGUMENT,
            "this net predicts moves of human players and wants search.human.profile, for example "
            "rank_5k");
    return metadata_profile(given ? human_profile : "unknown", &out->metadata, err);
}

const Position *net_inputs_position(const NetInputs *inputs, const Position *position,
                                    Position *buffer) {
    const ModelFormat *model_format = &inputs->model_format;
    Rules rules = model_format_rules(model_format, &position->rules);
    bool suicide = model_format->passalive_under_suicide && !position->passalive_under_suicide;
    if (!suicide && rules_equal(&rules, &position->rules)) return position;
    *buffer = *position;
    buffer->rules = rules;
    buffer->passalive_under_suicide |= suicide;
    return buffer;
}

Status net_inputs_buffers(const NetInputs *inputs, const Program *program, Infer *infer,
                          NetInputBuffers *out, Error *err) {
    *out = (NetInputBuffers){0};
    Status status = heads_check_inputs(program, &inputs->model_format, err);
    if (status) return status;
    out->planes = infer_input(infer, program_find_input(program, "planes"));
    out->globals = infer_input(infer, program_find_input(program, "globals"));
    if (inputs->model_format.metadata)
        out->metadata = infer_input(infer, program_find_input(program, "metadata"));
    int gonn = program_find_input(program, "gonn");
    if (gonn >= 0) out->gonn = infer_input(infer, gonn);
    return OK;
}

NetInputBuffers net_inputs_sample(const NetInputs *inputs, NetInputBuffers first, int cells,
                                  int index) {
    int version = model_format_features(&inputs->model_format);
    size_t i = (size_t)index;
    return (NetInputBuffers){first.planes + i * (size_t)cells * (size_t)feature_planes(version),
                             first.globals + i * (size_t)feature_globals(version),
                             first.metadata ? first.metadata + i * METADATA_COUNT : NULL,
                             first.gonn ? first.gonn + i * (size_t)cells * GONN_PLANES : NULL};
}

void net_inputs_encode(const NetInputs *inputs, const Position *position,
                       const FeatureOptions *features, Symmetry symmetry, int buffer_width,
                       int buffer_height, NetInputBuffers to) {
    FeatureOptions versioned = *features;
    Position buffer;
    const Position *adapted = net_inputs_position(inputs, position, &buffer);
    versioned.version = model_format_features(&inputs->model_format);
    features_encode(adapted, &versioned, symmetry, buffer_width, buffer_height, to.planes,
                    to.globals);
    if (to.metadata)
        metadata_encode(&inputs->metadata, position->mover,
                        position->board.width * position->board.height, to.metadata);
    if (to.gonn) gonn_planes_encode(to.planes, buffer_height, buffer_width, to.gonn);
}
