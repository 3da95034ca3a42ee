#include "nn/infer/winograd/infer_winograd_choice.h"

#include "nn/backends/backend.h"
#include "nn/kernels/winograd.h"

/* If a convolution has fewer channels than these, the transforms cost more time than Winograd saves
 * in products. In bf16, direct products are twice as fast, so there Winograd must save more. The
 * limits come from measurements of nets with 32 to 384 channels. */
enum { CHANNELS_MIN = 16, CHANNELS_MIN_BF16 = 96 };
static const double GAIN_MIN_BF16 = 3.6;

/* Returns the products that the direct sum needs, divided by those that Winograd needs. */
static double gain_of(const Plan *plan, const Step *step) {
    Winograd cut = winograd_of(step->kernel_h, plan->height, plan->width);
    return (double)(plan->height * plan->width * cut.kernel * cut.kernel) /
           (double)(cut.tiles * cut.products);
}

static bool takes_winograd(const Plan *plan, const Step *step) {
    if (plan->bf16 && backend_prefers_direct_bf16()) return false;
    int min = plan->bf16 ? CHANNELS_MIN_BF16 : CHANNELS_MIN;
    bool kernel = step->kernel_h == step->kernel_w && (step->kernel_h == 3 || step->kernel_h == 5),
         plain = step->kind == STEP_CONV && step->dilation == 1 && !step->int8.quantisation,
         wide = step->in_channels >= min && step->channels >= min;
    return plain && kernel && wide && (!plan->bf16 || gain_of(plan, step) >= GAIN_MIN_BF16);
}

void plan_choose_winograd(Plan *plan) {
    for (int i = 0; i < plan->count; i++)
        plan->steps[i].winograd = takes_winograd(plan, &plan->steps[i]);
}
