#include "eval/net_file.h"

#include <string.h>
#include <strings.h>

#include "eval/katago_net.h"

Status net_file_load(const char *path, Net **out, Error *err) {
    static const char *const KATAGO[] = {".gz", ".bin", ".txt"};
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof KATAGO / sizeof *KATAGO; i++) {
        size_t end = strlen(KATAGO[i]);
        if (length > end && strcasecmp(path + length - end, KATAGO[i]) == 0)
            return katago_net_load(path, out, err);
    }
    return net_load(path, out, err);
}
