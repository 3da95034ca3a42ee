/* onnx_places.h - translations to ONNX of the ops that depend on where on the board a point is. The
 * file of an op in nn/ops/ says what it computes. The board fills the buffer, so that the place of
 * a point is fixed. Threading: free functions. */
#pragma once
#include "eval/formats/onnx/onnx_values.h"

OnnxTranslation onnx_rotary, onnx_points, onnx_place_gate, onnx_points_vector, onnx_vector_points,
    onnx_vector_rows;

/* Returns the index of a cell among the points of a board of `side` x `side`, or -1 if the cell is
 * outside of this board. */
int onnx_point(const OnnxBuild *build, int cell, int side);
