/* Compares answers to kata-raw-nn with those in KataGo's sessions with the same net. The texts must
 * be the same, and numbers may differ only by rounding. */
#include "eval/formats/net_file.h"
#include "eval/golden_nets.h"
#include "golden.h"
#include "gtp_talk.h"
#include "search/tree/search_presets.h"

static Status net_evaluator(void *context, const EvaluatorSpec *spec, Evaluator **out, Error *err) {
    NetEvaluatorSetup config = {.batch = 1,
                                .buffer_width = spec->width,
                                .buffer_height = spec->height,
                                .precision = PRECISION_F32,
                                .symmetry = spec->symmetry,
                                .ownership = true,
                                .features = FEATURE_OPTIONS_DEFAULT};
    search_settings_evaluator(spec->search, &config);
    return evaluator_net_new(context, &config, out, err);
}

static Talk talk_with(Net *net) {
    Talk talk = {0};
    SessionSetup setup = {.make_evaluator = net_evaluator,
                          .context = net,
                          .visits = 2,
                          .width = 9,
                          .height = 9,
                          .rules = rules_tromp_taylor()};
    search_preset_begin(SEARCH_PRESET_PLAY, &setup.search);
    settings_defaults(GTP_FIELDS, &setup.gtp);
    EXPECT_OK(gtp_new(&setup, "9.8", &talk.gtp, err));
    return talk;
}

static bool is_number(const char *text) {
    return (*text >= '0' && *text <= '9') || (*text == '-' && text[1] >= '0' && text[1] <= '9');
}

static int decimals(const char *number, const char *end) {
    const char *dot = memchr(number, '.', (size_t)(end - number));
    return dot ? (int)(end - dot) - 1 : 0;
}

/* Fails unless the two texts are equal, except that numbers may differ a little. Numbers must have
 * the same number of decimals. */
static void compare(const char *line, const char *want, const char *got) {
    const char *at = got;
    while (*want && *at) {
        if (is_number(want) && is_number(at)) {
            char *want_end, *at_end;
            double a = strtod(want, &want_end), b = strtod(at, &at_end);
            int places = decimals(want, want_end);
            EXPECT_INT(places, decimals(at, at_end));
            if (!(fabs(a - b) <= 1e-4 + 1e-4 * fabs(a) + 1.01 * pow(10, -places)))
                fail_msg("%s: %.12g, wanted %.12g, at \"%.40s\"", line, b, a, at);
            want = want_end;
            at = at_end;
        } else {
            if (*want != *at) break;
            want++;
            at++;
        }
    }
    if (*want || *at) fail_msg("%s: \"%.60s\", wanted \"%.60s\"", line, at, want);
}

static bool is_raw(const char *command, const char *want) {
    return strncmp(command, "kata-raw-nn", 11) == 0 && want && *want == '=';
}

/* Replays a session; `whole` compares every answer, not only those of kata-raw-nn. */
static int replay(const json_t *row, Net *net, bool whole) {
    Talk talk = talk_with(net);
    size_t index;
    const json_t *exchange;
    int compared = 0;
    json_array_foreach(json_object_get(row, "exchanges"), index, exchange) {
        const char *line = json_string_value(json_object_get(exchange, "cmd")),
                   *want = json_string_value(json_object_get(exchange, "resp"));
        if (!line || !want || *want != '=' || strstr(line, "final_") || strcmp(line, "quit") == 0)
            continue;
        const char *got = talk_ask(&talk, line);
        if (!is_raw(line, want) && !whole) continue;
        compare(line, want, got);
        compared++;
    }
    talk_end(&talk);
    return compared;
}

typedef struct {
    const char *model; /* the sessions with this net of KataGo's; NULL: those with tiny nets */
    bool whole;        /* every answer is compared */
    int compared;
} Comparison;

static void replay_row(const json_t *row, void *context) {
    Comparison *comparison = context;
    const char *model = json_string_value(json_object_get(row, "model")),
               *tiny = json_string_value(json_object_get(row, "net"));
    Net *net = NULL;
    Path path;
    if (!comparison->model) {
        const MadeNet *made = tiny ? golden_net(tiny) : NULL;
        if (!made) fail_msg("there is no tiny net %s", tiny);
        net = read_made_net(*made);
    } else if (model && strcmp(model, comparison->model) == 0) {
        EXPECT_OK(net_file_load(katago_net(model, &path), &net, err));
    }
    if (net) comparison->compared += replay(row, net, comparison->whole);
    net_free(net);
}

TEST(raw_answers_of_tiny_nets_are_katagos) {
    Comparison comparison = {0};
    golden_rows("protocol/raw_nn_sessions.jsonl", replay_row, &comparison);
    EXPECT_TRUE(comparison.compared > 0);
    print_message("%d answers compared\n", comparison.compared);
}

/* Sessions with passes, kos, moves after the end, undo, handicap and changes of komi and rules. */
TEST(sessions_past_the_end_go_as_in_katago) {
    Comparison comparison = {.whole = true};
    golden_rows("protocol/end_sessions.jsonl", replay_row, &comparison);
    EXPECT_TRUE(comparison.compared > 0);
    print_message("%d answers compared\n", comparison.compared);
}

TEST(raw_answers_of_katagos_net_are_katagos) {
    Comparison comparison = {.model = "g170-b6c96-s175395328-d26788732.bin.gz"};
    Path path;
    if (!katago_net(comparison.model, &path)) NO_KATAGO_NET(comparison.model);
    golden_rows("protocol/gtp_sessions.jsonl", replay_row, &comparison);
    EXPECT_TRUE(comparison.compared > 0);
    print_message("%d answers compared\n", comparison.compared);
}

TEST_MAIN(RUN(raw_answers_of_tiny_nets_are_katagos), RUN(sessions_past_the_end_go_as_in_katago),
          RUN(raw_answers_of_katagos_net_are_katagos))
