/* For each loss, the gradients of all parameters of a net, as the trainer computes them, are
 * compared with finite differences of the loss. Losses that use softplus_slope()
 * (train/losses/row_loss.h) are left out, because softplus_slope() is not the slope of softplus().
 * The gradients of these losses at the outputs of the net are checked in test_objective.c and
 * test_auxiliary.c. */
#include "eval/arch/arch.h"
#include "test.h"
#include "train/normalise.h"
#include "train/trainer_private.h"

enum { EDGE = 4, CELLS = EDGE * EDGE, ROWS = 3 };
/* UNOWNED is the running fraction of points that nobody owns (Trainer.unowned). ROUNDING is the
 * error of finite differences because the loss is computed in f32. */
static const double UNOWNED = 0.02, ROUNDING = 4e-5;

static void fill_board(Batch *batch, int n, Rng *rng) {
    float *policy = batch->policy + (size_t)n * 2 * (CELLS + 1);
    for (int i = 0; i < CELLS; i++) {
        int cell = n * CELLS + i;
        bool on = i % EDGE < EDGE - n; /* boards of 4 x 4, 3 x 4, 2 x 4 */
        batch->mask[cell] = on;
        batch->ownership[cell] = (float)(on * (rng_below(rng, 3) - 1));
        for (int k = 0; k < FEATURE_PLANES; k++)
            batch->planes[cell * FEATURE_PLANES + k] = on && (k == 0 || rng_below(rng, 4) == 0);
        for (int k = 0; k < BATCH_BOARDS; k++)
            batch->boards[cell * BATCH_BOARDS + k] = (float)(on * (rng_below(rng, 3) - 1));
        policy[i] = on ? (float)rng_uniform(rng) : 0;
        policy[CELLS + 1 + i] = on ? (float)rng_uniform(rng) : 0;
    }
    for (int i = 0; i <= CELLS; i++) {
        float *move = batch->q_values + (n * (CELLS + 1) + i) * BATCH_Q_VALUES;
        move[0] = (float)(2 * rng_uniform(rng) - 1);
        move[1] = (float)(40 * rng_uniform(rng) - 20);
        move[2] = (float)((i == CELLS || batch->mask[n * CELLS + i] > 0) * rng_below(rng, 30));
    }
    policy[CELLS] = policy[2 * CELLS + 1] = 0.5f;
    normalise(policy, CELLS + 1);
    normalise(policy + CELLS + 1, CELLS + 1);
}

/* Fills a row with random features and targets. All rows have the weight 1, so that the means by
 * weight and by count are the same. */
static void fill_row(Batch *batch, int n, Rng *rng) {
    float *targets = batch->targets + n * ROW_GLOBAL_TARGETS;
    fill_board(batch, n, rng);
    for (int i = 0; i < FEATURE_GLOBALS; i++)
        batch->globals[n * FEATURE_GLOBALS + i] = (float)(2 * rng_uniform(rng) - 1);
    for (int k = 0; k < 20; k += 4) {
        for (int i = 0; i < 3; i++)
            targets[k + i] = (float)rng_uniform(rng) + 0.1f;
        normalise(targets + k, 3);
        targets[k + 3] = (float)(10 * rng_uniform(rng) - 5);
    }
    targets[TARGET_SCORE] = 3.5f;
    targets[TARGET_LEAD] = -2;
    targets[TARGET_VARIANCE_TIME] = 12;
    targets[TARGET_WEIGHT] = 1;
    for (int i = TARGET_WEIGHT_POLICY; i <= TARGET_WEIGHT_LEAD; i++)
        targets[i] = 0.5f + 0.5f * (float)rng_uniform(rng);
    targets[TARGET_WEIGHT_FUTURE] = 0.6f;
    targets[TARGET_WEIGHT_SCORING] = 0.7f;
    targets[TARGET_NO_TD] = targets[TARGET_NO_VALUE] = 0.25f;
    for (int i = 400; i < 442; i++)
        batch->score[n * SCORE_BINS + i] = (float)rng_uniform(rng);
    normalise(batch->score + n * SCORE_BINS, SCORE_BINS);
}

typedef struct {
    Trainer *trainer;
    Batch batch;
    Rng rng;
} Fixture;

