#include "play/selfplay/selfplay_net.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/memory.h"
#include "eval/precision/quantize.h"
#include "eval/precision/sample_positions.h"
#include "play/setup/game_setup.h"

enum {
    CALIBRATION_POSITIONS = 64,
    REPORT_POSITIONS = 64,
    POSITIONS = CALIBRATION_POSITIONS + REPORT_POSITIONS
};

typedef struct {
    const SelfplayNetSetup *setup;
    GameChoices choices;
    Position all[POSITIONS];
    const Position *calibration[CALIBRATION_POSITIONS], *report[REPORT_POSITIONS];
} NetSample;

static Status begin_game(void *context, Rng *rng, Position *out, Error *err) {
    const NetSample *sample = context;
    GameDraw draw = game_draw(sample->setup->settings, &sample->choices, rng);
    draw.rules.komi =
        komi_rounded((double)(draw.rules.komi + draw.komi_noise), draw.width * draw.height, rng);
    return position_init(out, draw.width, draw.height, &draw.rules, err);
}

/* Sorts positions so that boards of one size follow each other. */
static int compare_sizes(const void *a, const void *b) {
    const Board *x = &((const Position *)a)->board, *y = &((const Position *)b)->board;
    return x->width != y->width ? x->width - y->width : x->height - y->height;
}

static Status measure_int8(Net *net, const NetSample *sample, Comparison *report, Error *err) {
    const QuantizeCall quantize = {.positions = sample->calibration,
                                   .position_count = CALIBRATION_POSITIONS,
                                   .seed = sample->setup->seed,
                                   .threads = sample->setup->threads};
    int layers;
    Status status = quantize_net(net, &quantize, &layers, err);
    if (!status)
        status = precision_compare(
            net, PRECISION_INT8,
            &(PrecisionCall){.positions = sample->report, .count = REPORT_POSITIONS}, report, err);
    return status ? status : precision_note(net, PRECISION_INT8, report, err);
}

static Status make_int8_net(const Net *net, const SelfplayNetSetup *setup, Comparison *report,
                            Net **out, Error *err) {
    NetSample *sample;
    SampleCall call = {.count = POSITIONS, .seed = setup->seed, .begin = begin_game};
    Status status = quantize_check(net, err);
    if (!status) status = mem_new(1, sizeof *sample, &sample, err);
    if (status) return status;
    sample->setup = setup;
    call.context = sample;
    status = game_choices_read(setup->settings, &sample->choices, err);
    sample->choices.rows = setup->rows;
    call.size = game_board_size_at(&sample->choices, setup->rows);
    if (!status) status = sample_positions(net, &call, sample->all, err);
    qsort(sample->all, POSITIONS, sizeof *sample->all, compare_sizes);
    for (int i = 0; i < POSITIONS; i++)
        *(i % 2 ? &sample->report[i / 2] : &sample->calibration[i / 2]) = &sample->all[i];
    if (!status) status = net_copy(net, out, err);
    if (!status) status = measure_int8(*out, sample, report, err);
    for (int i = 0; i < POSITIONS; i++)
        position_clear(&sample->all[i]);
    free(sample);
    if (status) {
        net_free(*out);
        *out = NULL;
    }
    return status;
}

Status selfplay_net_new(const Net *net, const SelfplayNetSetup *setup, Comparison *report,
                        Net **out, Error *err) {
    bool automatic = setup->precision == PRECISION_AUTO && backend_isa() >= ISA_AVX512_VNNI &&
                     !infer_bf16_is_faster(net);
    Error fault = {0};
    *out = NULL;
    *report = (Comparison){0};
    if (!automatic && setup->precision != PRECISION_INT8) return OK;
    Status status = make_int8_net(net, setup, report, out, &fault);
    if (status && (!automatic || status == ERR_MEMORY))
        return fail(err, status, "%s", fault.message);
    if (status) log_info("self-play does not use int8: %s", fault.message);
    return OK;
}

bool selfplay_net_is_int8(const Net *player_net, Precision precision, const Comparison *report) {
    return player_net && (precision == PRECISION_INT8 || precision_passes(PRECISION_INT8, report));
}

Status selfplay_evaluator_new(const SelfplayEvaluatorSetup *setup, Evaluator **out, Error *err) {
    NetEvaluatorSetup evaluator = {.batch = setup->batch,
                                   .buffer_width = setup->board_size,
                                   .buffer_height = setup->board_size,
                                   .precision = setup->precision,
                                   .symmetry = -1,
                                   .seed = setup->seed,
                                   .features = FEATURE_OPTIONS_DEFAULT};
    Evaluator *net;
    *out = NULL;
    search_settings_evaluator(setup->search, &evaluator);
    Status status = evaluator_net_new(setup->net, &evaluator, &net, err);
    return status ? status : evaluator_cached_new(net, setup->cache, out, err);
}
