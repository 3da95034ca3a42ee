#include "cli/data/train_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/options/options.h"
#include "cli/commands.h"
#include "cli/engine/net_run.h"
#include "cli/settings/set_words.h"
#include "eval/arch/arch.h"
#include "run/supervised/rate_search.h"
#include "run/supervised/supervised.h"

static const char DETAILS[] =
    "DATA are row files in KataGo's format (.npz), or folders with such files, as `aji learn` "
    "and KataGo's self-play and shuffle.py write them. An epoch has --samples samples. After "
    "each epoch the net is measured on rows that it is not trained on. These are the rows of "
    "--validation. Without --validation they are the rows of a fraction of the games "
    "(loader.validation). The folder --out then has\n"
    "  best.aji      the averaged net with the smallest policy and value loss on these rows\n"
    "  last.aji      the averaged net after the last epoch, or at the end of --time\n"
    "  report/       index.html with the curves, and metrics.csv\n"
    "Ctrl-C stops training. The same command continues it. Settings that the command line does "
    "not name are those of the last start. --find-rate trains no net. It tries learning rates "
    "with --samples samples for each. All of them begin with the same net and use the same "
    "rows. The command prints the losses on the validation rows.\n"
    "  aji train aji-run-9/rows --arch b6c96-mish --out b6c96\n"
    "  aji train selfplay/ --validation val/ --from b6c96/best.aji --out again --epochs 3";

enum { WORDS_MAX = 256 };

typedef struct {
    const char *out, *arch, *from, *validation;
    int epochs, samples, size;
    double seconds;
    bool find_rate;
} TrainOptions;

bool train_data_is_meant(int argc, char **argv) {
    static const char *const OPTIONS[] = {"--out", "--arch", "--from", "--validation", "--epochs"};
    for (int i = 1; i < argc; i++) {
        for (size_t k = 0; k < sizeof OPTIONS / sizeof *OPTIONS; k++) {
            size_t length = strlen(OPTIONS[k]);
            if (strncmp(argv[i], OPTIONS[k], length) == 0 && strchr("=", argv[i][length]))
                return true;
        }
    }
    return argc > 1 && *argv[1] != '-' && !path_has_ending(argv[1], ".cfg");
}

/* Sets the settings for which there are options of their own. */
static Status apply(const TrainOptions *options, const SettingsGroup *groups, Error *err) {
    char text[32];
    Status status = OK;
    const char *arch = options->from ? "" : options->arch; /* a given net has its own */
    if (arch) status = settings_set(groups, "supervised.arch", arch, err);
    const struct {
        const char *key;
        int value;
    } NUMBERS[] = {{"supervised.epochs", options->epochs},
                   {"supervised.epoch_samples", options->samples},
                   {"supervised.size", options->size}};
    for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS && !status; i++) {
        snprintf(text, sizeof text, "%d", NUMBERS[i].value);
        if (NUMBERS[i].value >= 0) status = settings_set(groups, NUMBERS[i].key, text, err);
    }
    return status;
}

/* Refuses an architecture that is not that of the training in the folder. */
static Status check_arch(const TrainOptions *options, const char *begun, Error *err) {
    ArchSettings wanted, is;
    if (!options->arch) return OK;
    Status status = arch_parse(options->arch, &wanted, err);
    if (status) return fail_within(err, ERR_ARGUMENT, "--arch");
    if (*begun && !arch_parse(begun, &is, NULL) &&
        strcmp(arch_text(&wanted).text, arch_text(&is).text) == 0)
        return OK;
    return fail(err, ERR_ARGUMENT,
                "%s has a training of %s%s, which --arch cannot change; name another folder",
                options->out, *begun ? "the net " : "another net", begun);
}

/* Refuses an architecture beside --from. */
static Status check_from(const TrainOptions *options, int argc, char **argv, Error *err) {
    bool sets_arch = set_words_have(argc, argv, "supervised.arch");
    if (!options->from || (!options->arch && !sets_arch)) return OK;
    return fail(err, ERR_ARGUMENT,
                "%s and --from exclude each other: a net brings its architecture along",
                options->arch ? "--arch" : "--set supervised.arch");
}

/* Reads the settings: first those of a training that has begun, then those of the command line. */
static Status read_settings(const TrainOptions *options, const CommandUsage *usage, int argc,
                            char **argv, SupervisedConfig *config, Error *err) {
    const char *words[WORDS_MAX];
    int count;
    if (supervised_has_begun(options->out)) {
        Status status = supervised_settings(options->out, config, err);
        if (!status) status = check_arch(options, config->supervised.arch, err);
        if (status) return status;
        if (options_parse(usage, argc, argv, words, &count) != OPTIONS_RUN)
            return fail(err, ERR_ARGUMENT, "the options are wrong");
    }
    return apply(options, usage->settings, err);
}

