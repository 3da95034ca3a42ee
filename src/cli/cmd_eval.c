#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/options/options.h"
#include "base/thread.h"
#include "cli/commands.h"
#include "cli/engine/net_run.h"
#include "cli/engine/session_net.h"
#include "cli/eval/eval_answer.h"
#include "cli/eval/eval_position.h"
#include "cli/eval/eval_tree.h"
#include "cli/terminal/terminal.h"
#include "eval/evaluators/evaluator.h"
#include "eval/evaluators/score_distribution.h"
#include "eval/formats/net_file.h"
#include "eval/view/picture.h"
#include "search/driver/driver.h"
#include "search/tree/search_presets.h"
#include "sgf/sgf_game.h"

extern const char cmd_eval_summary[];
int cmd_eval(int argc, char **argv);
const char cmd_eval_summary[] =
    "shows what a net thinks of a position: policy, ownership, win rate, lead, best lines";

static const char DETAILS[] =
    "The net's own evaluation is the mean over the 8 symmetries of the board. Without a game "
    "the\n"
    "board is empty; its size, rules and komi are those of the net's run (run.cfg beside "
    "nets/).\n"
    "Without a run they are 19x19, Tromp-Taylor and 7.5.\n"
    "  aji eval RUN/nets/NET.aji game.sgf --move 30 --visits 200\n"
    "  aji eval RUN/nets/NET.aji game.sgf --move 30 --visits 200 --tree --tree-depth 4\n"
    "  aji eval RUN/nets/NET.aji --size 7 --komi 9 --svg board.svg\n"
    "  aji eval RUN/nets/NET.aji --size 9 --moves \"E5 G5 pass\"\n"
    "In JSON the policy is listed row by row from the top left, then the pass; -1 means "
    "illegal. The name of a value says whose side it is seen from, as in black_lead. If an "
    "error or var_time is below 0, the net does not predict this number.";

typedef struct {
    const char *net, *svg, *precision;
    Path net_file; /* after load_net(), `net` is its text */
    PositionChoice choice;
    int visits;     /* 0 means no limit; if `seconds` is 0 too, there is no search */
    double seconds; /* of the search; 0 means no limit */
    int turn;       /* of the position */
    bool json;
    SearchSettings search;
    Net *loaded; /* NULL means the uniform evaluator */
    Position position;
    Evaluation *evaluation;
    Report *report;
    TreeChoice tree;
    TreeViewNode *tree_nodes; /* NULL without --tree */
    size_t tree_count;
    bool stopped; /* whether Ctrl-C ended the search */
    bool has_scores;
    float scores[SCORE_BINS];
} Eval;

static Status read_precision(const char *text, Precision *out, Error *err) {
    return precision_parse(text, out, err) ? fail_within(err, ERR_ARGUMENT, "--precision") : OK;
}

static Status make_evaluator(const Eval *eval, bool averaged, Evaluator **out, Error *err) {
    if (!eval->loaded) return evaluator_uniform_new(search_settings_batch(1), out, err);
    NetEvaluatorSetup config = {.batch = averaged ? 1 : search_settings_batch(1),
                                .buffer_width = eval->position.board.width,
                                .buffer_height = eval->position.board.height,
                                .symmetry = -1,
                                .seed = 1,
                                .ownership = true,
                                .features = FEATURE_OPTIONS_DEFAULT};
    Status status = read_precision(eval->precision, &config.precision, err);
    search_settings_evaluator(&eval->search, &config);
    if (averaged) config.symmetries = SYMMETRY_COUNT;
    if (!status) status = evaluator_net_new(eval->loaded, &config, out, err);
    return status ? fail_within(err, status, "%.200s", eval->net) : OK;
}

static Status evaluate(Eval *eval, Error *err) {
    Evaluator *evaluator;
    const Position *position = &eval->position;
    EvaluationRequest request = {position,
                                 search_settings_options(&eval->search, position->mover, true)};
    request.options.policy_optimism = 0;
    Status status = make_evaluator(eval, true, &evaluator, err);
    if (status) return status;
    status = mem_new(1, sizeof *eval->evaluation, &eval->evaluation, err);
    if (!status) status = evaluator_evaluate(evaluator, &request, 1, eval->evaluation, err);
    evaluator_free(evaluator);
    if (!status && eval->loaded)
        status = score_distribution(eval->loaded, position, &request.options, &eval->has_scores,
                                    eval->scores, err);
    if (status == ERR_UNSUPPORTED) fail_within(err, status, "%.200s", eval->net);
    return status;
}

/* Ctrl-C ends the search. What it has found so far is printed. */
static void look_for_stop(void *context, const Search *search) {
    (void)search;
    if (stop_requested()) atomic_store_explicit((atomic_bool *)context, true, memory_order_relaxed);
}

