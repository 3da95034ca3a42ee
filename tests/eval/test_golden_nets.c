/* What KataGo's nets answer in KataGo (its Eigen backend): every net file that the golden outputs
 * name, each position, symmetry and setting of theirs. Probabilities and ownership within 1e-4,
 * points within 2e-3; what is wide in range, within as small a part of itself. */
#include "eval/evaluator.h"
#include "eval/golden_position.h"
#include "eval/meaning.h"
#include "eval/net_file.h"

static const double PROBABILITY = 1e-4, POINTS = 2e-3;

typedef struct {
    double policy, value, ownership, lead, points;
    int rows;
} Worst;

typedef struct {
    const char *net_name; /* of the file; NULL: rows say it */
    char loaded[128];     /* which net is loaded */
    Net *net;
    NetMeaning meaning;
    json_t *positions;                /* by id */
    int buffer;                       /* edge of the buffer; 0: as the board */
    Evaluator *plain[SYMMETRY_COUNT]; /* of rows without settings, in a buffer of one size */
    Worst worst;
} Run;

static const char *nets_folder(void) {
    bool promised;
    return golden_nets(&promised);
}

/* NAME, with the ending that it may lack, in the folder of nets or its folder of synthetic ones. */
static bool find_net(const char *name, char path[1024]) {
    static const char *const FOLDERS[] = {"", "/synthetic"}, *const ENDINGS[] = {"", ".bin.gz",
                                                                                 ".txt.gz"};
    for (int f = 0; f < 2; f++) {
        for (int e = 0; e < 3; e++) {
            snprintf(path, 1024, "%s%s/%s%s", nets_folder(), FOLDERS[f], name, ENDINGS[e]);
            if (file_exists(path)) return true;
        }
    }
    return false;
}

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
    char path[1024];
    if (strcmp(run->loaded, name) == 0) return;
    unload(run);
    if (!find_net(name, path)) fail_msg("the net %s is not in %s", name, nets_folder());
    EXPECT_OK(net_file_load(path, &run->net, err));
    EXPECT_OK(meaning_of(run->net, &run->meaning, err));
    snprintf(run->loaded, sizeof run->loaded, "%s", name);
}

static NetEvaluatorConfig config_of(const Run *run, const json_t *row, const json_t *settings,
                                    const Position *position) {
    NetEvaluatorConfig config = {.batch = 1,
                                 .buffer_width = run->buffer ? run->buffer : position->board.width,
                                 .buffer_height =
                                     run->buffer ? run->buffer : position->board.height,
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
    NetEvaluatorConfig config = config_of(run, row, settings, position);
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
    load(run, run->net_name ? run->net_name : golden_text(row, "net"));
    if (!place) fail_msg("position %s is not in positions.jsonl", golden_text(row, "id"));
    Rules rules = golden_rules(place);
    rules = meaning_rules(&run->meaning, &rules);
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

/* "outputs-NET.jsonl" is of one net, unless its rows say otherwise. */
static void run_file(const char *folder, const char *name, const char *net, int buffer) {
    char path[1024];
    Run run = {.net_name = net, .positions = json_object(), .buffer = buffer};
    snprintf(path, sizeof path, "%s/positions.jsonl", folder);
    EXPECT_TRUE(golden_lines(path, keep_position, run.positions) > 0);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    EXPECT_TRUE(golden_lines(path, expect_row, &run) > 0);
    unload(&run);
    json_decref(run.positions);
}

/* The folder of the outputs; NULL: skip. */
static const char *outputs_folder(char folder[1024], Arena *arena, char ***names, int *count) {
    const char *golden = golden_folder();
    if (!golden) return NULL;
    snprintf(folder, 1024, "%s/nn", golden);
    EXPECT_OK(directory_list(folder, arena, names, count, err));
    EXPECT_TRUE(*count > 0);
    return folder;
}

TEST(nets_answer_as_in_katago) {
    enum { BUFFER = 19 };
    char folder[1024], net[256], **names;
    Arena arena = {0};
    int count, files = 0;
    if (!outputs_folder(folder, &arena, &names, &count)) skip();
    for (int i = 0; i < count; i++) {
        if (strncmp(names[i], "outputs-", 8) != 0) continue;
        bool several = strstr(names[i], "synthetic") != NULL;
        snprintf(net, sizeof net, "%.*s", (int)strcspn(names[i] + 8, "."), names[i] + 8);
        run_file(folder, names[i], several ? NULL : net, BUFFER);
        files++;
    }
    EXPECT_TRUE(files > 0);
    arena_clear(&arena);
}

TEST(buffers_of_the_boards_size) {
    char folder[1024], **names;
    Arena arena = {0};
    int count;
    if (!outputs_folder(folder, &arena, &names, &count)) skip();
    for (int i = 0; i < count; i++) {
        if (strncmp(names[i], "rawnn-", 6) == 0) run_file(folder, names[i], NULL, 0);
    }
    arena_clear(&arena);
}

TEST_MAIN(RUN(nets_answer_as_in_katago), RUN(buffers_of_the_boards_size))
