#include <stdio.h>
#include <unistd.h>

#include "base/plural.h"
#include "cli/commands.h"
#include "cli/engine/analysis_nets.h"
#include "cli/engine/engine_command.h"

extern const char cmd_analysis_summary[];
int cmd_analysis(int argc, char **argv);
const char cmd_analysis_summary[] =
    "answers queries in KataGo's JSON about many positions at once, for KaTrain and others";

static const char DETAILS[] =
    "The command reads one query per line on stdin and writes one answer per line on stdout; "
    "docs/ANALYSIS.md describes the fields. A program that starts KataGo can also start "
    "this command, with KataGo's options: -model FILE, -human-model FILE, -config FILE, "
    "-override-config K=V,K=V, -analysis-threads N and -quit-without-waiting. Keys of KataGo's "
    "configs that have no meaning here are reported on stderr.\n"
    "  echo "
    "'{\"id\":\"a\",\"moves\":[[\"B\",\"D4\"]],\"rules\":\"chinese\",\"boardXSize\":19,"
    "\"boardYSize\":19}' "
    "|\n"
    "    aji analysis --net FILE --visits 100";

static const KatagoOption KATAGO_OPTIONS[] = {
    {"-model", "--net"},
    {"-human-model", "--human-net"},
    {"-analysis-threads", "--positions"},
    {"-quit-without-waiting", "--quit-without-waiting"},
    {"-config", KATAGO_CONFIG},
    {"-override-config", KATAGO_OVERRIDE},
    {0},
};

static Status serve(const AnalysisNets *nets, bool waits, Error *err) {
    const AnalysisSetup *setup = &nets->setup;
    Analysis *analysis;
    Status status = analysis_new(setup, &analysis, err);
    if (status) return status;
    fprintf(stderr, "aji analysis: %s, %d thread%s with %d position%s each; ready\n",
            nets->net_path, setup->threads, plural_ending(setup->threads), setup->positions_at_once,
            plural_ending(setup->positions_at_once));
    status = analysis_serve(analysis, STDIN_FILENO, STDOUT_FILENO, waits, err);
    analysis_free(analysis);
    return status;
}

int cmd_analysis(int argc, char **argv) {
    AnalysisNets nets = {0};
    bool quits = false;
    SettingsGroup groups[ANALYSIS_GROUPS];
    Option options[ANALYSIS_OPTIONS + 2] = {
        [ANALYSIS_OPTIONS] = {"quit-without-waiting", OPTION_FLAG, &quits, 0, 0, NULL,
                              "at the end of the input, drop the queries that are not finished"}};
    const CommandUsage usage = {.name = "analysis",
                                .synopsis = "aji analysis [NET] [--visits N] [--threads N]",
                                .summary = cmd_analysis_summary,
                                .details = DETAILS,
                                .options = options,
                                .settings = groups,
                                .max_words = 1};
    Error err = {0};
    analysis_nets_defaults(&nets, usage.name);
    analysis_nets_groups(&nets, groups);
    analysis_nets_options(&nets, options);
    int code = engine_command_parse(&usage, KATAGO_OPTIONS, argc, argv, &nets.net_path);
    if (code >= 0) return code;
    Status status = analysis_nets_load(&nets, &err);
    if (!status) status = serve(&nets, !quits, &err);
    if (status && status != ERR_STOPPED) fprintf(stderr, "aji analysis: %s\n", err.message);
    analysis_nets_clear(&nets);
    return command_code(status);
}
