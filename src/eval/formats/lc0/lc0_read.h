/* lc0_read.h - reads net files of lc0 (.pb.gz, .pb) as nets. docs/NETWORKS.md says how nets for Go
 * stand in such files. Threading: free functions. */
#pragma once
#include "nn/graph/net.h"

/* Reads a net for Go. ERR_UNSUPPORTED: it is a net for chess, and the message says so; or it has
 * something that Aji does not know, which the message names by its number; or Aji has no op for a
 * part. ERR_SYNTAX: the file is damaged. ERR_IO, ERR_MEMORY. */
MUST_USE Status lc0_net_load(const char *path, Net **out, Error *err);
/* Reads a net for Go as above, or those parts of a net for chess that Aji has ops for. Such a net
 * reads planes of 8x8, of which plane 111 is 1 on all squares. Its outputs are "trunk" and parts of
 * the heads, before their last activation (docs/NETWORKS.md). `*chess` says which of the two it
 * is. */
MUST_USE Status lc0_net_load_parts(const char *path, Net **out, bool *chess, Error *err);
/* Does the same with the unpacked bytes of a file. Messages call it `path`. */
MUST_USE Status lc0_net_read_parts(const void *bytes, size_t count, const char *path, Net **out,
                                   bool *chess, Error *err);
