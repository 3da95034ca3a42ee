/* onnx_layers.h - translations to ONNX of the ops that do not depend on where on the board a point
 * is. Some of these ops treat each point alone or with its neighbours, some pool over the board,
 * and some are for lists. The file of an op in nn/ops/ says what it computes. Threading: free
 * functions. */
#pragma once
#include "eval/formats/onnx/onnx_values.h"

OnnxTranslation onnx_constant, onnx_conv, onnx_dense, onnx_scale, onnx_bias, onnx_batch_norm,
    onnx_activation, onnx_add, onnx_multiply, onnx_add_broadcast, onnx_mul_broadcast, onnx_mask,
    onnx_global_pool, onnx_join, onnx_part, onnx_rms_norm, onnx_layer_norm, onnx_sigmoid,
    onnx_softplus, onnx_dropout, onnx_prelu, onnx_crelu, onnx_mixture, onnx_queries;
