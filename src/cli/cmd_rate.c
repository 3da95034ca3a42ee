#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/options/options.h"
#include "base/progress.h"
#include "base/statistic.h"
#include "base/thread.h"
#include "cli/commands.h"
#include "cli/engine/program_files.h"
#include "play/match/elo.h"
#include "run/rating/rate.h"
#include "run/store/run_config.h"

extern const char cmd_rate_summary[];
int cmd_rate(int argc, char **argv);
const char cmd_rate_summary[] =
    "rates the players of runs and matches, or nets of a run over time against fixed opponents";

static const char DETAILS[] =
    "Each DIR is a run or a folder of games (--out of `aji match`). Players with the same name "
    "count as one player, also if they are from different folders. Ratings have 95% intervals "
    "relative to the anchor: random play, or the first player. --at lists moments of the run. "
    "With --against, the net that was newest at each of these moments plays that opponent, and "
    "a table shows the scores over time and evaluations. With --ladder these nets play each "
    "opponent of that file and are rated on its scale. The page of the run (report/index.html) "
    "shows these scores and ratings as curves.\n"
    "  aji rate aji-run-7 other-run games\n"
    "  aji rate aji-run-7 --rules chinese --komi 8.5 --at 2,4,6,8,10 \\\n"
    "    --against 'gtp:gnugo --mode gtp --level 10 --chinese-rules --capture-all-dead'\n"
    "  aji rate aji-run-7 --ladder configs/ladder-7x7.cfg --games 40\n"
    "With --opening 0 many games are the same, unless a setting such as\n"
    "search.temperature_early=1 varies them; the table says how many are distinct.";

enum { MOMENTS_MAX = 64, WORDS_MAX = 64 };

typedef struct {
    const char *directory, *against, *rules, *at, *ladder, *anchor, *out;
    double komi, anchor_elo;
    bool matrix;
    int visits, size, seed;
    MatchSetup setup;
    double moments[MOMENTS_MAX]; /* seconds */
    int moment_count;
} Rate;

static Status read_moments(Rate *rate, const RatedNet *nets, int count, Error *err) {
    if (!rate->at) { /* five moments, evenly spread */
        double last = count ? nets[count - 1].seconds : 0;
        for (int i = 1; i <= 5; i++)
            rate->moments[rate->moment_count++] = last * i / 5;
        return OK;
    }
    for (const char *at = rate->at; *at;) {
        char *end;
        double minutes = strtod(at, &end);
        if (end == at || !(minutes >= 0) || (*end && *end != ','))
            return fail(err, ERR_ARGUMENT, "--at takes minutes such as 2,4,6.5, not \"%s\"",
                        rate->at);
        if (rate->moment_count == MOMENTS_MAX)
            return fail(err, ERR_ARGUMENT, "--at takes at most %d moments", MOMENTS_MAX);
        rate->moments[rate->moment_count++] = 60 * minutes;
        at = *end ? end + 1 : end;
    }
    return OK;
}

typedef struct {
    Progress progress;
    int games; /* games to be played in all */
    int net;   /* number of the net that plays them; 0 means several nets */
} Show;

static void show_game(void *context, const MatchStanding *standing) {
    Show *show = context;
    char whose[32] = "", line[128], block[200];
    if (show->net) snprintf(whose, sizeof whose, "net %d: ", show->net);
    snprintf(line, sizeof line, "%s%d of %d games, score %s", whose, standing->done, show->games,
             match_score_text(standing).text);
    snprintf(block, sizeof block, "%s %s\n",
             progress_bar((double)standing->done / show->games, 30).text, line);
    progress_show(&show->progress, block, line, standing->done == show->games);
}

/* Removes the progress from the terminal, before other lines are printed. */
static void hide(Show *show) {
    if (show->progress.terminal) progress_show(&show->progress, "", "", true);
    progress_end(&show->progress);
}

