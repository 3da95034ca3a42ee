/* katago_net.h - reads KataGo's nets, of model versions 3 to 17, as nets of this program with the
 * same weights (KataGo, cpp/neuralnet/desc.cpp). Threading: free functions. */
#pragma once
#include "nn/graph/net.h"

/* Reads a net from the unpacked bytes of a model file. The net's note "meaning" holds its model
 * format (model_format.h). ERR_SYNTAX: the file is cut short or inconsistent, or a weight is not
 * finite. ERR_UNSUPPORTED: the file has a part that is not known. The message names the layer. */
MUST_USE Status katago_net_read(const char *bytes, size_t count, Net **out, Error *err);
/* Does the same with a file, packed by gzip or not. Also ERR_IO: the file cannot be read. */
MUST_USE Status katago_net_load(const char *path, Net **out, Error *err);
