#include "nn/backends/onednn/onednn_version.h"

#include <oneapi/dnnl/dnnl.h>
#include <stdio.h>

void onednn_version(char *out, size_t size) {
    const dnnl_version_t *version = dnnl_version();
    snprintf(out, size, "%d.%d.%d", version->major, version->minor, version->patch);
}
