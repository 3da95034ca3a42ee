/* `aji net quantize`: measures the scales of int8 and stores them in the net. It adds a report that
 * compares int8 and bf16 with f32. With --int4 it instead rounds the weights to int4, and reports
 * how far the rounded net is from the given one. With --learn it makes a net that learns the
 * scales. After the training of such a net, it makes an ordinary net with the learned scales. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/options/options.h"
#include "base/thread.h"
#include "cli/commands.h"
#include "cli/engine/net_run.h"
#include "cli/net/net_commands.h"
#include "cli/net/net_positions.h"
#include "cli/net/net_progress.h"
#include "eval/precision/int4_weights.h"
#include "eval/precision/lsq_net.h"
#include "eval/precision/precision_report.h"
#include "eval/precision/quantize.h"
#include "nn/infer/infer_quantisation.h"

enum { SIZES_MAX = 8 };

typedef struct {
    const char *positions, *sizes, *profile;
    int count, seed, int4;
    bool direct, learn;
    const char *words[2];
} Quantize;

/* Positions of even index serve to measure the scales, the others to make the report. */
typedef struct {
    PositionSet set;
    const Position **calibration, **report;
    int calibration_count, report_count;
} Positions;

static void clear_positions(Positions *positions) {
    position_set_clear(&positions->set);
    free(positions->calibration);
    free(positions->report);
}

static Status play(const Net *net, const Quantize *quantize, PositionSet *out, Error *err) {
    SampleCall calls[SIZES_MAX] = {0};
    NetProgress progress;
    int count = 0;
    for (const char *text = quantize->sizes; *text; text += *text == ',') {
        char *end;
        long size = strtol(text, &end, 10);
        if (end == text || (*end && *end != ',') || size < 2 || size > BOARD_SIDE_MAX ||
            count == SIZES_MAX)
            return fail(err, ERR_ARGUMENT,
                        "--sizes %.40s: 1 to %d sizes such as 9,13,19 are wanted", quantize->sizes,
                        SIZES_MAX);
        calls[count++].size = (int)size;
        text = end;
    }
    if (!count) return fail(err, ERR_ARGUMENT, "--sizes is empty");
    for (int i = 0; i < count; i++) {
        calls[i].count = (quantize->count + count - 1) / count;
        calls[i].human_profile = quantize->profile;
        calls[i].seed = (uint64_t)quantize->seed + (uint64_t)i;
        calls[i].watch = &progress.watch;
    }
    net_progress_begin(&progress, "positions played", calls[0].count * count);
    Status status = positions_of_policy(net, calls, count, out, err);
    net_progress_end(&progress);
    return status;
}

static Status find_positions(const Net *net, const Quantize *quantize, Positions *out, Error *err) {
    PositionSet *set = &out->set;
    Status status = quantize->positions
                        ? positions_of_games("aji net quantize", &quantize->positions, 1,
                                             quantize->count, set, err)
                        : play(net, quantize, set, err);
    size_t room = (size_t)set->count;
    if (!status) status = mem_new(room, sizeof *out->calibration, &out->calibration, err);
    if (!status) status = mem_new(room, sizeof *out->report, &out->report, err);
    if (status) return status;
    for (int i = 0; i < set->count; i++) {
        if (i % 2)
            out->report[out->report_count++] = &set->positions[i];
        else
            out->calibration[out->calibration_count++] = &set->positions[i];
    }
    if (out->report_count) return OK;
    return fail(err, ERR_ARGUMENT, "%s has one position; at least 2 are wanted",
                quantize->positions);
}

static void print_report(const char *name, bool passes, const Comparison *r) {
    printf("%-5s %6.2f%% %10.4f %8.4f %10.4f %8.4f %8.3f %8.3f  %s\n", name,
           100.0 * comparison_agreement(r), differences_mean(&r->policy_distance),
           r->policy_distance.worst, differences_mean(&r->winrate), r->winrate.worst,
           differences_mean(&r->lead), r->lead.worst, passes ? "passes" : "too far off");
}

