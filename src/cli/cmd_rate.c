#include "base/clock.h"
#include "base/options.h"
#include "base/progress.h"
#include "base/thread.h"
#include "cli/commands.h"
#include "play/elo.h"
#include "run/rate.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char cmd_rate_summary[];
int cmd_rate(int argc, char **argv);
const char cmd_rate_summary[] =
    "rates the nets of a run, among each other or against a fixed opponent over time";

static const char DETAILS[] =
    "With --against it plays the newest net of each moment against that opponent and shows the "
    "curve over time and evaluations; the run's page shows it too.\n"
    "  aji rate aji-run-7 --against 'gtp:gnugo --mode gtp --level 10 --chinese-rules "
    "--capture-all-dead' --komi 8.5 --at 2,4,6,8,10";

enum { MOMENTS_MAX = 64 };

typedef struct {
    const char *directory, *against, *rules, *at;
    double komi;
    int visits, size, seed;
    MatchSetup setup;
    double moments[MOMENTS_MAX]; /* seconds */
    int moment_count;
} Rate;

static Status read_moments(Rate *rate, const RatedNet *nets, int count, Error *err) {
    if (!rate->at) { /* five, evenly spread */
        double last = count ? nets[count - 1].seconds : 0;
        for (int i = 1; i <= 5; i++)
            rate->moments[rate->moment_count++] = last * i / 5;
        return OK;
    }
    for (const char *at = rate->at; *at;) {
        char *end;
        double minutes = strtod(at, &end);
        if (end == at || !(minutes >= 0) || (*end && *end != ','))
            return fail(err, ERR_ARGUMENT, "--at takes minutes as in 2,4,6.5, not \"%s\"",
                        rate->at);
        if (rate->moment_count == MOMENTS_MAX)
            return fail(err, ERR_ARGUMENT, "--at takes at most %d moments", MOMENTS_MAX);
        rate->moments[rate->moment_count++] = 60 * minutes;
        at = *end ? end + 1 : end;
    }
    return OK;
}

static void show_game(void *context, int done, double points) {
    Progress *progress = context;
    char text[96];
    snprintf(text, sizeof text, "%d games, %.1f%%\n", done, 100 * points / done);
    progress_show(progress, text, text, false);
}

static Status play_moments(Rate *rate, const RatedNet *nets, int count, Error *err) {
    int last = 0;
    Progress progress = progress_start(stderr, 10);
    rate->setup.on_game = show_game;
    rate->setup.context = &progress;
    printf("%9s %6s %10s %9s %9s   %s\n", "time", "net", "evals M", "rows", "samples",
           "score against it, 95% interval");
    for (int i = 0; i < rate->moment_count; i++) {
        RatedNet net = rate_net_at(nets, count, rate->moments[i]);
        MatchResult result;
        if (!net.number || net.number == last) continue;
        last = net.number;
        Status status = rate_against(rate->directory, &net, &rate->setup, &result, err);
        progress_end(&progress);
        if (status) return status;
        double points = result.wins[0] + 0.5 * result.draws;
        Interval interval = wilson_interval(points, result.games, 1.96);
        printf("%9s %6d %10.2f %9lld %9lld   %5.1f%%  %.1f to %.1f of %d games, %d failures of the "
               "opponent, %.0f s\n",
               clock_duration_text(net.seconds).text, net.number, (double)net.evaluations * 1e-6,
               (long long)net.rows, (long long)net.samples, 100 * match_score(&result),
               100 * interval.low, 100 * interval.high, result.games, result.failures[1],
               result.seconds);
        fflush(stdout);
    }
    return OK;
}

