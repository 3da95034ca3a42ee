/* How values are stored between steps. A step stores its value in another type than f32 if three
 * things hold: all readers of the value are convolutions that want this type, the value is no
 * output of the net, and the step can store this type. Otherwise it stores f32, and a rounding step
 * is added for each other type that a convolution wants. In int8, different scales or zero points
 * count as different types. */
#include "nn/infer/infer_stores.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Returns the type in which a step reads its first input. */
static Store wanted(const Plan *plan, const Step *reader) {
    if (reader->kind != STEP_CONV || reader->winograd || reader->int8.by_rows ||
        plan_is_small_conv(reader))
        return STORE_F32;
    if (reader->int8.quantisation) return STORE_INT8;
    return plan->bf16 ? STORE_BF16 : STORE_F32;
}

static bool same_form(const Plan *plan, const Step *a, const Step *b) {
    Store store = wanted(plan, a);
    return store == wanted(plan, b) &&
           (store != STORE_INT8 || quantisation_equal(a->int8.quantisation, b->int8.quantisation));
}

static Status set_form(Step *step, Store store, const LayerQuantisation *quantisation, Error *err) {
    step->store = store;
    if (store != STORE_INT8) return OK;
    size_t channels = (size_t)step->channels;
    Status status = mem_new(channels, sizeof *step->int8.rounding.inverse_scales,
                            &step->int8.rounding.inverse_scales, err);
    if (!status) status = mem_new(channels, 1, &step->int8.rounding.zero_points, err);
    if (status) return status;
    memcpy(step->int8.rounding.zero_points, quantisation->zero_points, channels);
    for (size_t c = 0; c < channels; c++)
        step->int8.rounding.inverse_scales[c] = 1.0f / quantisation->scales[c];
    return OK;
}

/* Whether step i may store its values in the type that its reader `first` wants. It may if its kind
 * can do this, if no reader wants another type, and if the values are no output of the program. */
static bool may_keep(const Plan *plan, int i, const Step *first, int count) {
    const Step *made = &plan->steps[i];
    if (made->shape != KIND_SPATIAL || made->fused.residual >= 0 || made->winograd ||
        made->int8.by_rows || plan_is_small_conv(made))
        return false;
    if (made->kind != STEP_CONV && made->kind != STEP_ELEMENTWISE) return false;
    bool int8 = wanted(plan, first) == STORE_INT8, quantised = made->int8.quantisation != NULL;
    if (made->kind == STEP_CONV && int8 != quantised) return false;
    for (int o = 0; o < plan->output_count; o++) {
        if (plan->outputs[o] == i) return false;
    }
    for (int r = 0; r < count; r++) {
        const Step *reader = &plan->steps[r];
        if (reader->fused.residual == i || reader->fused.vector_add == i ||
            reader->fused.vector_mul == i || reader->inputs[1] == i)
            return false;
        if (reader->inputs[0] == i && !same_form(plan, reader, first)) return false;
    }
    return true;
}

/* Adds a step that rounds the values of step i to the type that the step `first` reads. All steps
 * that want this type then read the rounded values. */
static Status add_rounding(Plan *plan, int i, const Step *first, int count, Error *err) {
    const Step *made = &plan->steps[i];
    const LayerQuantisation *quantisation = first->int8.quantisation;
    Store store = wanted(plan, first);
    Step *rounded = &plan->steps[plan->count];
    *rounded = (Step){.kind = STEP_ELEMENTWISE,
                      .op = made->op,
                      .rounds = true,
                      .inputs = {i, -1},
                      .fused.residual = -1,
                      .fused.vector_add = -1,
                      .fused.vector_mul = -1,
                      .shape = made->shape,
                      .channels = made->channels,
                      .position = made->position};
    for (int r = 0; r < count; r++) {
        Step *reader = &plan->steps[r];
        if (reader->inputs[0] == i && wanted(plan, reader) == store &&
            (store != STORE_INT8 || quantisation_equal(reader->int8.quantisation, quantisation)))
            reader->inputs[0] = plan->count;
    }
    plan->count++;
    return set_form(rounded, store, quantisation, err);
}

Status plan_choose_stores(Plan *plan, Error *err) {
    int count = plan->count;
    Status status = OK;
    for (int i = 0; i < count && !status; i++) {
        /* whether a rounding step reads the value; the value must then be stored in f32 */
        bool rounded = false;
        for (int r = 0; r < count && !status; r++) {
            Step *reader = &plan->steps[r];
            if (reader->inputs[0] != i || wanted(plan, reader) == STORE_F32) continue;
            if (!rounded && may_keep(plan, i, reader, count)) {
                status =
                    set_form(&plan->steps[i], wanted(plan, reader), reader->int8.quantisation, err);
                break; /* all readers want this type */
            }
            status = add_rounding(plan, i, reader, count, err);
            rounded = true;
        }
    }
    return status;
}