/* Moves the outputs for the expected errors of scores away from 0, where the loss has a kink. */
static void move_errors(Net *net) {
    const Program *program = net_program(net);
    for (int p = 0; p < program_parameter_count(program); p++) {
        if (strcmp(program_parameter(program, p)->name, "value.tderrorbias.bias") != 0) continue;
        for (int i = TD_HORIZONS; i < TD_ERRORS; i++)
            net_values(net, p)[i] = 1;
    }
}

/* Makes a trainer whose learning rate is too small to change the weights. */
static Fixture make(const char *arch) {
    /* with this seed, the finite differences move no maximum over the board to another point */
    Fixture f = {.rng = rng_seeded(3)};
    TrainerSetup setup = {.batch = ROWS, .length = EDGE};
    Net *net;
    settings_defaults(OPTIMISER_FIELDS, &setup.training.optimiser);
    settings_defaults(AVERAGING_FIELDS, &setup.training.averaging);
    settings_defaults(DIVERGENCE_FIELDS, &setup.training.divergence);
    setup.training.divergence.gradient = setup.training.divergence.loss =
        setup.training.divergence.first_loss =
            0; /* the test goes from one loss to another, which would look like outliers */
    setup.training.trainer = (TrainerSettings){.threads = 1, .precision = TRAINER_F32};
    setup.training.optimiser.kind = OPTIMISER_SGD;
    setup.training.schedule.rate = 1e-30;
    EXPECT_OK(batch_init(&f.batch, ROWS, EDGE, err));
    EXPECT_OK(batch_add_boards(&f.batch, err));
    EXPECT_OK(batch_add_q_values(&f.batch, err));
    EXPECT_OK(batch_add_points(&f.batch, (1 << ROW_POINT_COLUMNS) - 1, err));
    for (int n = 0; n < ROWS; n++)
        fill_row(&f.batch, n, &f.rng);
    EXPECT_OK(arch_build_text(arch, &f.rng, &net, err));
    move_errors(net);
    EXPECT_OK(trainer_new(&setup, net, &f.trainer, err));
    return f;
}

static void clear(Fixture *f) {
    trainer_free(f->trainer);
    batch_clear(&f->batch);
}

static void set_only(Fixture *f, const char *loss) {
    ObjectiveSettings *config = &f->trainer->setup.training.objective;
    const SettingsGroup groups[] = {{"objective", OBJECTIVE_FIELDS, config}, {0}};
    *config = (ObjectiveSettings){.huber_delta = 12};
    EXPECT_OK(settings_set(groups, loss, "1", err));
}

static double measure(Fixture *f) {
    Metrics metrics;
    f->trainer->unowned = UNOWNED;
    EXPECT_OK(trainer_measure(f->trainer, &f->batch, &metrics, err));
    return metrics.loss;
}

static double norm(const float *values, size_t count) {
    double squares = 0;
    for (size_t i = 0; i < count; i++)
        squares += (double)values[i] * (double)values[i];
    return sqrt(squares);
}

/* Sets `out` to the sum of the gradient, scaled to length 1, and a random vector of about the same
 * length. */
static void draw_direction(const float *gradient, size_t count, Rng *rng, float *out) {
    double length = norm(gradient, count);
    for (size_t i = 0; i < count; i++)
        out[i] = (float)((double)gradient[i] / length + rng_normal(rng) / sqrt((double)count));
}

/* Returns the slope of the loss along the direction, by the difference formula of four points. */
static double difference(Fixture *f, float *values, size_t count, const float *direction) {
    double at[4], step = 0.01 * (norm(values, count) + 1);
    float *start = malloc(count * sizeof *start);
    assert_non_null(start);
    memcpy(start, values, count * sizeof *start);
    for (int i = 0; i < 4; i++) {
        double way = (i < 2 ? i - 2 : i - 1) * step;
        for (size_t k = 0; k < count; k++)
            values[k] = (float)((double)start[k] + way * (double)direction[k]);
        at[i] = measure(f);
    }
    memcpy(values, start, count * sizeof *start);
    free(start);
    return (8 * (at[2] - at[1]) - (at[3] - at[0])) / (12 * step);
}

/* Checks the gradient of one parameter along a random direction. If the gradient is 0, the loss
 * must not depend on the parameter. `whole` is the norm of the gradient of all parameters. */