static void print_trial(void *context, const RateTrial *trial) {
    (void)context;
    if (isfinite(trial->loss))
        printf("rate %-10.3g policy and value loss %.4f\n", trial->rate, trial->loss);
    else
        printf("rate %-10.3g training diverges\n", trial->rate);
    fflush(stdout);
}

static Status find_rate(const SupervisedSetup *setup, Error *err) {
    RateSearch found;
    const RateSearchSetup search = {.training = setup->training,
                                    .validation = setup->validation,
                                    .from = setup->from,
                                    .config = setup->config,
                                    .samples = setup->config->supervised.epoch_samples,
                                    .tell = print_trial};
    Status status = rate_search_train(&search, &found, err);
    if (!status)
        printf("the smallest loss of %d rates: --set schedule.rate=%.3g\n", found.count,
               found.trials[found.best].rate);
    return status;
}

static void print_end(const TrainOptions *options, const SupervisedTotals *totals) {
    Path last;
    bool has_net = !path_join(&last, options->out, "last.aji", NULL) && file_exists(last.text);
    printf("%s: %lld samples in %s\n", options->out, (long long)totals->samples,
           clock_duration_text(totals->seconds).text);
    if (totals->best_samples)
        printf("%s/best.aji: after %lld samples, policy and value loss %.4f on the validation "
               "rows\n",
               options->out, (long long)totals->best_samples, totals->best_loss);
    else if (has_net)
        printf("%s: no row is for validation, so nets were not measured, and there is no best.aji; "
               "name such rows by --validation\n",
               options->out);
    if (!has_net)
        printf("%s: there is no trained net yet, because the first epoch has not ended; the same "
               "command goes on\n",
               options->out);
}

static Status work(const TrainOptions *options, const SupervisedSetup *setup, Error *err) {
    Supervised *supervised;
    Status status = supervised_open(setup, &supervised, err);
    if (status) return status;
    status = supervised_run(supervised, options->seconds, err);
    if (setup->progress) progress_end(setup->progress);
    SupervisedTotals totals = supervised_totals(supervised);
    supervised_close(supervised);
    if (!status) print_end(options, &totals);
    return status;
}

int train_data(int argc, char **argv) {
    const char *words[WORDS_MAX];
    int count;
    TrainOptions given = {.out = "aji-train", .epochs = -1, .samples = -1, .size = -1};
    static SupervisedConfig config;
    SettingsGroup groups[SUPERVISED_GROUPS];
    Error err = {0};
    const Option options[] = {
        {"out", OPTION_TEXT, &given.out, 0, 0, "DIR",
         "folder for the net and the report (default ./aji-train)"},
        {"arch", OPTION_TEXT, &given.arch, 0, 0, "TEXT",
         "architecture of a new net, such as b6c96-mish (default b6c96)"},
        {"from", OPTION_TEXT, &given.from, 0, 0, "NET",
         "begin with this net instead of random weights"},
        {"validation", OPTION_TEXT, &given.validation, 0, 0, "PATH",
         "row file or folder for validation (default: a part of the games in DATA)"},
        {"samples", OPTION_INT, &given.samples, 1, 2e9, "N",
         "samples of an epoch (default 100000)"},
        {"epochs", OPTION_INT, &given.epochs, 0, 1e9, "N",
         "number of epochs; 0: until --time or Ctrl-C (default 10)"},
        {"time", OPTION_DURATION, &given.seconds, 0, 0, "TIME",
         "stop after this time, such as 2h or 90 (seconds)"},
        {"find-rate", OPTION_FLAG, &given.find_rate, 0, 0, NULL,
         "only search for the learning rate with the smallest loss after --samples samples"},
        {"size", OPTION_INT, &given.size, 2, BOARD_SIDE_MAX, "N",
         "width and height of the net's input (default: those of the rows)"},
        {0}};
    supervised_config_defaults(&config);
    supervised_config_groups(&config, groups);
    const CommandUsage usage = {"train",
                                "aji train DATA... [--out DIR] [--arch b6c96] [--set KEY=VALUE]",
                                "trains a net on a fixed set of rows",
                                DETAILS,
                                options,
                                groups,
                                1,
                                WORDS_MAX};
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Path from;
    Status status = check_from(&given, argc, argv, &err);
    if (!status && given.from) {
        status = net_run_file("train", given.from, &from, &err);
        given.from = from.text;
    }
    if (!status)
        status = given.find_rate ? apply(&given, groups, &err)
                                 : read_settings(&given, &usage, argc, argv, &config, &err);
    Progress progress = progress_start(stdout, 20);
    const SupervisedSetup setup = {.folder = given.out,
                                   .training = {words, count},
                                   .validation = {&given.validation, given.validation ? 1 : 0},
                                   .from = given.from,
                                   .config = &config,
                                   .progress = &progress};
    if (!status) status = given.find_rate ? find_rate(&setup, &err) : work(&given, &setup, &err);
    return command_end(usage.name, status, &err);
}
