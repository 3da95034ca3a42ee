/* katago_blocks.h - reads the blocks of KataGo's trunk and adds their ops (cpp/neuralnet/desc.cpp).
 * Threading: confined. */
#pragma once
#include "eval/formats/katago_layers.h"

/* Reads the next block of the file, of whatever kind, and adds it, with the sum of x and what the
 * block computes. `depth` says in how many blocks it is nested. Returns -1 after a fault. */
Value katago_block(KatagoLayers *layers, LayerPrefix prefix, Value x, int depth);
