/* `aji net check`: how far the outputs of two nets agree, or those of one net in two precisions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/options/options.h"
#include "cli/commands.h"
#include "cli/engine/net_run.h"
#include "cli/net/net_commands.h"
#include "cli/net/net_positions.h"
#include "cli/net/net_progress.h"
#include "eval/precision/compare.h"

static const char DETAILS[] =
    "A and B are two nets, or one net in two formats. Without B, A is compared in two precisions.\n"
    "These are f32 and bf16, or those that --precision names. The positions come from the given\n"
    "games (any number of .sgf and .sgfs files). Without games, they come from games that A plays\n"
    "by its policy, without a search.\n"
    "  aji net check NET --precision f32,int8\n"
    "  aji net check OURS.aji OURS.bin.gz --positions games.sgfs more.sgf\n"
    "A position has a clear best move if A's policy gives its two best moves probabilities that "
    "differ by more than "
    "0.02.\n"
    "The win rate is (1 + win - loss) / 2 of the player to move. Ownership goes from -1 to 1.";

enum { WORDS_MAX = 64, BATCH = 8, BATCHES_PER_REPORT = 2, SIZE_DEFAULT = 9 };

typedef struct {
    const char *paths[2], *games[WORDS_MAX], *precision, *profile;
    int game_count, max, size, seed;
    double komi;
    bool json;
    Net *nets[2];
    Precision precisions[2];
    PositionSet set;
    Comparison comparison;
} Check;

static bool is_game(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && (strcasecmp(dot, ".sgf") == 0 || strcasecmp(dot, ".sgfs") == 0);
}

static Status sort_words(Check *check, const char *const *words, int count, Error *err) {
    int nets = 0;
    for (int i = 0; i < count; i++) {
        if (is_game(words[i]))
            check->games[check->game_count++] = words[i];
        else if (nets == 2)
            return fail(err, ERR_ARGUMENT,
                        "\"%.60s\" is a third net; the names of games end in .sgf or .sgfs",
                        words[i]);
        else
            check->paths[nets++] = words[i];
    }
    return nets ? OK : fail(err, ERR_ARGUMENT, "no net is given: a net is wanted");
}

/* Reads two precisions such as "f32,bf16", or one for both nets. */
static Status read_precisions(Check *check, Error *err) {
    const char *text = check->precision ? check->precision : check->paths[1] ? "f32" : "f32,bf16";
    size_t first = strcspn(text, ",");
    char name[16];
    snprintf(name, sizeof name, "%.*s", (int)(first < sizeof name ? first : sizeof name - 1), text);
    Status status = precision_parse(name, &check->precisions[0], err);
    check->precisions[1] = check->precisions[0];
    if (!status && text[first])
        status = precision_parse(text + first + 1, &check->precisions[1], err);
    return status ? fail_within(err, ERR_ARGUMENT, "--precision") : OK;
}

static Status make_evaluator(const Check *check, int which, int width, int height, Evaluator **out,
                             Error *err) {
    const NetEvaluatorSetup config = {.batch = BATCH,
                                      .buffer_width = width,
                                      .buffer_height = height,
                                      .precision = check->precisions[which],
                                      .ownership = true,
                                      .human_profile = check->profile,
                                      .features = FEATURE_OPTIONS_DEFAULT};
    const Net *net = check->nets[which] ? check->nets[which] : check->nets[0];
    return evaluator_net_new(net, &config, out, err);
}

static Status begin_game(void *context, Rng *rng, Position *out, Error *err) {
    const Check *check = context;
    Rules rules = rules_tromp_taylor();
    (void)rng;
    rules.komi = (float)check->komi;
    return position_init(out, check->size, check->size, &rules, err);
}

static Status find_positions(Check *check, Error *err) {
    if (check->game_count)
        return positions_of_games("aji net check", check->games, check->game_count, check->max,
                                  &check->set, err);
    NetProgress progress;
    const SampleCall games = {.size = check->size,
                              .count = check->max,
                              .every = 4,
                              .human_profile = check->profile,
                              .seed = (uint64_t)check->seed,
                              .begin = begin_game,
                              .context = check,
                              .watch = &progress.watch};
    net_progress_begin(&progress, "positions played", 0);
    Status status = positions_of_policy(check->nets[0], &games, 1, &check->set, err);
    net_progress_end(&progress);
    return status;
}

static Status compare(Check *check, Error *err) {
    const PositionSet *set = &check->set;
    Evaluator *evaluators[2] = {NULL};
    EvaluationRequest *requests = NULL;
    NetProgress progress;
    Status status = mem_new((size_t)set->count, sizeof *requests, &requests, err);
    for (int i = 0; i < 2 && !status; i++)
        status = make_evaluator(check, i, set->width, set->height, &evaluators[i], err);
    for (int i = 0; i < set->count && !status; i++)
        requests[i].position = &set->positions[i];
    net_progress_begin(&progress, "positions compared", 0);
    for (int from = 0, now; from < set->count && !status; from += now) {
        now = set->count - from < BATCH * BATCHES_PER_REPORT ? set->count - from
                                                             : BATCH * BATCHES_PER_REPORT;
        status = comparison_run(&check->comparison, evaluators[0], evaluators[1], requests + from,
                                now, err);
        if (!status) status = progress_report(&progress.watch, from + now, set->count, err);
    }
    net_progress_end(&progress);
    free(requests);
    evaluator_free(evaluators[0]);
    evaluator_free(evaluators[1]);
    return status;
}