static void print_nets(const RatedNet *nets, int count) {
    const RatedNet *earlier = NULL;
    printf("%6s %9s %10s %9s %9s %8s %8s  %s\n", "net", "time", "evals M", "rows", "samples", "Elo",
           "95%", "better than the one above");
    for (int i = 0; i < count; i++) {
        const RatedNet *net = &nets[i];
        if (!(net->deviation > 0)) continue;
        printf("%6d %9s %10.2f %9lld %9lld %+8.0f   +-%-5.0f", net->number,
               clock_duration_text(net->seconds).text, (double)net->evaluations * 1e-6,
               (long long)net->rows, (long long)net->samples, net->elo, 1.96 * net->deviation);
        if (earlier)
            printf("  %.0f%%", 100 * elo_superiority(net->elo - earlier->elo,
                                                     net->deviation + earlier->deviation));
        printf("\n");
        earlier = net;
    }
    if (!earlier) printf("no net of the run is rated yet\n");
}

static Status set_up(Rate *rate, Error *err) {
    char engine[64];
    MatchSetup *setup = &rate->setup;
    snprintf(engine, sizeof engine, "net=uniform,visits=%d", rate->visits);
    Status status = player_parse(engine, &setup->players[0], err);
    if (!status) status = player_parse(rate->against, &setup->players[1], err);
    if (!status) status = rules_parse(rate->rules, &setup->rules, err);
    if (status) return status;
    setup->players[0].random_net = false;
    setup->rules.komi = (float)rate->komi;
    setup->width = setup->height = rate->size;
    setup->seed = (uint64_t)rate->seed;
    if (!setup->threads) setup->threads = thread_processors();
    return OK;
}

int cmd_rate(int argc, char **argv) {
    Rate rate = {.rules = "tromp-taylor",
                 .komi = 7.5,
                 .visits = 100,
                 .size = 7,
                 .seed = 1,
                 .setup = {.games = 100, .opening_moves = 2}};
    const Option options[] = {
        {"against", OPTION_TEXT, &rate.against, 0, 0, "SPEC", "an opponent, as in `aji match`"},
        {"at", OPTION_TEXT, &rate.at, 0, 0, "MINUTES",
         "moments of the run, as in 2,4,6.5; default five, evenly spread"},
        {"visits", OPTION_INT, &rate.visits, 1, 1e6, "N", "visits of a move; default 100"},
        {"games", OPTION_INT, &rate.setup.games, 1, 1e6, "N", "games at each moment; default 100"},
        {"size", OPTION_INT, &rate.size, 2, 19, "N", "edge of the board; default 7"},
        {"rules", OPTION_TEXT, &rate.rules, 0, 0, "RULES",
         "as in tromp-taylor, chinese, aga; default tromp-taylor"},
        {"komi", OPTION_NUMBER, &rate.komi, -400, 400, "K", "points for White; default 7.5"},
        {"opening", OPTION_INT, &rate.setup.opening_moves, 0, 100, "N",
         "random moves before the players take over; default 2"},
        {"threads", OPTION_INT, &rate.setup.threads, 1, 1024, "N",
         "default: as many as this process may use"},
        {"seed", OPTION_INT, &rate.seed, 0, 2e9, "N", "of openings and choices; default 1"},
        {0},
    };
    const CommandUsage usage = {"rate",
                                "aji rate RUN [--against SPEC] [--at MINUTES] [--games N]",
                                cmd_rate_summary,
                                DETAILS,
                                options,
                                NULL,
                                1,
                                1};
    const char *words[1];
    int word_count = 0, count;
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &word_count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Error err = {0};
    RatedNet *nets = NULL;
    rate.directory = words[0];
    Status status = rate_nets(rate.directory, &nets, &count, &err);
    if (!status && rate.against) {
        status = set_up(&rate, &err);
        if (!status) status = read_moments(&rate, nets, count, &err);
        if (!status) status = play_moments(&rate, nets, count, &err);
    } else if (!status) {
        print_nets(nets, count);
    }
    free(nets);
    if (!status) return 0;
    fprintf(stderr, "aji rate: %s\n", err.message);
    return status == ERR_STOPPED ? 130 : status == ERR_ARGUMENT ? 2 : 1;
}
