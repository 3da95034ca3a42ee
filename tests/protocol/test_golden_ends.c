/* Compares the analysis engine with KataGo, both with tiny nets, in games with handicap and at the
 * ends of games. There are games that go on after two passes, games in both phases of the encore,
 * with passes for ko, and positions after the end. */
#include "analysis_talk.h"
#include "eval/golden_nets.h"
#include "golden.h"

static Status net_evaluator(void *context, const EvaluatorSpec *spec, Evaluator **out, Error *err) {
    NetEvaluatorSetup config = {.batch = 1,
                                .buffer_width = spec->width,
                                .buffer_height = spec->height,
                                .precision = PRECISION_F32,
                                .symmetry = 0,
                                .ownership = true,
                                .features = FEATURE_OPTIONS_DEFAULT};
    search_settings_evaluator(spec->search, &config);
    return evaluator_net_new(context, &config, out, err);
}

static void begin_with(Talk *talk, const MadeNet *made, Net **net, ModelFormat *model_format) {
    talk_begin(talk, 1, 1);
    analysis_leave(talk->analysis, &talk->client);
    analysis_free(talk->analysis);
    *net = read_made_net(*made);
    EXPECT_OK(model_format_of(*net, model_format, err));
    AnalysisSetup setup = talk_setup(&talk->net);
    setup.make_evaluator = net_evaluator;
    setup.context = *net;
    setup.model_format = model_format;
    setup.analysis.view = VIEW_WHITE;
    setup.analysis.prevent_encore = false;
    EXPECT_OK(analysis_new(&setup, &talk->analysis, err));
}

static void compare_number(const char *label, double want, double got) {
    double places = label[0] == 'r' ? 2e-3 : 2e-4;
    if (!(fabs(want - got) <= places + 2e-4 * fabs(want)))
        fail_msg("%s: %.9g, wanted %.9g", label, got, want);
}

static void compare_lists(const char *label, const json_t *want, const json_t *got) {
    char text[480];
    EXPECT_INT(json_array_size(want), json_array_size(got));
    for (size_t i = 0; i < json_array_size(want); i++) {
        snprintf(text, sizeof text, "%s, point %d", label, (int)i);
        compare_number(text, json_number_value(json_array_get(want, i)),
                       json_number_value(json_array_get(got, i)));
    }
}

static void compare_answers(const char *query, const json_t *want, const json_t *got) {
    const json_t *root = json_object_get(want, "rootInfo"), *value;
    const char *key;
    char label[400];
    json_object_foreach((json_t *)(uintptr_t)root, key, value) {
        const json_t *other = json_object_get(root_of(got), key);
        snprintf(label, sizeof label, "root %s at turn %lld of %.250s", key,
                 whole_of(want, "turnNumber"), query);
        if (json_is_string(value))
            EXPECT_TEXT(json_string_value(value), text_of(root_of(got), key));
        else
            compare_number(label, json_number_value(value), json_number_value(other));
    }
    static const char *const LISTS[] = {"policy", "ownership"};
    for (size_t i = 0; i < sizeof LISTS / sizeof *LISTS; i++) {
        snprintf(label, sizeof label, "%s at turn %lld", LISTS[i], whole_of(want, "turnNumber"));
        compare_lists(label, json_object_get(want, LISTS[i]), json_object_get(got, LISTS[i]));
    }
}

static const json_t *answer_at(const json_t *answers, long long turn) {
    size_t index;
    const json_t *answer;
    json_array_foreach(answers, index, answer) {
        if (json_object_get(answer, "rootInfo") && whole_of(answer, "turnNumber") == turn)
            return answer;
    }
    fail_msg("no answer for turn %lld", turn);
    return NULL;
}

static void check_query(const json_t *row, void *compared) {
    Talk talk;
    Net *net;
    ModelFormat model_format;
    size_t index;
    const json_t *want;
    const MadeNet *made = golden_net(text_of(row, "net"));
    if (!made) fail_msg("there is no tiny net %s", text_of(row, "net"));
    begin_with(&talk, made, &net, &model_format);
    char *query = json_dumps(json_object_get(row, "query"), JSON_COMPACT);
    const json_t *answers = talk_ask(&talk, query);
    json_array_foreach(json_object_get(row, "answers"), index, want) {
        compare_answers(query, want, answer_at(answers, whole_of(want, "turnNumber")));
        ++*(int *)compared;
    }
    free(query);
    talk_end(&talk);
    net_free(net);
}

TEST(games_that_end_and_go_on_have_katagos_numbers) {
    int compared = 0;
    golden_rows("protocol/end_queries.jsonl", check_query, &compared);
    EXPECT_TRUE(compared > 0);
    print_message("%d positions compared\n", compared);
}

TEST_MAIN(RUN(games_that_end_and_go_on_have_katagos_numbers))