typedef struct {
    const char *name, *key;
    const Differences *differences;
} Quantity;
enum { QUANTITIES = 4 };

static void list_quantities(const Comparison *comparison, Quantity out[QUANTITIES]) {
    const Quantity all[QUANTITIES] = {{"policy", "policy", &comparison->policy},
                                      {"win rate", "winrate", &comparison->winrate},
                                      {"lead, points", "lead", &comparison->lead},
                                      {"ownership", "ownership", &comparison->ownership}};
    memcpy(out, all, sizeof all);
}

static void print_text(const Check *check) {
    const Comparison *c = &check->comparison;
    Quantity quantities[QUANTITIES];
    list_quantities(c, quantities);
    for (int i = 0; i < 2; i++)
        printf("%-7s %s, %s\n", i ? "second" : "first",
               path_name(check->paths[i] ? check->paths[i] : check->paths[0]),
               precision_name(check->precisions[i]));
    printf("%d positions, %s\n\n", check->set.count,
           check->game_count ? "of the games" : "of games that the first net played by its policy");
    printf("best move the same in %.1f%% of the %lld positions with a clear best move, %.1f%% of "
           "all\n",
           100 * comparison_agreement(c), (long long)c->clear,
           100 * (double)c->same_top / (double)c->positions);
    printf("%-14s %10s %10s  worst in\n", "difference", "mean", "worst");
    for (int i = 0; i < QUANTITIES; i++) {
        const Differences *d = quantities[i].differences;
        if (!d->count) continue;
        printf("%-14s %10.2e %10.2e  %s\n", quantities[i].name, differences_mean(d), d->worst,
               d->worst > 0 ? check->set.labels[d->worst_at].text : "-");
    }
}

static Status print_json(const Check *check, Error *err) {
    const Comparison *c = &check->comparison;
    Quantity quantities[QUANTITIES];
    list_quantities(c, quantities);
    json_t *object =
        json_pack("{s:[s, s], s:[s, s], s:I, s:I, s:I, s:I, s:f}", "nets", check->paths[0],
                  check->paths[1] ? check->paths[1] : check->paths[0], "precisions",
                  precision_name(check->precisions[0]), precision_name(check->precisions[1]),
                  "positions", (json_int_t)c->positions, "same_top", (json_int_t)c->same_top,
                  "clear", (json_int_t)c->clear, "clear_same_top", (json_int_t)c->clear_same_top,
                  "agreement", comparison_agreement(c));
    for (int i = 0; i < QUANTITIES && object; i++) {
        const Differences *d = quantities[i].differences;
        if (d->count)
            json_object_set_new(object, quantities[i].key,
                                json_pack("{s:f, s:f, s:s}", "mean", differences_mean(d), "worst",
                                          d->worst, "worst_in",
                                          check->set.labels[d->worst_at].text));
    }
    return command_json(object, 7, err);
}

static Status run(Check *check, const char *const *words, int count, Error *err) {
    Status status = sort_words(check, words, count, err);
    if (!status) status = read_precisions(check, err);
    for (int i = 0; i < 2 && check->paths[i] && !status; i++)
        status = net_run_load("net check", check->paths[i], &check->nets[i], err);
    if (!status) status = find_positions(check, err);
    if (!status) status = compare(check, err);
    if (!status && check->json) return print_json(check, err);
    if (!status) print_text(check);
    return status;
}

int net_check_command(int argc, char **argv) {
    const char *words[WORDS_MAX], *positions = NULL;
    int count;
    Check check = {.max = 200, .size = SIZE_DEFAULT, .seed = 1, .komi = 7};
    const Option options[] = {
        {"precision", OPTION_TEXT, &check.precision, 0, 0, "P,P",
         "precisions of A and B: f32, bf16, int8 or auto"},
        {"positions", OPTION_TEXT, &positions, 0, 0, "SGF...", "games to take the positions from"},
        {"count", OPTION_INT, &check.max, 1, 100000, "N", "number of positions (default 200)"},
        {"size", OPTION_INT, &check.size, 2, BOARD_SIDE_MAX, "N",
         "board size of A's own games (default 9)"},
        {"komi", OPTION_NUMBER, &check.komi, -400, 400, "K", "komi of A's own games (default 7)"},
        {"seed", OPTION_INT, &check.seed, 0, 2e9, "N", "seed of A's own games (default 1)"},
        {"human-profile", OPTION_TEXT, &check.profile, 0, 0, "P",
         "player that a human policy imitates, such as rank_5k"},
        {"json", OPTION_FLAG, &check.json, 0, 0, NULL, "print one JSON object instead of text"},
        {0},
    };
    const CommandUsage usage = {
        "net check",
        "aji net check A [B] [--positions SGF...] [--precision f32,bf16]",
        "compares the outputs of two nets, or of one net in two precisions or formats",
        DETAILS,
        options,
        NULL,
        1,
        WORDS_MAX - 1};
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Error err = {0};
    if (positions) check.games[check.game_count++] = positions;
    Status status = run(&check, words, count, &err);
    position_set_clear(&check.set);
    net_free(check.nets[0]);
    net_free(check.nets[1]);
    return command_end(usage.name, status, &err);
}
