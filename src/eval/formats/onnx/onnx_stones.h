/* onnx_stones.h - translations to ONNX of the ops that read the stones of the position
 * (nn/ops/chain_pool.c, nn/ops/diagonals.c). Threading: free functions. */
#pragma once
#include "eval/formats/onnx/onnx_values.h"

OnnxTranslation onnx_chain_pool, onnx_diagonals;