static void print_head(const Comparison *r) {
    printf("compared with f32 on %lld positions, %lld of them with a clear best move\n%-5s %7s "
           "%19s %19s %17s\n%-5s "
           "%7s %10s %8s %10s %8s %8s %8s\n",
           (long long)r->positions, (long long)r->clear, "", "same", "policy", "win rate", "lead",
           "", "move", "mean", "worst", "mean", "worst", "mean", "worst");
}

static Status measure(Net *net, Precision precision, const Quantize *quantize,
                      const Positions *positions, Comparison *out, Error *err) {
    NetProgress progress;
    const PrecisionCall call = {positions->report, positions->report_count, quantize->profile,
                                &progress.watch};
    net_progress_begin(&progress, "positions compared", 0);
    Status status = precision_compare(net, precision, &call, out, err);
    net_progress_end(&progress);
    if (status) return status;
    if (precision == PRECISION_BF16) print_head(out);
    print_report(precision_name(precision), precision_passes(precision, out), out);
    return precision_note(net, precision, out, err);
}

static Status measure_scales(Net *net, const Quantize *quantize, const Positions *positions,
                             bool fast, int *layers, Error *err) {
    NetProgress progress;
    const QuantizeCall call = {.positions = positions->calibration,
                               .position_count = positions->calibration_count,
                               .human_profile = quantize->profile,
                               .seed = (uint64_t)quantize->seed,
                               .winograd = fast,
                               .attention = fast,
                               .threads = thread_processors(),
                               .watch = &progress.watch};
    net_progress_begin(&progress, "positions measured", 0);
    Status status = quantize_net(net, &call, layers, err);
    net_progress_end(&progress);
    return status;
}

/* Winograd convolutions and int8 in attention round more coarsely than the other layers in int8. So
 * the net uses both only if it then stays within the bounds of bf16. Otherwise, and with --direct,
 * the net uses direct convolutions, and attention keeps its usual precision. The bounds of int8,
 * which are wider than those of bf16, would not suffice here. If such a net were only just within
 * them, a few hundred positions could not show that the net is good enough. */
static Status find_scales(Net *net, const Quantize *quantize, const Positions *positions,
                          Error *err) {
    int layers;
    Comparison measured;
    Status status = measure_scales(net, quantize, positions, !quantize->direct, &layers, err);
    if (status) return status;
    printf("%s: %d layers in int8, from %d positions\n", quantize->words[0], layers,
           positions->calibration_count);
    status = measure(net, PRECISION_BF16, quantize, positions, &measured, err);
    if (!status) status = measure(net, PRECISION_INT8, quantize, positions, &measured, err);
    if (status || quantize->direct || precision_passes(PRECISION_BF16, &measured)) return status;
    printf("With Winograd and int8 in attention, the net is less close to f32 than bf16 must be. "
           "Without them:\n");
    status = measure_scales(net, quantize, positions, false, &layers, err);
    return status ? status : measure(net, PRECISION_INT8, quantize, positions, &measured, err);
}

/* Compares the rounded net with the given one, `before`, by the bounds of int8. The report replaces
 * the older ones in the net, which belong to the given weights. */
static Status measure_int4(const Net *before, Net *net, const Quantize *quantize,
                           const Positions *positions, int layers, Error *err) {
    NetProgress progress;
    Comparison report;
    const PrecisionCall call = {positions->report, positions->report_count, quantize->profile,
                                &progress.watch};
    net_progress_begin(&progress, "positions compared", 0);
    Status status = precision_compare_nets(before, net, PRECISION_F32, &call, &report, err);
    net_progress_end(&progress);
    if (status) return status;
    bool passes = precision_passes(PRECISION_INT8, &report);
    printf("weights of %d layers in int4, in groups of %d\n", layers, quantize->int4);
    print_head(&report);
    print_report("int4", passes, &report);
    quantisation_remove(net);
    return precision_note_as(net, "int4", passes, &report, err);
}

static Status make_int4(Net *net, const Quantize *quantize, Error *err) {
    Net *before = NULL;
    Positions positions = {0};
    int layers;
    Status status = net_copy(net, &before, err);
    /* Nets that cannot be rounded fail here, before positions are made, which takes long. */
    if (!status) status = int4_round_net(net, quantize->int4, &layers, err);
    if (!status) status = find_positions(before, quantize, &positions, err);
    if (!status) status = measure_int4(before, net, quantize, &positions, layers, err);
    clear_positions(&positions);
    net_free(before);
    return status;
}