static Status play_moments(Rate *rate, const RatedNet *nets, int count, Error *err) {
    int last = 0;
    Show show = {progress_start(stderr, 10), rate->setup.games, 0};
    rate->setup.on_game = show_game;
    rate->setup.context = &show;
    printf("%9s %6s %10s %9s %9s   %s\n", "time", "net", "evals M", "rows", "samples",
           "score, 95% interval");
    for (int i = 0; i < rate->moment_count; i++) {
        RatedNet net = rate_net_at(nets, count, rate->moments[i]);
        MatchResult result;
        if (!net.number || net.number == last) continue;
        last = show.net = net.number;
        Status status = rate_against(rate->directory, &net, &rate->setup, &result, err);
        hide(&show);
        if (status) return status;
        double points = result.wins[0] + 0.5 * result.draws;
        Interval interval = wilson_interval(points, result.games, 1.96);
        printf("%9s %6d %10.2f %9lld %9lld   %5.1f%%  %.1f to %.1f of %d games, %d distinct, %d "
               "failures of the opponent, %.0f s\n",
               clock_duration_text(net.seconds).text, net.number, (double)net.evaluations * 1e-6,
               (long long)net.rows, (long long)net.samples, 100 * match_score(&result),
               100 * interval.low, 100 * interval.high, result.games, result.distinct,
               result.failures[1], result.seconds);
        if (result.unfinished)
            printf("%9s %d games are unfinished: the opponent refused a legal move; choose --rules "
                   "that both play by\n",
                   "", result.unfinished);
        fflush(stdout);
    }
    return OK;
}

/* The index of the player whose rating is fixed: the player that --anchor names, or -1 if there is
 * no such player. Without --anchor it is random play. If random play has no games, it is the first
 * player. */
static int anchor_of(const Rate *rate, const RatePool *pool) {
    int anchor = rate_pool_find(pool, rate->anchor ? rate->anchor : "random");
    return anchor < 0 && !rate->anchor ? 0 : anchor;
}

/* Fits the ratings to all games of the pool, relative to --anchor. */
static Status fit_pool(const Rate *rate, const RatePool *pool, EloFit *fit, Error *err) {
    int anchor = anchor_of(rate, pool);
    if (anchor < 0)
        return fail(err, ERR_ARGUMENT, "--anchor: no player is called \"%.80s\"", rate->anchor);
    return elo_fit_new(&(EloSetup){.games = pool->games,
                                   .game_count = pool->pairs,
                                   .players = pool->players,
                                   .anchor = anchor,
                                   .anchor_elo = rate->anchor_elo,
                                   .prior_games = 0.5},
                       fit, err);
}

/* The index of the player "FILE@VISITS", or -1 if there is none. */
static int player_of(const RatePool *pool, const char *file) {
    size_t length = strlen(file);
    for (int i = 0; i < pool->players; i++) {
        if (strncmp(pool->names[i], file, length) == 0 && pool->names[i][length] == '@') return i;
    }
    return -1;
}

/* Prints the rated nets of one run in order, with their ratings by the games of the run. */
static Status print_nets(const Rate *rate, const RatedNet *nets, int count, Error *err) {
    const RatedNet *earlier = NULL;
    RatePool pool = {0};
    EloFit fit = {0};
    Status status = rate_pool_add_directory(&pool, rate->directory, err);
    if (!status && pool.players) status = fit_pool(rate, &pool, &fit, err);
    if (!status)
        printf("%6s %9s %10s %9s %9s %8s %8s  %s\n", "net", "time", "evals M", "rows", "samples",
               "Elo", "95%", "better than the one above");
    bool unknown = false;
    int before = -1;
    for (int i = 0; i < count && !status; i++) {
        const RatedNet *net = &nets[i];
        int player = player_of(&pool, net->name);
        if (player < 0) continue;
        printf("%6d %9s %10.2f %9lld %9lld", net->number, clock_duration_text(net->seconds).text,
               (double)net->evaluations * 1e-6, (long long)net->rows, (long long)net->samples);
        if (fit.group[player] == 0)
            printf(" %+8.0f   +-%-5.0f", fit.elo[player],
                   1.96 * elo_fit_deviation_anchor(&fit, player));
        else
            printf(" %8s  %7s ", "-", "unknown");
        unknown = unknown || fit.group[player] != 0;
        if (earlier && elo_fit_connects(&fit, player, before))
            printf("  %.0f%%", 100 * elo_fit_superiority(&fit, player, before));
        printf("\n");
        earlier = net;
        before = player;
    }
    if (!earlier && !status) printf("no net of the run has been rated yet\n");
    if (unknown)
        printf("unknown: no games connect these nets with %s\n",
               rate->anchor ? rate->anchor : pool.names[anchor_of(rate, &pool)]);
    elo_fit_clear(&fit);
    rate_pool_clear(&pool);
    return status;
}

