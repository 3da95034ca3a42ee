/* katago_save.h - writes nets as model files that KataGo reads (cpp/neuralnet/desc.cpp,
 * python/export_model_pytorch.py). The writer walks from the outputs of a program to its inputs and
 * looks for the blocks and heads that KataGo has. It leaves out the heads and policies that KataGo
 * does not use in play, such as the score distribution and the auxiliary heads of our own nets. The
 * version of the file is that of the net's model format. Threading: free functions. */
#pragma once
#include "nn/graph/net.h"

typedef struct {
    bool binary; /* whether weights are written as f32; otherwise they are written as text */
    bool packed; /* whether the file is packed by gzip */
} KatagoFormat;

/* Writes a net; on failure the file at `path` is unchanged. A net that was read from a file of
 * KataGo's stays the same when it is written and read again. ERR_UNSUPPORTED: the net has a part
 * that KataGo's files cannot represent; the message names it. ERR_ARGUMENT: a weight is not
 * finite. */
MUST_USE Status katago_net_save(const Net *net, const char *path, KatagoFormat format, Error *err);
