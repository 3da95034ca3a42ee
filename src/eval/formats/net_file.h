/* net_file.h - reads and writes nets in all file formats, chosen by the ending of the name: our own
 * `.aji`, or KataGo's `.bin.gz`, `.txt.gz`, `.bin`, `.txt`. Threading: free functions. */
#pragma once
#include "nn/graph/net.h"

/* ERR_IO, ERR_SYNTAX, ERR_UNSUPPORTED, ERR_MEMORY: as net_load() and katago_net_load(). */
MUST_USE Status net_file_load(const char *path, Net **out, Error *err);
/* Checks the ending of a name for net_file_save(). ERR_ARGUMENT: it is none of these. */
MUST_USE Status net_file_ending(const char *path, Error *err);
/* Atomic. ERR_ARGUMENT: the ending is none of these; ERR_UNSUPPORTED: KataGo's files cannot hold
 * the net, and the message says which part of it. */
MUST_USE Status net_file_save(const Net *net, const char *path, Error *err);