static Status search_deeply(Eval *eval, Error *err) {
    Evaluator *evaluator = NULL;
    Driver *driver = NULL;
    Search *search = NULL;
    atomic_bool stop = false;
    const DriverRun run = {.stop = &stop,
                           .seconds = eval->seconds,
                           .on_progress = look_for_stop,
                           .context = &stop,
                           .interval_seconds = 0.1};
    const SearchLimits limits = {.visits = eval->visits};
    Status status = make_evaluator(eval, false, &evaluator, err);
    if (!status) status = driver_new(evaluator, &driver, err);
    if (!status) status = search_new(&eval->search, 1, &search, err);
    if (!status) status = search_set_position(search, &eval->position, err);
    if (!status) status = mem_new(1, sizeof *eval->report, &eval->report, err);
    if (!status) {
        search_begin(search, &limits);
        status = driver_run(driver, search, &run, err);
    }
    eval->stopped = atomic_load_explicit(&stop, memory_order_relaxed);
    if (!status) search_report(search, eval->report);
    if (!status && eval->tree.on)
        status = eval_tree_take(&eval->tree, search, &eval->tree_nodes, &eval->tree_count, err);
    search_free(search);
    driver_free(driver);
    evaluator_free(evaluator);
    return status;
}

/* Replaces the policy and the values of the net by those of the search. The policy of the search is
 * the fraction of the visits that each move has received. */
static void show_search(const Report *report, Evaluation *evaluation) {
    int moves = report->width * report->height + 1;
    int64_t visits = 0;
    for (int i = 0; i < report->move_count; i++)
        visits += report->moves[i].visits;
    if (!visits) return;
    for (int i = 0; i < moves; i++)
        evaluation->policy[i] = evaluation->policy[i] < 0 ? -1 : 0;
    for (int i = 0; i < report->move_count; i++) {
        const MoveReport *move = &report->moves[i];
        evaluation->policy[move_index(move->point, report->width, report->height)] =
            (float)((double)move->visits / (double)visits);
    }
    evaluation->win = report->win;
    evaluation->loss = report->loss;
    evaluation->no_result = report->no_result;
    evaluation->lead = report->lead;
}

/* Draws the board with the net's policy and values. If there was a search, draws those of the
 * search. */
static Status draw_svg(const Eval *eval, StrBuf *out, Error *err) {
    char caption[512], what[64] = "policy of the net";
    Evaluation *shown;
    Status status = mem_new(1, sizeof *shown, &shown, err);
    if (status) return status;
    *shown = *eval->evaluation;
    if (eval->report) {
        show_search(eval->report, shown);
        snprintf(what, sizeof what, "fractions of %lld visits", (long long)eval->report->visits);
    }
    snprintf(caption, sizeof caption, "%.60s: %s\nkomi %g, rules %s", path_name(eval->net), what,
             (double)eval->position.rules.komi, rules_words(&eval->position.rules).text);
    picture_svg(&eval->position, shown, eval->has_scores ? eval->scores : NULL, caption, out);
    free(shown);
    return strbuf_status(out, err);
}

static bool svg_on_stdout(const Eval *eval) {
    return eval->svg && strcmp(eval->svg, "-") == 0;
}

static Status write_svg(const Eval *eval, Error *err) {
    StrBuf out = {0};
    Status status = draw_svg(eval, &out, err);
    if (!status && svg_on_stdout(eval))
        fputs(strbuf_text(&out), stdout);
    else if (!status)
        status = file_write(eval->svg, out.text, out.length, err);
    strbuf_clear(&out);
    if (!status && !svg_on_stdout(eval))
        fprintf(stderr, "aji eval: the picture is in %s\n", eval->svg);
    return status;
}

static Status print_answer(const Eval *eval, Error *err) {
    const EvalAnswer answer = {.net = eval->net,
                               .position = &eval->position,
                               .turn = eval->turn,
                               .evaluation = eval->evaluation,
                               .report = eval->report,
                               .tree = eval->tree_nodes,
                               .tree_count = eval->tree_count,
                               .scores = eval->has_scores ? eval->scores : NULL};
    StrBuf out = {0};
    if (eval->json) return command_json(eval_answer_json(&answer), 7, err);
    eval_answer_text(&answer, terminal_colors(stdout) == 256, &out);
    Status status = strbuf_status(&out, err);
    if (!status) fputs(strbuf_text(&out), stdout);
    strbuf_clear(&out);
    return status;
}

/* Loads the net that `eval->net_file` names. */
static Status load_net(Eval *eval, Error *err) {
    eval->net = eval->choice.net = eval->net_file.text;
    if (strcmp(eval->net, "uniform") == 0) return OK;
    return net_file_load(eval->net, &eval->loaded, err);
}

static Status find_position(Eval *eval, Error *err) {
    return eval_position(&eval->choice, &eval->position, &eval->turn, err);
}

/* Finds the position, and then a net for its board. */
static Status find_net_for_position(Eval *eval, Error *err) {
    eval->choice.net = "uniform"; /* no net: it has no run that could choose the board */
    Status status = find_position(eval, err);
    if (!status)
        status = session_net_default("eval", eval->position.board.width,
                                     eval->position.board.height, &eval->net_file, err);
    return status ? status : load_net(eval, err);
}

