/* net_file.h - a net from and to any file that we know, by the ending of its name: our own `.aji`,
 * or KataGo's `.bin.gz`, `.txt.gz`, `.bin`, `.txt`. Threading: free functions. */
#pragma once
#include "nn/net.h"

MUST_USE Status net_file_load(const char *path, Net **out, Error *err);
/* ERR_ARGUMENT: no net is written under such a name. */
MUST_USE Status net_file_ending(const char *path, Error *err);
/* Atomic. ERR_ARGUMENT: the ending is none of these; ERR_UNSUPPORTED: KataGo's files cannot hold
 * the net, and the message says which part of it. */
MUST_USE Status net_file_save(const Net *net, const char *path, Error *err);