static Status make_int8(Net *net, const Quantize *quantize, Error *err) {
    Positions positions = {0};
    Status status = quantize_check(net, err); /* before the positions, which take long */
    if (!status) status = find_positions(net, quantize, &positions, err);
    if (!status) status = find_scales(net, quantize, &positions, err);
    clear_positions(&positions);
    return status;
}

/* Replaces the net by one that learns with the rounding of int8. */
static Status make_learner(Net **net, const Quantize *quantize, Error *err) {
    Net *learner = NULL;
    Positions positions = {0};
    NetProgress progress;
    int layers = 0;
    Status status = quantize_check(*net, err);
    if (!status) status = find_positions(*net, quantize, &positions, err);
    const QuantizeCall call = {.positions = positions.calibration,
                               .position_count = positions.calibration_count,
                               .human_profile = quantize->profile,
                               .seed = (uint64_t)quantize->seed,
                               .watch = &progress.watch};
    net_progress_begin(&progress, "positions measured", 0);
    if (!status) status = lsq_net_begin(*net, &call, &learner, &layers, err);
    net_progress_end(&progress);
    clear_positions(&positions);
    if (status) return status;
    printf("%s: %d layers learn with the rounding of int8\n", quantize->words[0], layers);
    net_free(*net);
    *net = learner;
    return OK;
}

/* Turns a net that learned with the rounding of int8 into an ordinary one with the learned scales.
 * As in find_scales(), Winograd is used if the net stays as close to f32 as bf16 must. */
static Status end_learning(Net **net, const Quantize *quantize, Error *err) {
    Positions positions = {0};
    Comparison measured;
    Net *ended = NULL;
    int layers;
    bool winograd = !quantize->direct;
    Status status = lsq_net_end(*net, winograd, &ended, &layers, err);
    if (!status) status = find_positions(ended, quantize, &positions, err);
    if (!status) printf("%s: %d layers in int8, with learned scales\n", quantize->words[0], layers);
    if (!status) status = measure(ended, PRECISION_BF16, quantize, &positions, &measured, err);
    if (!status) status = measure(ended, PRECISION_INT8, quantize, &positions, &measured, err);
    if (!status && winograd && !precision_passes(PRECISION_BF16, &measured)) {
        printf("With Winograd, the net is less close to f32 than bf16 must be. Without it:\n");
        net_free(ended);
        status = lsq_net_end(*net, false, &ended, &layers, err);
        if (!status) status = measure(ended, PRECISION_BF16, quantize, &positions, &measured, err);
        if (!status) status = measure(ended, PRECISION_INT8, quantize, &positions, &measured, err);
    }
    clear_positions(&positions);
    if (status) {
        net_free(ended);
        return status;
    }
    net_free(*net);
    *net = ended;
    return OK;
}

/* Replaces the net by one that learns with the rounding of its weights to int4. */
static Status make_int4_learner(Net **net, const Quantize *quantize, Error *err) {
    Net *learner = NULL;
    int layers = 0;
    Status status = lsq_net_begin_int4(*net, quantize->int4, &learner, &layers, err);
    if (status) return status;
    printf("%s: %d layers learn with the rounding of int4, in groups of %d\n", quantize->words[0],
           layers, quantize->int4);
    net_free(*net);
    *net = learner;
    return OK;
}

/* Turns a net that learned with the rounding of int4 into an ordinary one with packed weights. It
 * gets no report, because there is no net with unrounded weights to compare it with. */
static Status end_int4_learning(Net **net, const Quantize *quantize, Error *err) {
    int layers, group = lsq_net_int4_group(*net);
    Net *ended = NULL;
    Status status = lsq_net_end_int4(*net, &ended, &layers, err);
    if (!status) status = precision_clear_note(ended, err);
    if (status) {
        net_free(ended);
        return status;
    }
    printf("%s: weights of %d layers in int4, in groups of %d, with learned scales\n",
           quantize->words[0], layers, group);
    net_free(*net);
    *net = ended;
    return OK;
}