static void check_parameter(Fixture *f, const char *loss, int parameter, double whole) {
    const ParameterSpec *spec = program_parameter(net_program(f->trainer->net), parameter);
    const float *gradient = batch_run_gradients(f->trainer->run)[parameter];
    float *values = net_values(f->trainer->net, parameter);
    double slope = 0, length = norm(gradient, spec->count);
    if (!(length > 0)) {
        float start = values[0];
        double before = measure(f);
        values[0] += 0.5f;
        EXPECT_NEAR(before, measure(f), 0);
        values[0] = start;
        return;
    }
    float *direction = malloc(spec->count * sizeof *direction);
    assert_non_null(direction);
    draw_direction(gradient, spec->count, &f->rng, direction);
    for (size_t i = 0; i < spec->count; i++)
        slope += (double)direction[i] * (double)gradient[i];
    double found = difference(f, values, spec->count, direction), size = length + 0.03 * whole;
    if (!(fabs(found - slope) <= 2e-2 * size + ROUNDING))
        fail_msg("%s, %s: the slope is %.6g by differences and %.6g by the gradient of length %.6g",
                 loss, spec->name, found, slope, length);
    free(direction);
}

static bool is_in(const char *name, const char *const *names) {
    for (; *names; names++) {
        if (strcmp(name, *names) == 0) return true;
    }
    return false;
}

/* Losses that use other outputs of the net as constants. They give no gradient to parameters whose
 * names begin with one of `given`. Finite differences are right only for parameters of the loss's
 * own head, whose names begin with `own`. */
typedef struct {
    const char *word, *own, *given[2];
} Stopped;
static const Stopped STOPPED[] = {
    {"optimistic", "policy.", {"value.", "score."}},
    {"td_value_error", "value.tderror", {"value.td.", "value.tdbias"}},
    {"td_score_error", "value.tderror", {"value.td.", "value.tdbias"}},
    {"value_error", "value.error", {"value.v3.", "value.v3bias"}},
};

static const Stopped *find_stopped(const char *loss) {
    for (size_t i = 0; i < sizeof STOPPED / sizeof *STOPPED; i++) {
        if (strstr(loss, STOPPED[i].word)) return &STOPPED[i];
    }
    return NULL;
}

static bool starts(const char *name, const char *with) {
    return strncmp(name, with, strlen(with)) == 0;
}

/* Checks the gradients of a loss. Returns whether the loss gives the net any gradient. */
static bool check_loss(Fixture *f, const char *loss) {
    const Program *program = net_program(f->trainer->net);
    const Stopped *stopped = find_stopped(loss);
    Metrics metrics;
    set_only(f, loss);
    f->trainer->unowned = UNOWNED;
    EXPECT_OK(trainer_step(f->trainer, &f->batch, &metrics, err));
    double whole = metrics.gradient_norm;
    for (int p = 0; p < program_parameter_count(program); p++) {
        const ParameterSpec *spec = program_parameter(program, p);
        if (!spec->trained) continue;
        if (!stopped || starts(spec->name, stopped->own))
            check_parameter(f, loss, p, whole);
        else if (starts(spec->name, stopped->given[0]) || starts(spec->name, stopped->given[1]))
            EXPECT_NEAR(0, norm(batch_run_gradients(f->trainer->run)[p], spec->count), 0);
    }
    return whole > 1e-4;
}

/* Checks all losses except those that use softplus_slope(). (SOFTPLUS also names the settings that
 * are not weights of losses.) The losses in `without` must have no gradient, and all others must
 * have one. Returns how many losses have a gradient. */
static int check_losses(const char *arch, const char *const *without) {
    static const char *const SOFTPLUS[] = {
        "score_stdev",     "var_time",      "shortterm_error", "moves_left",
        "huber_delta",     "score_area",    "policy_best",     "value_buckets_single",
        "value_buckets_q", "value_error_q", "value_q",         NULL};
    Fixture f = make(arch);
    int moving = 0;
    for (const SettingsField *field = OBJECTIVE_FIELDS; field->name; field++) {
        if (field->type != FIELD_TYPE_DOUBLE || is_in(field->name, SOFTPLUS)) continue;
        bool moves = check_loss(&f, field->name);
        if (moves == is_in(field->name, without))
            fail_msg("%s: %s %s", arch, field->name, moves ? "has a gradient" : "has none");
        moving += moves;
    }
    clear(&f);
    return moving;
}

