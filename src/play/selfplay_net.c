#include "play/selfplay_net.h"

#include <stdlib.h>

#include "base/memory.h"
#include "eval/quantize.h"
#include "eval/sample_positions.h"
#include "play/game_setup.h"

enum { STEP_POSITIONS = 64, REPORT_POSITIONS = 64, POSITIONS = STEP_POSITIONS + REPORT_POSITIONS };

typedef struct {
    const SelfplaySettings *settings;
    GameChoices choices;
    Position all[POSITIONS];
    const Position *steps[STEP_POSITIONS], *report[REPORT_POSITIONS];
} Sample;

static Status begin_game(void *context, Rng *rng, Position *out, Error *err) {
    const Sample *sample = context;
    GameDraw draw = game_draw(sample->settings, &sample->choices, rng);
    draw.rules.komi =
        komi_rounded((double)(draw.rules.komi + draw.komi_noise), draw.width * draw.height, rng);
    return position_init(out, draw.width, draw.height, &draw.rules, err);
}

/* So that boards of one size follow each other. */
static int compare_sizes(const void *a, const void *b) {
    const Board *x = &((const Position *)a)->board, *y = &((const Position *)b)->board;
    return x->width != y->width ? x->width - y->width : x->height - y->height;
}

static Status measure(Net *net, const Sample *sample, uint64_t seed, Comparison *report,
                      Error *err) {
    const QuantizeCall quantize = {
        .positions = sample->steps, .position_count = STEP_POSITIONS, .seed = seed};
    int layers;
    Status status = quantize_net(net, &quantize, &layers, err);
    if (!status)
        status = precision_compare(net, PRECISION_INT8, sample->report, REPORT_POSITIONS, NULL,
                                   report, err);
    return status ? status : precision_note(net, PRECISION_INT8, report, err);
}

static Status make(const Net *net, const SelfplaySettings *settings, uint64_t seed,
                   Comparison *report, Net **out, Error *err) {
    Sample *sample;
    SampleCall call = {.count = POSITIONS, .seed = seed, .begin = begin_game};
    Status status = quantize_check(net, err);
    if (!status) status = mem_new(1, sizeof *sample, &sample, err);
    if (status) return status;
    sample->settings = settings;
    call.context = sample;
    status = game_choices_read(settings, &sample->choices, err);
    call.size = sample->choices.edge_most;
    if (!status) status = sample_positions(net, &call, sample->all, err);
    qsort(sample->all, POSITIONS, sizeof *sample->all, compare_sizes);
    for (int i = 0; i < POSITIONS; i++)
        *(i % 2 ? &sample->report[i / 2] : &sample->steps[i / 2]) = &sample->all[i];
    if (!status) status = net_copy(net, out, err);
    if (!status) status = measure(*out, sample, seed, report, err);
    for (int i = 0; i < POSITIONS; i++)
        position_clear(&sample->all[i]);
    free(sample);
    if (status) {
        net_free(*out);
        *out = NULL;
    }
    return status;
}

Status selfplay_net_new(const Net *net, Precision precision, const SelfplaySettings *settings,
                        uint64_t seed, Comparison *report, Net **out, Error *err) {
    bool automatic = precision == PRECISION_AUTO && backend_isa() >= ISA_AVX512_VNNI;
    Error fault = {0};
    *out = NULL;
    *report = (Comparison){0};
    if (!automatic && precision != PRECISION_INT8) return OK;
    Status status = make(net, settings, seed, report, out, &fault);
    if (!status || (automatic && status != ERR_MEMORY)) return OK; /* bf16 or f32 then */
    return fail(err, status, "%s", fault.message);
}