/* Does what the options and the net ask for; `*net` becomes the net that is written. */
static Status make(Net **net, const Quantize *quantize, Error *err) {
    if (quantize->int4 && quantize->learn) return make_int4_learner(net, quantize, err);
    if (quantize->learn) return make_learner(net, quantize, err);
    if (lsq_net_is(*net) && quantize->int4)
        return fail(err, ERR_ARGUMENT,
                    "%s learns with rounded weights; quantize it without --int4 first",
                    quantize->words[0]);
    if (lsq_net_int4_group(*net)) return end_int4_learning(net, quantize, err);
    if (lsq_net_is(*net)) return end_learning(net, quantize, err);
    return quantize->int4 ? make_int4(*net, quantize, err) : make_int8(*net, quantize, err);
}

static Status run(const Quantize *quantize, Error *err) {
    Net *net = NULL;
    Status status = path_has_ending(quantize->words[1], ".aji")
                        ? net_run_load("net quantize", quantize->words[0], &net, err)
                        : fail(err, ERR_ARGUMENT, "%s: only .aji files can hold the scales of int8",
                               quantize->words[1]);
    if (!status) status = file_can_write(quantize->words[1], err);
    if (!status) status = make(&net, quantize, err);
    if (!status) status = net_save(net, quantize->words[1], err);
    if (!status) printf("%s: written\n", quantize->words[1]);
    net_free(net);
    return status;
}

int net_quantize_command(int argc, char **argv) {
    Quantize quantize = {.sizes = "9,13,19", .count = 384, .seed = 1};
    int word_count;
    const Option options[] = {
        {"positions", OPTION_TEXT, &quantize.positions, 0, 0, "FILE",
         "games (.sgf, .sgfs) to measure the net on (default: the net plays some itself)"},
        {"sizes", OPTION_TEXT, &quantize.sizes, 0, 0, "LIST",
         "board sizes of the net's own games (default 9,13,19)"},
        {"count", OPTION_INT, &quantize.count, 2, 1e5, "N",
         "positions: half for the scales, half for the report (default 384)"},
        {"human-profile", OPTION_TEXT, &quantize.profile, 0, 0, "P",
         "player that a human policy imitates, such as rank_5k (default rank_1d)"},
        {"direct", OPTION_FLAG, &quantize.direct, 0, 0, NULL,
         "use no Winograd and no int8 in attention: slower, but closer to f32"},
        {"int4", OPTION_INT, &quantize.int4, 32, 64, "G",
         "instead of int8, round the weights to int4, in groups of G = 32 or 64"},
        {"learn", OPTION_FLAG, &quantize.learn, 0, 0, NULL,
         "write a net that learns with the rounding of int8, or with --int4 with that of int4, for "
         "aji train --from"},
        {"seed", OPTION_INT, &quantize.seed, 0, 2e9, "N",
         "seed of the net's own games, and of the choice of the points of the board whose "
         "activations are measured (default 1)"},
        {0}};
    const CommandUsage usage = {
        .name = "net quantize",
        .synopsis = "aji net quantize NET [--positions FILE] OUT.aji",
        .summary =
            "prepares a net for --precision int8 and reports how far int8 and bf16 are from f32",
        .details =
            "OUT.aji has the same weights as NET. It also has the scales of the trunk's "
            "activations for int8, and a report on the accuracy of int8 and bf16. --precision "
            "auto chooses the arithmetic by this report. With --int4 the file has the weights "
            "of the trunk in 4 bits, with a scale for each group of 32 or 64, and a report of "
            "how far the rounded net is from the given one. With --learn the file has a net "
            "that `aji train DATA --from` can train. Such a net learns the scales of int8 "
            "together with its weights. With --learn and --int4 the net learns the scales of the "
            "groups of weights, and rounds no activations. After the training, quantize the net "
            "again; its file then has the scales that were learned.",
        .options = options,
        .min_words = 2,
        .max_words = 2};
    OptionsResult parsed = options_parse(&usage, argc, argv, quantize.words, &word_count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Error err = {0};
    return command_end(usage.name, run(&quantize, &err), &err);
}
