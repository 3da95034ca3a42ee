/* lc0_net.h - lists what is in a net file of lc0 (.pb.gz, .pb; LeelaChessZero/lczero-common,
 * proto/net.proto): what the net is, its formats, its training and its tensors. The nets of lc0 are
 * for chess, and the list names what keeps Aji from playing with them. Threading: free
 * functions. */
#pragma once
#include "base/strbuf.h"
#include <stdbool.h>

bool lc0_net_is_file(const char *path); /* whether the name ends in .pb.gz or .pb */
/* Sets `*go` to whether the file is a net for Go, which Aji has written. ERR_SYNTAX, ERR_IO,
 * ERR_MEMORY, as below. ERR_UNSUPPORTED: its mapping is not known. */
MUST_USE Status lc0_net_is_go(const char *path, bool *go, Error *err);
/* Adds to `out` a summary, the formats that the file names, its training, a line for each tensor,
 * and what Aji cannot express. ERR_SYNTAX: the file is not a net of lc0, or it is damaged. ERR_IO,
 * ERR_MEMORY. ERR_UNSUPPORTED: it is a net for Go whose mapping is not known. */
MUST_USE Status lc0_net_describe(const char *path, StrBuf *out, Error *err);
/* Does the same with the unpacked bytes of a file. Messages call it `path`. */
MUST_USE Status lc0_net_describe_bytes(const void *bytes, size_t count, const char *path,
                                       StrBuf *out, Error *err);
