#include "serve/http/assets.h"

#include <string.h>

typedef struct {
    const char *path, *type, *etag;
    const unsigned char *gzip; /* the compressed file */
    size_t length;
} Asset;

#include PAGE_FILES_INC /* PAGE_FILES, which web/build.cjs makes; its last row is zeros */

static const Asset *find(const char *path) {
    for (const Asset *asset = PAGE_FILES; asset->path; asset++) {
        if (strcmp(asset->path, path) == 0) return asset;
    }
    return NULL;
}

bool assets_have(const char *path) {
    return find(path) != NULL;
}

/* Browsers keep the files, but ask each time whether they have changed. */
bool assets_answer(const char *path, HttpAnswer *out) {
    const Asset *asset = find(path);
    if (!asset) return false;
    *out = (HttpAnswer){.code = 200,
                        .type = asset->type,
                        .encoding = "gzip",
                        .etag = asset->etag,
                        .cache = "no-cache"};
    strbuf_add_bytes(&out->body, asset->gzip, asset->length);
    return true;
}
