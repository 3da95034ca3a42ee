/* Compares the outputs of nets in KataGo's format with those that KataGo's Eigen backend computed,
 * in every position, symmetry and setting of the golden files. Probabilities and ownership may
 * differ by 1e-4, points by 2e-3, and the mean squared score by 2e-2; for values above 100 the
 * bound grows in proportion. The tiny nets are made by this test. KataGo's own nets are not in this
 * repository; without them their tests are skipped. */
#include "eval/evaluators/evaluator.h"
#include "eval/features/model_format.h"
#include "eval/formats/net_file.h"
#include "eval/golden_nets.h"
#include "eval/golden_position.h"

static const double PROBABILITY = 1e-4, POINTS = 2e-3;

typedef struct {
    double policy, value, ownership, lead, points;
    int rows;
} Worst;

typedef struct {
    const char *katago_net; /* the one net of all rows; NULL: each row names a tiny net */
    char loaded[128];       /* which net is loaded */
    Net *net;
    ModelFormat model_format;
    json_t *positions;                /* by id */
    int buffer;                       /* side of the buffer; 0: the size of the board */
    Evaluator *plain[SYMMETRY_COUNT]; /* kept for rows without settings if `buffer` is set */
    Worst worst;
} Run;

static void print_worst(const Run *run) {
    if (!run->worst.rows) return;
    print_message("%s: %d rows; policy %.1e, value %.1e, ownership %.1e, lead %.1e, points %.1e\n",
                  run->loaded, run->worst.rows, run->worst.policy, run->worst.value,
                  run->worst.ownership, run->worst.lead, run->worst.points);
}

static void unload(Run *run) {
    print_worst(run);
    for (int i = 0; i < SYMMETRY_COUNT; i++) {
        evaluator_free(run->plain[i]);
        run->plain[i] = NULL;
    }
    net_free(run->net);
    run->net = NULL;
    run->worst = (Worst){0};
}

static void load(Run *run, const char *name) {
    char file[160];
    Path path;
    if (strcmp(run->loaded, name) == 0) return;
    unload(run);
    const MadeNet *tiny = golden_net(name);
    snprintf(file, sizeof file, "%s.bin.gz", name);
    if (tiny)
        run->net = read_made_net(*tiny);
    else if (run->katago_net && katago_net(file, &path))
        EXPECT_OK(net_file_load(path.text, &run->net, err));
    else
        fail_msg("there is no tiny net %s", name);
    EXPECT_OK(model_format_of(run->net, &run->model_format, err));
    snprintf(run->loaded, sizeof run->loaded, "%s", name);
}

static NetEvaluatorSetup config_of(const Run *run, const json_t *row, const json_t *settings,
                                   const Position *position) {
    NetEvaluatorSetup config = {.batch = 1,
                                .buffer_width = run->buffer ? run->buffer : position->board.width,
                                .buffer_height = run->buffer ? run->buffer : position->board.height,
                                .precision = PRECISION_F32,
                                .symmetry = (int)golden_number(row, "symmetry", 0),
                                .ownership = true,
                                .features = FEATURE_OPTIONS_DEFAULT};
    config.policy_temperature = (float)golden_number(settings, "nnPolicyTemperature", 1);
    config.features.draw_equivalent_wins_for_white =
        (float)golden_number(settings, "drawEquivalentWinsForWhite", 0.5);
    if (json_is_true(json_object_get(settings, "ignorePreRootHistory")))
        config.features.history_moves = 0;
    const char *profile = golden_text(settings, "humanSLProfile");
    if (*profile) config.human_profile = profile;
    return config;
}

static void expect(const json_t *row, const char *what, double wanted, double got, double tolerance,
                   double *worst) {
    double difference = fabs(wanted - got);
    if (!(difference <= tolerance))
        fail_msg("%s, %s, symmetry %g: %s is %.9g, wanted %.9g", golden_text(row, "net"),
                 golden_text(row, "id"), golden_number(row, "symmetry", 0), what, got, wanted);
    if (difference > *worst) *worst = difference;
}

