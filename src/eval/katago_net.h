/* katago_net.h - KataGo's nets, model versions 3 to 17, as nets of ours with the same numbers
 * (KataGo, cpp/neuralnet/desc.cpp). Threading: free functions. */
#pragma once
#include "nn/net.h"

/* From the unpacked bytes of a model file. The note "meaning" says how inputs and outputs are
 * meant. ERR_SYNTAX: cut, inconsistent, not finite; ERR_UNSUPPORTED: something that is not known;
 * the message names the layer. */
MUST_USE Status katago_net_read(const char *bytes, size_t count, Net **out, Error *err);
MUST_USE Status katago_net_load(const char *path, Net **out, Error *err); /* gzip or plain */
