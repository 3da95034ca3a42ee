/* net_file.h - a net from any file that we read: our own `.aji`, or KataGo's `.bin.gz`, `.txt.gz`,
 * `.bin`, `.txt`. Threading: free functions. */
#pragma once
#include "nn/net.h"

MUST_USE Status net_file_load(const char *path, Net **out, Error *err);