static void expect_field(const json_t *row, const char *key, double got, double tolerance,
                         double *worst) {
    const json_t *wanted = json_object_get(row, key);
    if (!wanted) return;
    double value = json_number_value(wanted);
    expect(row, key, value, got, tolerance * fmax(1, fabs(value) / 100), worst);
}

static void expect_array(const json_t *row, const char *key, const float *got, int count,
                         float sign, double *worst) {
    const json_t *wanted = json_object_get(row, key);
    EXPECT_INT(count, json_array_size(wanted));
    for (int i = 0; i < count; i++) {
        char what[64];
        snprintf(what, sizeof what, "%s %d", key, i);
        expect(row, what, json_number_value(json_array_get(wanted, (size_t)i)),
               (double)(sign * got[i]), PROBABILITY, worst);
    }
}

static void expect_outputs(const json_t *row, const Evaluation *e, Color mover, Worst *worst) {
    bool white = mover == COLOR_WHITE;
    int area = e->width * e->height;
    double mean = (double)value_for_white(e->score_mean, mover), square = (double)e->score_mean_sq,
           lead = (double)value_for_white(e->lead, mover);
    expect_field(row, "whiteWin", (double)(white ? e->win : e->loss), PROBABILITY, &worst->value);
    expect_field(row, "whiteLoss", (double)(white ? e->loss : e->win), PROBABILITY, &worst->value);
    expect_field(row, "noResult", (double)e->no_result, PROBABILITY, &worst->value);
    expect_field(row, "whiteScoreMean", mean, POINTS, &worst->points);
    expect_field(row, "whiteScoreSelfplay", mean, POINTS, &worst->points);
    expect_field(row, "whiteScoreSelfplaySq", square, POINTS * 10, &worst->points);
    expect_field(row, "scoreStdev", sqrt(fmax(0, square - mean * mean)), POINTS, &worst->points);
    expect_field(row, "whiteLead", lead, POINTS, &worst->lead);
    expect_field(row, "varTimeLeft", (double)e->var_time, POINTS, &worst->points);
    expect_field(row, "shorttermWinlossError", (double)e->shortterm_winloss_error, PROBABILITY,
                 &worst->value);
    expect_field(row, "shorttermScoreError", (double)e->shortterm_score_error, POINTS,
                 &worst->points);
    expect_array(row, "policy", e->policy, area + 1, 1, &worst->policy);
    expect_array(row, "whiteOwnership", e->ownership, area, white ? 1.0f : -1.0f,
                 &worst->ownership);
    worst->rows++;
}

static void evaluate(Run *run, const json_t *row, const json_t *settings, const Position *position,
                     Evaluation *out) {
    NetEvaluatorSetup config = config_of(run, row, settings, position);
    bool plain = run->buffer && !json_object_size(settings);
    Evaluator *evaluator = plain ? run->plain[config.symmetry] : NULL;
    if (!evaluator) EXPECT_OK(evaluator_net_new(run->net, &config, &evaluator, err));
    float advantage = (float)golden_number(settings, "playoutDoublingAdvantage", 0);
    EvaluationRequest request = {
        position,
        {.white_doublings = value_for_white(advantage, position->mover),
         .policy_optimism = (float)golden_number(settings, "rootPolicyOptimism", 0)}};
    EXPECT_OK(evaluator_evaluate(evaluator, &request, 1, out, err));
    if (plain)
        run->plain[config.symmetry] = evaluator;
    else
        evaluator_free(evaluator);
}

