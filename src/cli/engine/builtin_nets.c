#include "cli/engine/builtin_nets.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "cli/engine/program_files.h"

/* Puts the bytes of nets/NAME between the symbols SYMBOL and SYMBOL_end. AJI_NETS_FOLDER is the
 * folder nets of the source tree. */
#define BUILTIN(symbol, name)                                                                      \
    __asm__(".section .rodata\n" #symbol ":\n.incbin \"" AJI_NETS_FOLDER "/" name "\"\n" #symbol   \
            "_end:\n.byte 0\n.previous\n");                                                        \
    extern const char symbol[], symbol##_end[]

#define NET_9X9 "9x9-b5c48.aji"
BUILTIN(builtin_9x9, NET_9X9);

bool builtin_nets_play(int width, int height) {
    int own_width, own_height;
    return program_net_board(NET_9X9, &own_width, &own_height) && own_width == width &&
           own_height == height;
}

typedef struct {
    const char *name, *bytes;
    size_t count;
} BuiltinFile;

static Status cache_folder(Path *out, Error *err) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && *cache) return path_join(out, cache, "aji", err);
    if (home && *home) return path_join(out, home, ".cache/aji", err);
    return fail(err, ERR_ARGUMENT,
                "the net inside the program cannot be unpacked, because neither XDG_CACHE_HOME nor "
                "HOME says where");
}

static Status unpack(const char *folder, const BuiltinFile *file, Error *err) {
    Path path;
    Status status = path_join(&path, folder, file->name, err);
    if (status || file_bytes(path.text) == (int64_t)file->count) return status;
    return file_write(path.text, file->bytes, file->count, err);
}

Status builtin_nets_folder(Path *out, Error *err) {
    const BuiltinFile net = {NET_9X9, builtin_9x9, (size_t)(builtin_9x9_end - builtin_9x9)};
    HashText hash = hash_sha256(net.bytes, net.count);
    char version[24];
    Path cache;
    snprintf(version, sizeof version, "nets-%.8s", hash.text);
    Status status = cache_folder(&cache, err);
    if (!status) status = path_join(out, cache.text, version, err);
    if (!status) status = directory_make(out->text, err);
    return status ? status : unpack(out->text, &net, err);
}
