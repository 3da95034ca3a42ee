/* net_file.h - reads and writes nets in all file formats. The ending of the name chooses the
 * format: our own `.aji`, or KataGo's `.bin.gz`, `.txt.gz`, `.bin` and `.txt`. Threading: free
 * functions. */
#pragma once
#include "nn/graph/net.h"

/* Reads a net. A file with another ending is read as one of KataGo's if its name ends in `.gz`,
 * otherwise as `.aji`. Errors are those of net_load() and katago_net_load(). Nets of lc0 (`.pb.gz`,
 * `.pb`) are refused by lc0_net_refuse(). */
MUST_USE Status net_file_load(const char *path, Net **out, Error *err);
/* Checks the ending of a name for net_file_save(). ERR_ARGUMENT: it is none of the endings
 * above. */
MUST_USE Status net_file_ending(const char *path, Error *err);
/* Writes a net; on failure the file at `path` is unchanged. ERR_ARGUMENT: the ending is none of the
 * endings above, or a weight is not finite and the file is one of KataGo's. ERR_UNSUPPORTED:
 * KataGo's files cannot hold the net; the message says which part of it. */
MUST_USE Status net_file_save(const Net *net, const char *path, Error *err);
