#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/options/options.h"
#include "cli/command_group.h"
#include "cli/commands.h"
#include "cli/engine/net_run.h"
#include "cli/net/net_commands.h"
#include "eval/arch/arch.h"
#include "eval/formats/lc0/lc0_net.h"
#include "eval/formats/lc0/lc0_read.h"
#include "eval/formats/net_file.h"
#include "eval/precision/f16_weights.h"

extern const char cmd_net_summary[];
int cmd_net(int argc, char **argv);
const char cmd_net_summary[] =
    "makes, describes, draws, compares and converts nets: net new, net info, net show ...";

static const char FILES[] = "The ending of a file's name chooses its format: .aji, KataGo's "
                            ".bin.gz, .txt.gz, .bin, .txt, or lc0's .pb.gz, .pb.";

static Status make_net(const char *arch, int seed, const char *path, Error *err) {
    Rng rng = rng_seeded((uint64_t)seed);
    Net *net;
    if (!*arch)
        return fail(err, ERR_ARGUMENT, "--arch is empty; an architecture such as b6c96 is wanted");
    Status status = net_file_ending(path, err);
    if (status) return status;
    status = arch_build_text(arch, &rng, &net, err);
    if (status == ERR_SYNTAX) return ERR_ARGUMENT; /* --arch is at fault, not a file */
    if (!status) status = net_file_save(net, path, err);
    if (!status)
        printf("%s: %s, %lld parameters\n", path, arch, (long long)net_parameter_total(net));
    net_free(net);
    return status;
}

int net_new_command(int argc, char **argv) {
    const char *arch = "b6c96", *words[1];
    int seed = 1, count;
    const Option options[] = {
        {"arch", OPTION_TEXT, &arch, 0, 0, "TEXT",
         "architecture, such as b4c32-fixup or b6c96-batch-mish (default b6c96)"},
        {"seed", OPTION_INT, &seed, 0, 2e9, "N", "seed of the random weights (default 1)"},
        {0},
    };
    const CommandUsage usage = {"net new",
                                "aji net new [--arch b6c96] [--seed N] OUT",
                                "makes a net with random weights",
                                FILES,
                                options,
                                NULL,
                                1,
                                1};
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Error err = {0};
    return command_end(usage.name, make_net(arch, seed, words[0], &err), &err);
}

typedef struct {
    bool f16;
    const char *words[2]; /* the file to read and the file to write */
} Conversion;

static Status round_weights(Net *net, Error *err) {
    int64_t rounded, all = net_parameter_total(net);
    Status status = f16_round_net(net, &rounded, err);
    if (!status)
        printf("%lld of %lld parameters are stored in 16 bits\n", (long long)rounded,
               (long long)all);
    return status;
}

/* Reads the net to convert. Of a net for chess it reads the parts that Aji can compute, which only
 * an .aji file can hold. */
static Status load(const char *from, const char *to, Net **out, Error *err) {
    bool go = true, chess;
    if (lc0_net_is_file(from) && path_has_ending(to, ".aji")) {
        Status status = lc0_net_is_go(from, &go, err);
        if (status) return status;
    }
    if (go) return net_run_load("net convert", from, out, err);
    Status status = lc0_net_load_parts(from, out, &chess, err);
    if (status) return status;
    const Program *program = net_program(*out);
    printf("%s is a net for chess; the new file has these parts of it:", from);
    for (int i = 0; i < program_output_count(program); i++)
        printf(" %s", program_output_name(program, i));
    printf("\n");
    return OK;
}

static Status convert(const Conversion *conversion, Error *err) {
    const char *from = conversion->words[0], *to = conversion->words[1];
    Net *net = NULL;
    if (file_same(from, to))
        return fail(err, ERR_ARGUMENT, "%s and %s are the same file; name another file to write",
                    to, from);
    if (conversion->f16 && !path_has_ending(to, ".aji"))
        return fail(err, ERR_ARGUMENT, "%s: only .aji files can hold weights in 16 bits", to);
    Status status = net_file_ending(to, err);
    if (status) return status;
    status = load(from, to, &net, err);
    if (!status && conversion->f16) status = round_weights(net, err);
    if (!status) status = net_file_save(net, to, err);
    if (!status) printf("%s: converted from %s\n", to, from);
    net_free(net);
    return status;
}

int net_convert_command(int argc, char **argv) {
    Conversion conversion = {0};
    int count;
    const Option options[] = {
        {"f16", OPTION_FLAG, &conversion.f16, 0, 0, NULL,
         "round the weights to 16 bits, so that an .aji file is about half as large"},
        {0},
    };
    const CommandUsage usage = {
        .name = "net convert",
        .synopsis = "aji net convert FROM TO [--f16]",
        .summary = "writes a net in another format",
        .details =
            "The ending of a file's name chooses its format: .aji, KataGo's .bin.gz, .txt.gz, "
            ".bin, .txt, or lc0's .pb.gz, .pb. From a net of lc0 for chess, the command writes "
            "only the trunk and those parts of the heads that Aji can compute. The new file, an "
            ".aji file, holds their weights for other programs, but no game can be played with "
            "it.\n"
            "If the net contains a report on bf16 and int8 from `aji net quantize`, --f16 removes "
            "this report. Quantize the net after the conversion, not before.",
        .options = options,
        .min_words = 2,
        .max_words = 2};
    OptionsResult parsed = options_parse(&usage, argc, argv, conversion.words, &count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Error err = {0};
    return command_end(usage.name, convert(&conversion, &err), &err);
}

int cmd_net(int argc, char **argv) {
    static const Subcommand PARTS[] = {
        {"new", net_new_command},           {"info", net_info_command},
        {"show", net_show_command},         {"check", net_check_command},
        {"convert", net_convert_command},   {"export", net_export_command},
        {"quantize", net_quantize_command}, {"average", net_average_command},
        {"metrics", net_metrics_command},   {0},
    };
    const CommandGroup group = {"net", cmd_net_summary, FILES, PARTS};
    return command_group_run(&group, argc, argv);
}
