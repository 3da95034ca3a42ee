#include "nn/learn/learn_norm.h"

#include "nn/kernels/norm_kernels.h"

bool learn_norm_can(const Op *op) {
    return op->kind == OP_LAYER_NORM || op->kind == OP_RMS_NORM;
}

static void layer_norm_forward(const OpCall *call) {
    const LayerNormCall norm = {.rows = (size_t)call->n * (size_t)call->rows,
                                .channels = (size_t)call->op->channels,
                                .x = call->x[0],
                                .gain = call->parameters[0],
                                .bias = call->parameters[1],
                                .epsilon = call->op->epsilon,
                                .y = call->y,
                                .saved = call->saved};
    norm_kernels_select()->layer_norm(&norm);
}

static void layer_norm_backward(const OpCall *call) {
    const LayerNormSlopes norm = {.rows = (size_t)call->n * (size_t)call->rows,
                                  .channels = (size_t)call->op->channels,
                                  .x = call->x[0],
                                  .dy = call->dy,
                                  .gain = call->parameters[0],
                                  .saved = call->saved,
                                  .add = !call->first[0],
                                  .dx = call->dx[0],
                                  .gain_gradient = call->gradients[0],
                                  .bias_gradient = call->gradients[1]};
    norm_kernels_select()->layer_norm_backward(&norm);
}

static void rms_norm_forward(const OpCall *call) {
    const RmsNormCall norm = {.samples = call->n,
                              .cells = call->rows,
                              .channels = call->op->channels,
                              .x = call->x[0],
                              .gain = call->parameters[0],
                              .mask = call->op->shape == KIND_SPATIAL ? call->mask : NULL,
                              .area = call->op->whole_board ? call->area : NULL,
                              .epsilon = call->op->epsilon,
                              .y = call->y,
                              .saved = call->saved};
    norm_kernels_select()->rms_norm(&norm);
}

static void rms_norm_backward(const OpCall *call) {
    const RmsNormSlopes norm = {.samples = call->n,
                                .cells = call->rows,
                                .channels = call->op->channels,
                                .x = call->x[0],
                                .dy = call->dy,
                                .gain = call->parameters[0],
                                .mask = call->op->shape == KIND_SPATIAL ? call->mask : NULL,
                                .area = call->op->whole_board ? call->area : NULL,
                                .saved = call->saved,
                                .add = !call->first[0],
                                .dx = call->dx[0],
                                .gain_gradient = call->gradients[0]};
    norm_kernels_select()->rms_norm_backward(&norm);
}

void learn_norm_forward(const OpCall *call) {
    (call->op->kind == OP_LAYER_NORM ? layer_norm_forward : rms_norm_forward)(call);
}

void learn_norm_backward(const OpCall *call) {
    (call->op->kind == OP_LAYER_NORM ? layer_norm_backward : rms_norm_backward)(call);
}
