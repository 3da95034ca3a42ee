/* onnx_save.h - writes nets as ONNX files, which other programs run. docs/NETWORKS.md describes
 * their inputs and outputs. Threading: free functions. */
#pragma once
#include "nn/graph/net.h"
#include <stdint.h>

typedef struct {
    /* of the board; 0: the only size that the net is for, or 19 if the net is for several sizes */
    int width, height;
    const char *version;  /* of this program */
    uint64_t limit_bytes; /* of the file; 0: the limit of the format, 2^31 - 1 */
} OnnxSetup;

/* Fills in the sizes that are 0. */
void onnx_setup_sizes(const Net *net, OnnxSetup *setup);
/* Checks a name for onnx_save(). ERR_ARGUMENT: it does not end in .onnx. */
MUST_USE Status onnx_check_name(const char *path, Error *err);
/* Writes a net for boards of one size; on failure the file at `path` is unchanged. ERR_ARGUMENT:
 * the name does not end in .onnx, or the net is only for boards of another size. ERR_UNSUPPORTED:
 * this is no net for Go, ONNX cannot express an op of it, or the file would be too large. */
MUST_USE Status onnx_save(const Net *net, const char *path, const OnnxSetup *setup, Error *err);