TEST(every_loss_of_a_net_with_all_heads_has_its_gradient) {
    static const char *const NONE[] = {
        "score_scale",   "ladders",     "value_buckets", "later_moves",
        "root_variance", "value_error", "next_occupant", "time_on_board",
        "same_chain",    NULL}; /* tests of their own follow */
    EXPECT_INT(
        29,
        check_losses("b1c8-fixed-mish-qvalues-auxiliary-errors,pool_every=0,value_hidden=8", NONE));
}

/* A net with a few heads has the losses of these, and no others. */
TEST(losses_of_nets_with_a_few_heads) {
    static const char *const HAVE[][2] = {
        {"value", "policy"}, {"td_long", "seki"}, {"score_pdf", "score_cdf"}};
    static const char *const LACK[] = {"ownership", "score_mean", "lead", "future", "scoring"};
    Fixture f = make("b1c8-fixed-mish,heads=policy+value+td+seki+score_distribution,pool_every=0,"
                     "value_hidden=8");
    for (size_t i = 0; i < 6; i++)
        EXPECT_TRUE(check_loss(&f, HAVE[i / 2][i % 2]));
    for (size_t i = 0; i < sizeof LACK / sizeof *LACK; i++)
        EXPECT_FALSE(check_loss(&f, LACK[i]));
    clear(&f);
    f = make("b1c8-fixed-mish,heads=policy+value+search_values,pool_every=0,value_hidden=8");
    EXPECT_TRUE(check_loss(&f, "search_values"));
    EXPECT_FALSE(check_loss(&f, "td_long"));
    clear(&f);
}

/* The factor of the logits of the score distribution gets gradients from its own loss and from the
 * two losses of the distribution. */
TEST(losses_of_a_score_distribution_with_a_factor) {
    static const char *const LOSSES[] = {"score_scale", "score_pdf", "score_cdf"};
    Fixture f = make("b1c8-fixed-mish-score_scale,pool_every=0,value_hidden=8");
    for (size_t i = 0; i < sizeof LOSSES / sizeof *LOSSES; i++)
        EXPECT_TRUE(check_loss(&f, LOSSES[i]));
    clear(&f);
}

TEST(losses_of_a_mixture_of_score_distributions) {
    Fixture f = make("b1c8-fixed-mish,score_mixtures=3,pool_every=0,value_hidden=8");
    EXPECT_TRUE(check_loss(&f, "score_pdf"));
    EXPECT_TRUE(check_loss(&f, "score_cdf"));
    clear(&f);
}

TEST(the_loss_of_a_categorical_value) {
    Fixture f = make("b1c8-fixed-mish-value_buckets,pool_every=0,value_hidden=8");
    EXPECT_TRUE(check_loss(&f, "value_buckets"));
    clear(&f);
}

TEST(losses_of_policies_by_attention) {
    static const char *const WORDS[] = {
        "b1c8-fixed-mish,policy_attention=5,pool_every=0,value_hidden=8",
        "b1c8-fixed-mish,policy_attention=5,policy_embedding=6,pool_every=0,value_hidden=8"};
    for (int i = 0; i < 2; i++) {
        Fixture f = make(WORDS[i]);
        EXPECT_TRUE(check_loss(&f, "policy"));
        EXPECT_TRUE(check_loss(&f, "opponent_policy"));
        clear(&f);
    }
}

TEST(the_loss_of_later_moves) {
    Fixture f = make("b1c8-fixed-mish-later_moves,pool_every=0,value_hidden=8");
    for (int n = 0; n < ROWS; n++) {
        for (int i = 0; i < LATER_MOVES; i++)
            f.batch.targets[n * ROW_GLOBAL_TARGETS + TARGET_LATER_MOVES + i] =
                (float)(1 + EDGE * i + n % 2);
    }
    EXPECT_TRUE(check_loss(&f, "later_moves"));
    clear(&f);
}

TEST(the_loss_of_root_variances) {
    Fixture f = make("b1c8-fixed-mish-root_variance,pool_every=0,value_hidden=8");
    for (int n = 0; n < ROWS; n++) {
        float *targets = f.batch.targets + n * ROW_GLOBAL_TARGETS;
        targets[TARGET_ROOT_VARIANCE_COUNT] = ROOT_VARIANCES;
        targets[TARGET_ROOT_VARIANCES + n % ROOT_VARIANCES] = 0.5f;
    }
    EXPECT_TRUE(check_loss(&f, "root_variance"));
    clear(&f);
}

