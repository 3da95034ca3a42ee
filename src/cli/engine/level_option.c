#include "cli/engine/level_option.h"

#include <stdio.h>

static void warn(const char *command, const LevelScale *scale, const char *net,
                 const Rules *rules) {
    const char *doubt = level_scale_doubt(scale, net, rules);
    if (doubt)
        fprintf(stderr, "aji %s: warning: the levels of %s were measured %s\n", command,
                path_name(net), doubt);
}

Status level_option_find(const char *command, const char *net, const char *name, int width,
                         int height, const Rules *rules, Level *out, Error *err) {
    Path path;
    LevelScale scale;
    Status status = level_scale_path(net, width, height, &path, err);
    if (!status && !file_exists(path.text))
        status = fail(err, ERR_ARGUMENT,
                      "there are no levels of %s on %dx%d; measure them: aji calibrate %s --size "
                      "%d (or choose --strength, from 0 to 1)",
                      path_name(net), width, height, net, width);
    if (!status) status = level_scale_load(path.text, &scale, err);
    if (!status) status = level_scale_find(&scale, name, out, err);
    if (status) return status;
    fprintf(stderr, "aji %s: %s on %dx%d: %s, strength %.2f\n", command, path_name(net), width,
            height, level_text(&scale, out).text, out->strength);
    warn(command, &scale, net, rules);
    return OK;
}
