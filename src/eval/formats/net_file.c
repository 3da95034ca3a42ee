#include "eval/formats/net_file.h"

#include <string.h>
#include <strings.h>

#include "eval/formats/katago_net.h"
#include "eval/formats/katago_save.h"
#include "eval/formats/lc0/lc0_net.h"
#include "eval/formats/lc0/lc0_read.h"
#include "eval/formats/lc0/lc0_save.h"

static bool ends_with(const char *path, const char *ending) {
    size_t length = strlen(path), ending_length = strlen(ending);
    return length > ending_length && strcasecmp(path + length - ending_length, ending) == 0;
}

static const struct {
    const char *ending;
    KatagoFormat format;
} KATAGO[] = {{".bin.gz", {.binary = true, .packed = true}},
              {".txt.gz", {.packed = true}},
              {".bin", {.binary = true}},
              {".txt", {0}}};
enum { KATAGO_COUNT = sizeof KATAGO / sizeof *KATAGO };

Status net_file_load(const char *path, Net **out, Error *err) {
    *out = NULL;
    if (lc0_net_is_file(path)) return lc0_net_load(path, out, err);
    if (ends_with(path, ".gz")) return katago_net_load(path, out, err);
    for (int i = 0; i < KATAGO_COUNT; i++) {
        if (ends_with(path, KATAGO[i].ending)) return katago_net_load(path, out, err);
    }
    Status status = net_load(path, out, err);
    if (status == ERR_SYNTAX && !ends_with(path, ".aji"))
        fail_within(
            err, status,
            "this is no net (files of nets end in .aji, .bin.gz, .txt.gz, .bin, .txt, .pb.gz "
            "or .pb)");
    return status;
}

size_t net_file_stem(const char *name) {
    static const char *const OTHERS[] = {".aji", ".pb.gz", ".pb"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++) {
        if (ends_with(name, OTHERS[i])) return length - strlen(OTHERS[i]);
    }
    for (int i = 0; i < KATAGO_COUNT; i++) {
        if (ends_with(name, KATAGO[i].ending)) return length - strlen(KATAGO[i].ending);
    }
    return length;
}

Status net_file_ending(const char *path, Error *err) {
    for (int i = 0; i < KATAGO_COUNT; i++) {
        if (ends_with(path, KATAGO[i].ending)) return OK;
    }
    if (ends_with(path, ".aji") || lc0_net_is_file(path)) return OK;
    return fail(err, ERR_ARGUMENT,
                "%s: a net is written as .aji, for KataGo as .bin.gz, .txt.gz, .bin or .txt, or in "
                "lc0's format as .pb.gz or .pb%s",
                *path ? path : "the name is empty",
                ends_with(path, ".onnx") ? "; `aji net export` writes ONNX" : "");
}

Status net_file_save(const Net *net, const char *path, Error *err) {
    Status status = net_file_ending(path, err);
    if (status) return status;
    for (int i = 0; i < KATAGO_COUNT; i++) {
        if (ends_with(path, KATAGO[i].ending))
            return katago_net_save(net, path, KATAGO[i].format, err);
    }
    if (lc0_net_is_file(path)) return lc0_net_save(net, path, err);
    return net_save(net, path, err);
}