static Status print_pool(const Rate *rate, const char **words, int count, Error *err) {
    RatePool pool = {0};
    EloFit fit = {0};
    StrBuf text = {0};
    Status status = OK;
    for (int i = 0; i < count && !status; i++) {
        int same = 0;
        while (same < i && !file_same(words[same], words[i]))
            same++;
        if (same < i)
            log_warning("%s is the same folder as %s: its games count once", words[i], words[same]);
        else
            status = rate_pool_add_directory(&pool, words[i], err);
    }
    if (!status && !pool.players)
        status = fail(err, ERR_IO, "%s: there are no games between nets yet", words[0]);
    if (!status) status = fit_pool(rate, &pool, &fit, err);
    if (!status) {
        rate_pool_table(&pool, &fit, &text);
        if (rate->matrix) rate_pool_matrix(&pool, &fit, &text);
        status = strbuf_status(&text, err);
    }
    if (!status) printf("%s", strbuf_text(&text));
    strbuf_clear(&text);
    elo_fit_clear(&fit);
    rate_pool_clear(&pool);
    return status;
}

/* Writes the net that was newest at each moment, without repetition. Returns how many. */
static int nets_at_moments(const Rate *rate, const RatedNet *nets, int count, RatedNet *out) {
    int kept = 0;
    for (int i = 0; i < rate->moment_count; i++) {
        RatedNet net = rate_net_at(nets, count, rate->moments[i]);
        if (net.number && (!kept || out[kept - 1].number != net.number)) out[kept++] = net;
    }
    return kept;
}

static Status rate_by_ladder(Rate *rate, const RatedNet *nets, int count, Error *err) {
    RatedNet chosen[MOMENTS_MAX];
    Ladder ladder;
    RatePool pool = {0};
    EloFit fit = {0};
    StrBuf text = {0};
    Path path;
    Status status = program_config(rate->ladder, &path, err);
    if (!status) status = ladder_load(path.text, &ladder, err);
    if (status) return status;
    int nets_rated = nets_at_moments(rate, nets, count, chosen);
    Show show = {progress_start(stderr, 10), rate->setup.games * nets_rated * ladder.count, 0};
    const RateLadder how = {.directory = rate->directory,
                            .nets = chosen,
                            .count = nets_rated,
                            .ladder = &ladder,
                            .ladder_name = path_name(rate->ladder),
                            .out_directory = rate->out,
                            .games = rate->setup.games,
                            .visits = rate->visits,
                            .threads =
                                rate->setup.threads ? rate->setup.threads : thread_processors(),
                            .seed = (uint64_t)rate->seed,
                            .on_game = show_game,
                            .context = &show};
    status = rate_on_ladder(&how, &pool, &fit, err);
    hide(&show);
    if (status) status = fail_within(err, status, "ladder %s", path.text);
    if (!status) rate_pool_table(&pool, &fit, &text);
    if (!status && rate->matrix) rate_pool_matrix(&pool, &fit, &text);
    if (!status) status = strbuf_status(&text, err);
    if (!status) printf("%s", strbuf_text(&text));
    strbuf_clear(&text);
    elo_fit_clear(&fit);
    rate_pool_clear(&pool);
    ladder_clear(&ladder);
    return status;
}

static Status set_up(Rate *rate, Error *err) {
    MatchSetup *setup = &rate->setup;
    RunConfig config;
    if (!rate->size && (run_config_load(rate->directory, &config, NULL) ||
                        selfplay_max_board_size(&config.selfplay, &rate->size, NULL)))
        return fail(err, ERR_IO, "%s has no run.cfg with its board size: give --size",
                    rate->directory);
    Status status = player_parse(rate->against, &setup->players[1], err);
    if (!status) status = rules_parse(rate->rules, &setup->rules, err);
    if (status) return status;
    setup->players[0].visits = rate->visits;
    setup->rules.komi = (float)rate->komi;
    setup->width = setup->height = rate->size;
    setup->seed = (uint64_t)rate->seed;
    if (!setup->threads) setup->threads = thread_processors();
    return OK;
}

/* Whether --set has changed the search of the nets. */
static bool search_is_changed(const Rate *rate) {
    PlayerSpec usual;
    return player_parse("net=given", &usual, NULL) ||
           player_fingerprint(&usual) != player_fingerprint(&rate->setup.players[0]);
}

static bool is_run(const char *directory) {
    Path path;
    return !path_join(&path, directory, "run.db", NULL) && file_exists(path.text);
}

