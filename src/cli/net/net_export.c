#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/options/options.h"
#include "build_info.h"
#include "cli/commands.h"
#include "cli/engine/net_run.h"
#include "cli/eval/eval_position.h"
#include "cli/net/net_commands.h"
#include "eval/formats/onnx/onnx_save.h"

static Status export_net(const char *from, const char *to, const char *size, Error *err) {
    OnnxSetup setup = {.version = BUILD_VERSION};
    Net *net = NULL;
    Status status = size ? eval_position_size(size, &setup.width, &setup.height, err) : OK;
    if (status) return fail_within(err, status, "--size");
    if (file_same(from, to))
        return fail(err, ERR_ARGUMENT, "%s and %s are the same file; name another file to write",
                    to, from);
    status = onnx_check_name(to, err);
    if (status) return status;
    status = net_run_load("net export", from, &net, err);
    if (status) return status;
    onnx_setup_sizes(net, &setup);
    status = onnx_save(net, to, &setup, err);
    if (status == ERR_UNSUPPORTED || status == ERR_ARGUMENT)
        fail_within(err, status, "%.200s", from);
    if (!status)
        printf("%s: exported from %s for boards of %dx%d\n", to, from, setup.width, setup.height);
    net_free(net);
    return status;
}

int net_export_command(int argc, char **argv) {
    const char *onnx = NULL, *size = NULL, *words[1];
    int count;
    const Option options[] = {
        {"onnx", OPTION_TEXT, &onnx, 0, 0, "FILE", "ONNX file to write; its name ends in .onnx"},
        {"size", OPTION_TEXT, &size, 0, 0, "N",
         "size of the board, N or WIDTHxHEIGHT (default: 19, or the only size of the net)"},
        {0},
    };
    const CommandUsage usage = {
        "net export",
        "aji net export --onnx OUT.onnx NET [--size N]",
        "writes a net as an ONNX file, which other programs run",
        "The file is for boards of one size. docs/NETWORKS.md describes its inputs and outputs.",
        options,
        NULL,
        1,
        1};
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Error err = {0};
    Status status = onnx
                        ? export_net(words[0], onnx, size, &err)
                        : fail(&err, ERR_ARGUMENT, "--onnx is missing; it names the file to write");
    return command_end(usage.name, status, &err);
}
