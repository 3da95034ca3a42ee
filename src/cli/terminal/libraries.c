#include "cli/terminal/libraries.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/formats/yaml.h"
#include "base/json.h"
#include "nn/backends/backend.h"
#include "serve/server.h"

bool library_at(int index, Library *out) {
    const BackendVersion backend = backend_library_version();
    const struct {
        const char *name, *purpose, *version;
    } libraries[] = {{"oneDNN", "fast kernels for nets", backend.text},
                     {"libwebsockets", "the server of aji serve", server_library_version()},
                     {"SQLite", "the index of a run", sqlite3_libversion()},
                     {"Jansson", "JSON", jansson_version_str()},
                     {"zlib", "compressed files", zlibVersion()},
                     {"libyaml", "settings of lczero-training", yaml_version()}};
    if (index >= (int)(sizeof libraries / sizeof *libraries)) return false;
    out->name = libraries[index].name;
    out->purpose = libraries[index].purpose;
    const char *version = libraries[index].version;
    /* libwebsockets adds a dash and where it was built. */
    snprintf(out->version, sizeof out->version, "%.*s", (int)strcspn(version, "-"), version);
    return true;
}
