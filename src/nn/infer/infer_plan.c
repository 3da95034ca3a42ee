#include "nn/infer/infer_plan.h"

#include <stdlib.h>

#include "nn/kernels/infer_attention_split.h"
#include "nn/kernels/infer_kernels.h"

bool plan_is_small_conv(const Step *step) {
    return step->kind == STEP_CONV && step->kernel_h == 1 && step->kernel_w == 1 &&
           step->channels <= INFER_SMALL_CHANNELS;
}

bool plan_splits_attention(const Plan *plan, const Step *step) {
    return step->kind == STEP_ATTENTION && plan->quantisation && !step->maps.rows &&
           attention_split_can();
}

int plan_rows(const Plan *plan, const Step *step) {
    return program_rows(step->shape, step->rows, plan->height, plan->width);
}

size_t plan_values(const Plan *plan, const Step *step) {
    return (size_t)plan_rows(plan, step) * (size_t)step->channels;
}

static const size_t STORE_SIZE[] = {[STORE_F32] = 4, [STORE_BF16] = 2, [STORE_INT8] = 1};

size_t plan_bytes(const Plan *plan, const Step *step) {
    return (plan_values(plan, step) * STORE_SIZE[step->store] + 63) / 64 * 64;
}

static void definition_free(Definition *definition) {
    for (int i = 0; definition && i < 4; i++)
        free(definition->parameters[i]);
    free(definition);
}

Status plan_refuse_memory(const Plan *plan, size_t wanted, size_t max, Error *err) {
    static const double MB = 1 << 20;
    return fail(
        err, ERR_UNSUPPORTED,
        "this net takes %.1f MB besides its weights on boards of %dx%d; at most %.1f MB are "
        "allowed (%d MB and %d times the bytes of its weights)",
        (double)wanted / MB, plan->height, plan->width, (double)max / MB, PLAN_BUFFERS_MAX >> 20,
        PLAN_BUFFERS_BY_WEIGHTS);
}

void plan_free(Plan *plan) {
    if (!plan) return;
    for (int i = 0; plan->steps && i < plan->count; i++) {
        free(plan->steps[i].weights);
        free(plan->steps[i].scale);
        free(plan->steps[i].bias);
        free(plan->steps[i].int8.weight_scales);
        free(plan->steps[i].int8.rounding.inverse_scales);
        free(plan->steps[i].int8.rounding.zero_points);
        definition_free(plan->steps[i].definition);
    }
    free(plan->steps);
    free(plan->order);
    free(plan->outputs);
    quantisation_free(plan->quantisation);
    free(plan);
}
