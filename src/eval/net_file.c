#include "eval/net_file.h"

#include <string.h>
#include <strings.h>

#include "eval/katago_net.h"
#include "eval/katago_save.h"

static bool ends_in(const char *path, const char *end) {
    size_t length = strlen(path), wanted = strlen(end);
    return length > wanted && strcasecmp(path + length - wanted, end) == 0;
}

Status net_file_load(const char *path, Net **out, Error *err) {
    static const char *const KATAGO[] = {".gz", ".bin", ".txt"};
    for (size_t i = 0; i < sizeof KATAGO / sizeof *KATAGO; i++) {
        if (ends_in(path, KATAGO[i])) return katago_net_load(path, out, err);
    }
    return net_load(path, out, err);
}

Status net_file_save(const Net *net, const char *path, Error *err) {
    static const struct {
        const char *end;
        KatagoFormat format;
    } KATAGO[] = {{".bin.gz", {.binary = true, .packed = true}},
                  {".txt.gz", {.packed = true}},
                  {".bin", {.binary = true}},
                  {".txt", {0}}};
    for (size_t i = 0; i < sizeof KATAGO / sizeof *KATAGO; i++) {
        if (ends_in(path, KATAGO[i].end)) return katago_net_save(net, path, KATAGO[i].format, err);
    }
    if (ends_in(path, ".aji")) return net_save(net, path, err);
    return fail(err, ERR_ARGUMENT,
                "%s: a net is written as .aji, or for KataGo as .bin.gz, .txt.gz, .bin or .txt",
                path);
}
