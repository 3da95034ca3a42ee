/* katago_blocks.h - reads the blocks of KataGo's trunk and adds their ops (cpp/neuralnet/desc.cpp).
 * Threading: confined. */
#pragma once
#include "eval/formats/katago_layers.h"

/* Reads the next block of the file, of whichever kind, and adds it with its residual sum. `depth`:
 * how many blocks it is nested in. */
Value katago_block(KatagoLayers *layers, LayerPrefix prefix, Value x, int depth);
