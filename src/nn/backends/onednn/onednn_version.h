/* onednn_version.h - the version of oneDNN that the program runs with. Threading: free function. */
#pragma once
#include <stddef.h>

void onednn_version(char *out, size_t size); /* such as "2.6.3" */
