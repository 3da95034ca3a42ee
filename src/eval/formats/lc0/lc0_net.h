/* lc0_net.h - lists what is in a net file of lc0 (.pb.gz, .pb; LeelaChessZero/lczero-common,
 * proto/net.proto), and names what keeps Aji from running the net. The nets of lc0 read positions
 * of chess and write moves of chess, so they cannot become nets of Aji; but the list shows their
 * weights. Threading: free functions. */
#pragma once
#include "base/strbuf.h"

bool lc0_net_is_file(const char *path); /* whether the name ends in .pb.gz or .pb */
/* Adds to `out` the formats that the file names, its training, a line for each tensor, and what Aji
 * cannot express. ERR_SYNTAX: the file is not a net of lc0, or it is damaged. ERR_IO,
 * ERR_MEMORY. */
MUST_USE Status lc0_net_describe(const char *path, StrBuf *out, Error *err);
/* Does the same with the unpacked bytes of a file. Messages call it `path`. */
MUST_USE Status lc0_net_describe_bytes(const void *bytes, size_t count, const char *path,
                                       StrBuf *out, Error *err);
/* Fails with ERR_UNSUPPORTED and a message that names what Aji cannot express, or with the errors
 * of lc0_net_describe(). */
MUST_USE Status lc0_net_refuse(const char *path, Error *err);
