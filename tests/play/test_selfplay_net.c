/* The int8 net of self-play is a copy, which is measured on positions of the run's sizes and rules.
 * The same seed gives the same int8 net. */
#include "eval/arch/arch.h"
#include "eval/precision/precision_report.h"
#include "nn/infer/infer_quantisation.h"
#include "play/selfplay/selfplay_net.h"
#include "search/tree/search_presets.h"
#include "test.h"

static Net *net_of(const char *arch) {
    Rng rng = rng_seeded(3);
    Net *net;
    EXPECT_OK(arch_build_text(arch, &rng, &net, err));
    for (int p = 0; p < program_parameter_count(net_program(net)); p++) {
        const ParameterSpec *spec = program_parameter(net_program(net), p);
        for (size_t i = 0; i < spec->count && spec->trained; i++)
            net_values(net, p)[i] += 0.05f * (float)rng_normal(&rng);
    }
    return net;
}

static SelfplaySettings settings_with(const char *sizes) {
    SelfplaySettings settings;
    settings_defaults(SELFPLAY_FIELDS, &settings);
    snprintf(settings.sizes, sizeof settings.sizes, "%s", sizes);
    return settings;
}

TEST(a_copy_is_measured_and_the_net_stays) {
    static const char *const SIZES[] = {"7:1", "5:1, 6x4:1, 9:2"};
    Net *net = net_of("b2c16-fixup-nodist");
    NetHash before = net_hash(net);
    for (int i = 0; i < 2; i++) {
        SelfplaySettings settings = settings_with(SIZES[i]);
        Comparison report;
        Net *eight, *again, *other;
        SelfplayNetSetup setup = {.precision = PRECISION_INT8, .settings = &settings, .seed = 7};
        EXPECT_OK(selfplay_net_new(net, &setup, &report, &eight, err));
        EXPECT_INT(64, report.positions);
        EXPECT_TRUE(report.winrate.worst > 0 && differences_mean(&report.winrate) < 0.015);
        EXPECT_INT(precision_passes(PRECISION_INT8, &report), quantisation_report(eight, "int8"));
        EXPECT_TRUE(selfplay_net_is_int8(eight, PRECISION_INT8, &(Comparison){0}));
        EXPECT_FALSE(selfplay_net_is_int8(eight, PRECISION_AUTO, &(Comparison){0}));
        EXPECT_TRUE(selfplay_net_is_int8(eight, PRECISION_AUTO, &report));
        EXPECT_FALSE(selfplay_net_is_int8(NULL, PRECISION_INT8, &report));
        EXPECT_TRUE(net_note(eight, QUANTISATION_NOTE) != NULL);
        EXPECT_TRUE(net_note(net, QUANTISATION_NOTE) == NULL);
        EXPECT_TEXT(before.text, net_hash(net).text);
        EXPECT_TEXT(before.text, net_hash(eight).text);
        setup.threads = 3;
        EXPECT_OK(selfplay_net_new(net, &setup, &report, &again, err));
        setup.seed = 8;
        EXPECT_OK(selfplay_net_new(net, &setup, &report, &other, err));
        EXPECT_TEXT(net_note(eight, QUANTISATION_NOTE), net_note(again, QUANTISATION_NOTE));
        EXPECT_TEXT(net_note(eight, QUANTISATION_REPORT_NOTE),
                    net_note(again, QUANTISATION_REPORT_NOTE));
        EXPECT_TRUE(
            strcmp(net_note(eight, QUANTISATION_NOTE), net_note(other, QUANTISATION_NOTE)) != 0);
        net_free(eight);
        net_free(again);
        net_free(other);
    }
    net_free(net);
}

TEST(other_precisions_leave_the_net) {
    Net *net = net_of("b2c16-fixup-nodist"), *out = net;
    SelfplaySettings settings = settings_with("7:1");
    Comparison report;
    SelfplayNetSetup setup = {.precision = PRECISION_BF16, .settings = &settings, .seed = 1};
    EXPECT_OK(selfplay_net_new(net, &setup, &report, &out, err));
    EXPECT_TRUE(out == NULL);
    setup.precision = PRECISION_AUTO;
    EXPECT_OK(selfplay_net_new(net, &setup, &report, &out, err));
    EXPECT_INT(backend_isa() >= ISA_AVX512_VNNI, out != NULL);
    net_free(out);
    net_free(net);
}

/* Each worker has an evaluator of its own, but the evaluators share a cache. A worker finds in the
 * cache what the other worker has evaluated. */
TEST(workers_share_the_cache) {
    Net *net = net_of("b1c8-fixup-nodist");
    SearchSettings search;
    search_preset_begin(SEARCH_PRESET_SELFPLAY, &search);
    SelfplayEvaluatorSetup setup = {.net = net,
                                    .precision = PRECISION_F32,
                                    .batch = 3,
                                    .board_size = 6,
                                    .seed = 4,
                                    .search = &search};
    Evaluator *workers[2];
    Evaluation found[2];
    Position position = {0};
    Rules rules = rules_tromp_taylor();
    EXPECT_OK(evaluation_cache_new(1 << 20, &setup.cache, err));
    EXPECT_OK(position_init(&position, 5, 6, &rules, err));
    for (int i = 0; i < 2; i++) {
        setup.seed += (uint64_t)i;
        EXPECT_OK(selfplay_evaluator_new(&setup, &workers[i], err));
        EXPECT_INT(3, workers[i]->batch);
    }
    net_free(net);
    for (int i = 0; i < 2; i++) {
        const EvaluationRequest request = {.position = &position};
        EXPECT_OK(evaluator_evaluate(workers[i], &request, 1, &found[i], err));
        EXPECT_INT(i, evaluation_cache_hits(setup.cache));
        evaluator_free(workers[i]);
    }
    EXPECT_NEAR(found[0].win, found[1].win, 0);
    position_clear(&position);
    evaluation_cache_free(setup.cache);
}

/* An evaluation has ownership if the search uses it, also if it comes from the cache. */
TEST(ownership_is_there_if_the_search_uses_it) {
    Net *net = net_of("b1c8-fixup-nodist");
    Position position = {0};
    Rules rules = rules_tromp_taylor();
    const EvaluationRequest request = {.position = &position};
    EXPECT_OK(position_init(&position, 5, 5, &rules, err));
    for (int wanted = 0; wanted < 2; wanted++) {
        SearchSettings search;
        search_preset_begin(SEARCH_PRESET_SELFPLAY, &search);
        search.ending_bonus = wanted;
        SelfplayEvaluatorSetup setup = {.net = net, .batch = 1, .board_size = 5, .search = &search};
        Evaluator *worker;
        EXPECT_OK(evaluation_cache_new(1 << 20, &setup.cache, err));
        EXPECT_OK(selfplay_evaluator_new(&setup, &worker, err));
        for (int again = 0; again < 2; again++) {
            Evaluation found;
            float max = 0;
            EXPECT_OK(evaluator_evaluate(worker, &request, 1, &found, err));
            EXPECT_INT(wanted, found.has_ownership);
            for (int i = 0; i < 25 && wanted; i++)
                max = fmaxf(max, fabsf(found.ownership[i]));
            if (wanted) EXPECT_TRUE(max > 0);
        }
        evaluator_free(worker);
        evaluation_cache_free(setup.cache);
    }
    position_clear(&position);
    net_free(net);
}

TEST_MAIN(RUN(ownership_is_there_if_the_search_uses_it), RUN(a_copy_is_measured_and_the_net_stays),
          RUN(other_precisions_leave_the_net), RUN(workers_share_the_cache))
