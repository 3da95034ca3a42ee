#include "cli/engine/engine_command.h"

#include <stdio.h>

#include "cli/commands.h"

int engine_command_parse_many(const CommandUsage *usage, const KatagoOption *options, int argc,
                              char **argv, const char **words, int *count) {
    Error err = {0};
    *count = 0;
    if (katago_options_take(options, usage->settings, &argc, argv, &err)) {
        fprintf(stderr, "aji %s: %s\n", usage->name, err.message);
        return 2;
    }
    OptionsResult parsed = options_parse(usage, argc, argv, words, count);
    return parsed == OPTIONS_RUN ? -1 : parsed == OPTIONS_HELP ? 0 : 2;
}

int engine_command_parse(const CommandUsage *usage, const KatagoOption *options, int argc,
                         char **argv, const char **net) {
    const char *words[1];
    int count;
    Error err = {0};
    int code = engine_command_parse_many(usage, options, argc, argv, words, &count);
    if (code >= 0) return code;
    if (count && *net)
        return command_end(
            usage->name,
            fail(&err, ERR_ARGUMENT, "there are two nets: --net %.200s and %.200s", *net, words[0]),
            &err);
    if (count) *net = words[0];
    return -1;
}
