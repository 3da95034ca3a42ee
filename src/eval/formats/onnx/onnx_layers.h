/* onnx_layers.h - translations to ONNX of the ops that do not depend on where a point is: those
 * that treat each point by itself or together with its neighbours, those that pool over the board,
 * and those for lists. What each op computes stands in its file in nn/ops/. Threading: free
 * functions. */
#pragma once
#include "eval/formats/onnx/onnx_values.h"

OnnxTranslation onnx_constant, onnx_conv, onnx_dense, onnx_scale, onnx_bias, onnx_batch_norm,
    onnx_activation, onnx_add, onnx_multiply, onnx_add_broadcast, onnx_mul_broadcast, onnx_mask,
    onnx_global_pool, onnx_join, onnx_part, onnx_rms_norm, onnx_layer_norm, onnx_sigmoid,
    onnx_softplus, onnx_dropout, onnx_prelu, onnx_crelu, onnx_mixture, onnx_queries;
