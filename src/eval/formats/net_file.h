/* net_file.h - reads and writes nets in all file formats. The ending of the name chooses the
 * format: our own `.aji`, KataGo's `.bin.gz`, `.txt.gz`, `.bin` and `.txt`, or lc0's `.pb.gz` and
 * `.pb`. Threading: free functions. */
#pragma once
#include "nn/graph/net.h"

/* Reads a net. A file with another ending is read as one of KataGo's if its name ends in `.gz`,
 * otherwise as `.aji`. Errors are those of net_load(), katago_net_load() and lc0_net_load(). */
MUST_USE Status net_file_load(const char *path, Net **out, Error *err);
/* Returns the length of a file's name without the ending of a net: one of the endings above. */
size_t net_file_stem(const char *name);
/* Checks the ending of a name for net_file_save(). ERR_ARGUMENT: it is none of the endings
 * above. */
MUST_USE Status net_file_ending(const char *path, Error *err);
/* Writes a net; on failure the file at `path` is unchanged. ERR_ARGUMENT: the ending is none of the
 * endings above, or a weight is not finite and the file is one of KataGo's or lc0's.
 * ERR_UNSUPPORTED: KataGo's or lc0's files cannot hold the net; the message says which part of
 * it. */
MUST_USE Status net_file_save(const Net *net, const char *path, Error *err);
