/* katago_save.h - writes nets as KataGo's model files, which KataGo reads (cpp/neuralnet/desc.cpp,
 * python/export_model_pytorch.py): a walk from the outputs of a program to its inputs that knows
 * the blocks and heads KataGo has. Of our own nets the score distribution and the policies that
 * KataGo does not play with are left out; the version of the file is that of the net's model
 * format. Threading: free functions. */
#pragma once
#include "nn/graph/net.h"

typedef struct {
    bool binary; /* weights as f32, else as text */
    bool packed; /* by gzip */
} KatagoFormat;

/* Atomic. ERR_UNSUPPORTED: the net has a part that KataGo's files cannot represent; the message
 * names it. A net that was read from such a file is the same after saving and reading it again. */
MUST_USE Status katago_net_save(const Net *net, const char *path, KatagoFormat format, Error *err);
