/* katago_blocks.h - reads the blocks of KataGo's trunk and adds their ops (cpp/neuralnet/desc.cpp).
 * Threading: confined. */
#pragma once
#include "eval/formats/katago_layers.h"

/* Reads the next block of the file, of any kind, and adds its ops. Returns the last of them, the
 * sum of x and what the block computes, or -1 after a fault. `depth` says in how many blocks this
 * block is nested. */
Value katago_block(KatagoLayers *layers, LayerPrefix prefix, Value x, int depth);
