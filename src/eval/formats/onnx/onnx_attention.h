/* onnx_attention.h - attention in ONNX: plain, with tables, and with maps
 * (nn/ops/attention/attention.c, nn/ops/attention/attention_terms.c). Threading: free functions. */
#pragma once
#include "eval/formats/onnx/onnx_values.h"

OnnxTranslation onnx_attention, onnx_attention_tables, onnx_attention_maps;