/* The value head, whose error is learned, has no gradient from this loss. */
TEST(the_loss_of_the_error_of_the_value) {
    Fixture f = make("b1c8-fixed-mish-value_error,pool_every=0,value_hidden=8");
    EXPECT_TRUE(check_loss(&f, "value_error"));
    clear(&f);
}

TEST(the_loss_of_next_occupants) {
    Fixture f = make("b1c8-fixed-mish-next_occupant,pool_every=0,value_hidden=8");
    for (int i = 0; i < ROWS * CELLS; i++)
        f.batch.points[ROW_NEXT_OCCUPANT][i] =
            (float)(f.batch.mask[i] > 0 ? rng_below(&f.rng, NEXT_OCCUPANTS) : 0);
    EXPECT_TRUE(check_loss(&f, "next_occupant"));
    /* A batch without the column is refused. */
    free(f.batch.points[ROW_NEXT_OCCUPANT]);
    f.batch.points[ROW_NEXT_OCCUPANT] = NULL;
    Metrics metrics;
    Error fault = {0};
    EXPECT_STATUS(ERR_ARGUMENT, trainer_step(f.trainer, &f.batch, &metrics, &fault));
    EXPECT_CONTAINS(fault.message, "nextOccupantTargetsNHW");
    clear(&f);
}

TEST(the_loss_of_times_on_board) {
    Fixture f = make("b1c8-fixed-mish-time_on_board,pool_every=0,value_hidden=8");
    for (int i = 0; i < ROWS * CELLS; i++)
        f.batch.points[ROW_TIME_ON_BOARD][i] =
            (float)(f.batch.mask[i] > 0 ? rng_below(&f.rng, 5) : 0);
    EXPECT_TRUE(check_loss(&f, "time_on_board"));
    clear(&f);
}

TEST(the_loss_of_chains) {
    Fixture f = make("b1c8-fixed-mish-same_chain,pool_every=0,value_hidden=8");
    for (int i = 0; i < ROWS * CELLS; i++)
        f.batch.points[ROW_SAME_CHAIN][i] =
            (float)(f.batch.mask[i] > 0 ? SAME_CHAIN_NONE + rng_below(&f.rng, 4) : 0);
    EXPECT_TRUE(check_loss(&f, "same_chain"));
    clear(&f);
}

TEST(the_loss_of_a_head_of_ladders) {
    Fixture f = make("b1c8-fixed-mish-nogo-ladders,pool_every=0,value_hidden=8");
    EXPECT_TRUE(check_loss(&f, "ladders"));
    clear(&f);
}

TEST(losses_of_missing_heads_have_no_gradient) {
    static const char *const ABSENT[] = {"soft_policy",
                                         "soft_opponent_policy",
                                         "long_optimistic_policy",
                                         "optimistic_policy",
                                         "q_winloss",
                                         "q_score",
                                         "score_scale",
                                         "ladders",
                                         "value_buckets",
                                         "later_moves",
                                         "root_variance",
                                         "value_error",
                                         "next_occupant",
                                         "time_on_board",
                                         "same_chain",
                                         "score_pdf",
                                         "score_cdf",
                                         "score_mean_self",
                                         "td_long",
                                         "td_middle",
                                         "td_short",
                                         "td_score",
                                         "future",
                                         "seki",
                                         "scoring",
                                         "search_values",
                                         "td_value_error",
                                         "td_score_error",
                                         "horizon_optimistic_policy",
                                         NULL};
    EXPECT_INT(9, check_losses("b1c8-fixed-silu-nodist,pool_every=0,value_hidden=8", ABSENT));
}

TEST_MAIN(RUN(losses_of_nets_with_a_few_heads), RUN(losses_of_a_score_distribution_with_a_factor),
          RUN(the_loss_of_a_head_of_ladders), RUN(the_loss_of_the_error_of_the_value),
          RUN(the_loss_of_root_variances), RUN(the_loss_of_next_occupants),
          RUN(the_loss_of_times_on_board), RUN(the_loss_of_chains), RUN(the_loss_of_later_moves),
          RUN(losses_of_policies_by_attention), RUN(the_loss_of_a_categorical_value),
          RUN(losses_of_a_mixture_of_score_distributions),
          RUN(every_loss_of_a_net_with_all_heads_has_its_gradient),
          RUN(losses_of_missing_heads_have_no_gradient))