static void expect_row(const json_t *row, void *context) {
    Run *run = context;
    const json_t *own = json_object_get(row, "settings"),
                 *place = json_object_get(run->positions, golden_text(row, "id"));
    load(run, run->katago_net ? run->katago_net : golden_text(row, "net"));
    if (!place) fail_msg("position %s is not in positions.jsonl", golden_text(row, "id"));
    Rules rules = golden_rules(place);
    rules = model_format_rules(&run->model_format, &rules);
    Position position;
    golden_position(place, &rules, golden_first_mover(place), &position);
    EXPECT_INT(*golden_text(place, "nextPlayer") == 'W' ? COLOR_WHITE : COLOR_BLACK,
               position.mover);
    Evaluation evaluation;
    evaluate(run, row, own ? own : json_object_get(place, "settings"), &position, &evaluation);
    expect_outputs(row, &evaluation, position.mover, &run->worst);
    position_clear(&position);
}

static void keep_position(const json_t *row, void *context) {
    json_object_set_new(context, golden_text(row, "id"), json_deep_copy(row));
}

/* Checks all rows of a golden file. `katago_net` is the net of all rows, or NULL if each row names
 * a tiny net. */
static void compare_file(const char *name, const char *katago_net, int buffer) {
    Run run = {.katago_net = katago_net, .positions = json_object(), .buffer = buffer};
    const char *folder = golden_folder(name);
    golden_rows_in(folder, "nn/positions.jsonl", keep_position, run.positions);
    golden_rows_in(folder, name, expect_row, &run);
    unload(&run);
    json_decref(run.positions);
}

enum { BUFFER = 19, BOARD_SIZED = 0 };

TEST(tiny_nets_answer_as_in_katago) {
    compare_file("nn/outputs-tiny.jsonl", NULL, BUFFER);
}

TEST(tiny_nets_answer_as_in_katago_in_a_buffer_of_the_boards_size) {
    compare_file("nn/rawnn-tiny.jsonl", NULL, BOARD_SIZED);
}

#define CONVOLUTION "g170-b6c96-s175395328-d26788732"
#define FIXED_ROTARY "b7c96h3tfrs-test5-cnorm"
#define LEARNED_ROTARY "b7c96h6kv3qk32v16tflrs-fson-bnh"

TEST(katagos_convolution_net_answers_as_in_katago) {
    Path path;
    if (!katago_net(CONVOLUTION ".bin.gz", &path)) NO_KATAGO_NET(CONVOLUTION);
    compare_file("nn/outputs-" CONVOLUTION ".jsonl", CONVOLUTION, BUFFER);
}

TEST(katagos_convolution_net_answers_as_in_katago_in_a_buffer_of_the_boards_size) {
    Path path;
    if (!katago_net(CONVOLUTION ".bin.gz", &path)) NO_KATAGO_NET(CONVOLUTION);
    compare_file("nn/rawnn-exact-buffer-nonsquare.jsonl", CONVOLUTION, BOARD_SIZED);
}

TEST(katagos_transformer_answers_as_in_katago) {
    Path path;
    if (!katago_net(FIXED_ROTARY ".bin.gz", &path)) NO_KATAGO_NET(FIXED_ROTARY);
    compare_file("nn/outputs-" FIXED_ROTARY ".jsonl", FIXED_ROTARY, BUFFER);
}

TEST(katagos_transformer_with_learned_rotary_answers_as_in_katago) {
    Path path;
    if (!katago_net(LEARNED_ROTARY ".bin.gz", &path)) NO_KATAGO_NET(LEARNED_ROTARY);
    compare_file("nn/outputs-" LEARNED_ROTARY ".jsonl", LEARNED_ROTARY, BUFFER);
}

TEST_MAIN(RUN(tiny_nets_answer_as_in_katago),
          RUN(tiny_nets_answer_as_in_katago_in_a_buffer_of_the_boards_size),
          RUN(katagos_convolution_net_answers_as_in_katago),
          RUN(katagos_convolution_net_answers_as_in_katago_in_a_buffer_of_the_boards_size),
          RUN(katagos_transformer_answers_as_in_katago),
          RUN(katagos_transformer_with_learned_rotary_answers_as_in_katago))
