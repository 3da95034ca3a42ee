/* lc0_save.h - writes nets for Go as net files of lc0 (.pb.gz, .pb), as far as lc0's format can
 * express them. docs/NETWORKS.md says how. Threading: free functions. */
#pragma once
#include "nn/graph/net.h"

/* Writes a net; on failure the file at `path` is unchanged. If the name ends in .gz, the file is
 * compressed. ERR_UNSUPPORTED: lc0's files cannot hold the net; the message names the part.
 * ERR_ARGUMENT: a weight is not finite. ERR_IO, ERR_MEMORY. */
MUST_USE Status lc0_net_save(const Net *net, const char *path, Error *err);