static Status work(Rate *rate, const char **words, int word_count, Error *err) {
    RatedNet *nets = NULL;
    int count = 0;
    rate->directory = words[0];
    bool plays = rate->against || rate->ladder, one = word_count == 1;
    Status status = OK;
    if (plays && !one)
        status = fail(err, ERR_ARGUMENT, "--against and --ladder take one run, not %d folders",
                      word_count);
    if (!status && rate->out && !rate->ladder)
        status =
            fail(err, ERR_ARGUMENT, "--out is for --ladder only: it is the folder for its games");
    if (!status && rate->at && !plays)
        status = fail(err, ERR_ARGUMENT, "--at is for --against and --ladder only");
    if (!status && !rate->against && search_is_changed(rate))
        status = fail(err, ERR_ARGUMENT, "--set search.* is for --against only");
    bool run = !status && one && !rate->anchor && !rate->matrix && is_run(rate->directory);
    if (!status && (plays || run)) status = rate_nets(rate->directory, &nets, &count, err);
    if (!status && rate->against) status = set_up(rate, err);
    if (!status && plays) status = read_moments(rate, nets, count, err);
    if (!status && rate->against) status = play_moments(rate, nets, count, err);
    if (!status && rate->ladder) status = rate_by_ladder(rate, nets, count, err);
    if (!status && !plays)
        status =
            run ? print_nets(rate, nets, count, err) : print_pool(rate, words, word_count, err);
    free(nets);
    return status;
}

int cmd_rate(int argc, char **argv) {
    Rate rate = {.rules = "tromp-taylor",
                 .komi = 7.5,
                 .visits = 100,
                 .seed = 1,
                 .setup = {.games = 100, .opening_moves = 2}};
    Error fault = {0};
    if (player_parse("net=given", &rate.setup.players[0], &fault))
        return command_end("rate", ERR_MEMORY, &fault);
    const SettingsGroup groups[] = {{"search", SEARCH_FIELDS, &rate.setup.players[0].search}, {0}};
    const Option options[] = {
        {"against", OPTION_TEXT, &rate.against, 0, 0, "PLAYER",
         "opponent, written as a PLAYER of `aji match`"},
        {"ladder", OPTION_TEXT, &rate.ladder, 0, 0, "FILE",
         "file of opponents, with the board, rules and komi of all games"},
        {"anchor", OPTION_TEXT, &rate.anchor, 0, 0, "PLAYER",
         "player whose rating is fixed (default random, or the first player)"},
        {"anchor-elo", OPTION_NUMBER, &rate.anchor_elo, -1e5, 1e5, "ELO",
         "rating of the anchor (default 0)"},
        {"matrix", OPTION_FLAG, &rate.matrix, 0, 0, NULL,
         "also print for each pair of players the probability that one is better than the other"},
        {"at", OPTION_TEXT, &rate.at, 0, 0, "MINUTES",
         "minutes of the run, such as 2,4,6.5 (default: five moments, evenly spread)"},
        {"visits", OPTION_INT, &rate.visits, 1, 1e6, "N",
         "visits of each move of the nets (default 100)"},
        {"games", OPTION_INT, &rate.setup.games, 1, 1e6, "N",
         "games of each net against each opponent (default 100)"},
        {"size", OPTION_INT, &rate.size, 2, 19, "N",
         "board size (default: the largest of the run)"},
        {"rules", OPTION_TEXT, &rate.rules, 0, 0, "RULES",
         "rules such as tromp-taylor, chinese, aga (default tromp-taylor)"},
        {"komi", OPTION_NUMBER, &rate.komi, -400, 400, "K", "komi (default 7.5)"},
        {"opening", OPTION_INT, &rate.setup.opening_moves, 0, 100, "N",
         "random moves at the start of each game (default 2)"},
        {"threads", OPTION_INT, &rate.setup.threads, 1, 1024, "N",
         "games played at once (default: one per processor)"},
        {"seed", OPTION_INT, &rate.seed, 0, 2e9, "N",
         "seed of openings and random choices (default 1)"},
        {"out", OPTION_TEXT, &rate.out, 0, 0, "DIR",
         "folder for games of --ladder; games that it already holds are not played again "
         "(default RUN/ladder; with a seed other than 1 RUN/ladder-SEED)"},
        {0},
    };
    const CommandUsage usage = {"rate",
                                "aji rate DIR... | aji rate RUN --against PLAYER | --ladder FILE "
                                "[--at MINUTES] [--games N]",
                                cmd_rate_summary,
                                DETAILS,
                                options,
                                groups,
                                1,
                                WORDS_MAX};
    const char *words[WORDS_MAX];
    int word_count = 0;
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &word_count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Error err = {0};
    Status status = work(&rate, words, word_count, &err);
    return command_end(usage.name, status, &err);
}
