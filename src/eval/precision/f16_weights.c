#include "eval/precision/f16_weights.h"

#include <math.h>

#include "base/float16.h"
#include "eval/precision/precision_report.h"
#include "nn/graph/packed_weights.h"

static const PackedForm F16 = {PACKED_FORM_F16, 0};
static const float WEIGHT_MAX = 65504;

static bool can_round(const ParameterSpec *spec, const PackedForms *forms, const float *weights) {
    if (!spec->trained || !packed_form_suits(spec, F16)) return false;
    PackedFormKind kind = packed_forms_find(forms, spec->name).kind;
    if (kind != PACKED_FORM_NONE && kind != PACKED_FORM_F16) return false;
    for (size_t i = 0; i < spec->count; i++) {
        if (!(fabsf(weights[i]) <= WEIGHT_MAX)) return false;
    }
    return true;
}

Status f16_round_net(Net *net, int64_t *rounded, Error *err) {
    const Program *program = net_program(net);
    PackedForms *forms;
    *rounded = 0;
    Status status = packed_forms_new(net_note(net, PACKED_NOTE), &forms, err);
    for (int p = 0; p < program_parameter_count(program) && !status; p++) {
        const ParameterSpec *spec = program_parameter(program, p);
        float *weights = net_values(net, p);
        if (!can_round(spec, forms, weights)) continue;
        for (size_t i = 0; i < spec->count; i++)
            weights[i] = float16_value(float16_bits(weights[i]));
        *rounded += (int64_t)spec->count;
        status = packed_forms_set(forms, spec->name, F16, err);
    }
    if (!status) status = net_set_packed_forms(net, forms, err);
    if (!status) status = precision_clear_note(net, err);
    packed_forms_free(forms);
    return status;
}
