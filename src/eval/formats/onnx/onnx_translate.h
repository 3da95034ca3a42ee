/* onnx_translate.h - turns the program of a net into an ONNX graph for boards of one size. The
 * inputs and outputs of the graph have the names and shapes that they have in the program
 * (onnx_values.h). Threading: confined. */
#pragma once
#include "eval/formats/onnx/onnx_graph.h"
#include "nn/graph/net.h"

typedef struct {
    int height, width;   /* of the board */
    const bool *outputs; /* by output of the program: whether the graph has it */
} OnnxTranslateSetup;

/* Adds the net to an empty graph. Ops on which no wanted output depends are left out, but all
 * inputs are added. ERR_ARGUMENT: the net is only for boards of another size. ERR_UNSUPPORTED: a
 * wanted output depends on an op without a translation, and the message names the op; or an input
 * or output has a name that ONNX does not allow here. ERR_MEMORY. */
MUST_USE Status onnx_translate(const Net *net, const OnnxTranslateSetup *setup, OnnxGraph *graph,
                               Error *err);
