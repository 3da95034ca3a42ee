/* katago_blocks.h - the blocks of KataGo's trunk, from file to ops (cpp/neuralnet/desc.cpp).
 * Threading: confined. */
#pragma once
#include "eval/katago_layers.h"

/* One block, of whichever kind is next in the file, with its residual sum. `depth`: how many nested
 * blocks it is in. */
Value katago_block(KatagoLayers *layers, LayerPrefix prefix, Value x, int depth);