/* Finds the net and the position. The net's run may choose the board and the rules. */
static Status find_net_and_position(Eval *eval, Error *err) {
    bool named = eval->net && *eval->net;
    if (!named && (eval->choice.sgf || eval->choice.size)) return find_net_for_position(eval, err);
    Status status = named ? net_run_file("eval", eval->net, &eval->net_file, err)
                          : session_net_default("eval", 0, 0, &eval->net_file, err);
    if (!status) status = load_net(eval, err);
    return status ? status : find_position(eval, err);
}

static Status run_eval(Eval *eval, Error *err) {
    Precision precision;
    Status status = read_precision(eval->precision, &precision, err);
    if (!status && svg_on_stdout(eval) && eval->json)
        status = fail(err, ERR_ARGUMENT, "--svg - and --json exclude each other");
    bool searches = eval->visits || eval->seconds > 0;
    if (!status && eval->tree.on && !searches)
        status = fail(err, ERR_ARGUMENT, "--tree needs a search: give --visits or --time");
    if (!status && eval->svg && !svg_on_stdout(eval)) {
        status = file_can_write(eval->svg, err);
        if (status) fail_within(err, status, "--svg");
    }
    if (!status) status = find_net_and_position(eval, err);
    if (status) return status;
    if (eval->search.ignore_history) eval->position.valid_turns = 0; /* hides the last moves */
    status = evaluate(eval, err);
    if (!status && searches && eval->position.over)
        fprintf(stderr, "aji eval: the game is over, so nothing is searched\n");
    else if (!status && searches)
        status = search_deeply(eval, err);
    if (!status && eval->svg) status = write_svg(eval, err);
    if (!status && !svg_on_stdout(eval)) status = print_answer(eval, err);
    if (!status && eval->stopped)
        status =
            fail(err, ERR_STOPPED, "stopped after %lld visits", (long long)eval->report->visits);
    return status;
}

/* Whether the only word is a game, so that no word names the net. */
static bool is_only_game(const char *const *words, int count) {
    return count == 1 && (path_has_ending(words[0], ".sgf") || path_has_ending(words[0], ".sgfs"));
}

int cmd_eval(int argc, char **argv) {
    Eval eval = {
        .precision = "f32", .choice = eval_position_choice("eval"), .tree = eval_tree_choice()};
    const SettingsGroup groups[] = {{"search", SEARCH_FIELDS, &eval.search}, {0}};
    search_preset_begin(SEARCH_PRESET_PLAY, &eval.search);
    Option options[POSITION_OPTIONS + TREE_OPTIONS + 7] = {
        {"net", OPTION_TEXT, &eval.net, 0, 0, "FILE",
         "net; without --net, the first word names it, unless it is the only word and ends in "
         ".sgf or .sgfs. If no word names it, Aji takes a net for the board from its folders "
         "of nets"},
        {"visits", OPTION_INT, &eval.visits, 0, 1e9, "N",
         "visits of a search; 0: no search, or with --time a search that only the time limits "
         "(default 0)"},
        {"time", OPTION_DURATION, &eval.seconds, 0, 0, "TIME",
         "time of a search, such as 5s or 0.5 (seconds; default: no limit)"},
        {"precision", OPTION_TEXT, &eval.precision, 0, 0, "P",
         "arithmetic of the net: f32, bf16, int8 or auto (default f32)"},
        {"json", OPTION_FLAG, &eval.json, 0, 0, NULL, "print one JSON object instead of text"},
        {"svg", OPTION_TEXT, &eval.svg, 0, 0, "FILE",
         "SVG file to draw the board into, with policy (or visits of a search) and ownership; it "
         "is replaced if it exists; -: draw it on stdout, instead of the text"},
    };
    eval_position_options(&eval.choice, options + 6);
    eval_tree_options(&eval.tree, options + 6 + POSITION_OPTIONS);
    const CommandUsage usage = {"eval",
                                "aji eval [NET] [SGF] [--move N] [--visits N] [--time TIME]",
                                cmd_eval_summary,
                                DETAILS,
                                options,
                                groups,
                                0,
                                2};
    const char *words[2];
    int count = 0, used = 0;
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Error err = {0};
    if (!eval.net && used < count && !is_only_game(words, count)) eval.net = words[used++];
    if (!eval.choice.sgf && used < count) eval.choice.sgf = words[used++];
    Status status = used < count
                        ? fail(&err, ERR_ARGUMENT, "\"%.60s\" is one word too many", words[used])
                        : run_eval(&eval, &err);
    int code = command_end(usage.name, status, &err);
    position_clear(&eval.position);
    net_free(eval.loaded);
    free(eval.evaluation);
    free(eval.report);
    free(eval.tree_nodes);
    return code;
}
