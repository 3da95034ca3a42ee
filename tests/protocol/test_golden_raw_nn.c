/* kata-raw-nn against KataGo's sessions with the same net: the same text, numbers within what the
 * order of sums may change. */
#include "base/file.h"
#include "base/json.h"
#include "eval/net_file.h"
#include "gtp_talk.h"

static Status net_evaluator(void *context, const EvaluatorWish *wish, Evaluator **out, Error *err) {
    NetEvaluatorConfig config = {.batch = 1,
                                 .buffer_width = wish->width,
                                 .buffer_height = wish->height,
                                 .precision = PRECISION_F32,
                                 .symmetry = wish->symmetry,
                                 .ownership = true,
                                 .features = FEATURE_OPTIONS_DEFAULT};
    search_settings_evaluator(wish->search, &config);
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
    search_settings_play(&setup.search);
    settings_defaults(GTP_FIELDS, &setup.gtp);
    EXPECT_OK(gtp_new(&setup, "9.8", &talk.gtp, err));
    return talk;
}

static bool is_number(const char *text) {
    return (*text >= '0' && *text <= '9') || (*text == '-' && text[1] >= '0' && text[1] <= '9');
}

/* Equal but for numbers, which are as long and near. */
static void compare(const char *line, const char *want, const char *got) {
    const char *at = got;
    while (*want && *at) {
        if (is_number(want) && is_number(at)) {
            char *want_end, *at_end;
            double a = strtod(want, &want_end), b = strtod(at, &at_end);
            if (!(fabs(a - b) <= 1e-4 + 1e-4 * fabs(a)))
                fail_msg("%s: %.12g, wanted %.12g, at \"%.40s\"", line, b, a, at);
            want = want_end;
            at = at_end;
        } else if (*want++ != *at++) {
            break;
        }
    }
    if (*want || *at) fail_msg("%s: \"%.60s\", wanted \"%.60s\"", line, at, want);
}

static bool is_raw(const char *command, const char *want) {
    return strncmp(command, "kata-raw-nn", 11) == 0 && want && *want == '=';
}

static int replay(const json_t *row, Net *net) {
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
        if (!is_raw(line, want)) continue;
        compare(line, want, got);
        compared++;
    }
    talk_end(&talk);
    return compared;
}

static bool has_raw(const json_t *row) {
    size_t index;
    const json_t *exchange;
    json_array_foreach(json_object_get(row, "exchanges"), index, exchange) {
        const char *line = json_string_value(json_object_get(exchange, "cmd"));
        if (line && is_raw(line, json_string_value(json_object_get(exchange, "resp")))) return true;
    }
    return false;
}

/* NULL: the net is not here, and none was promised. */
static Net *net_of(const json_t *row) {
    bool promised;
    const char *nets = golden_nets(&promised), *model = NULL;
    Net *net = NULL;
    Path path;
    EXPECT_OK(json_member_text(row, "model", true, &model, err));
    EXPECT_OK(path_join(&path, nets, model, err));
    if (!promised && !file_exists(path.text)) return NULL;
    EXPECT_OK(net_file_load(path.text, &net, err));
    return net;
}

TEST(the_net_alone_says_what_katago_says) {
    const char *folder = golden_folder();
    if (!folder) skip();
    Path path;
    Arena arena = {0};
    char *text;
    size_t length;
    int compared = 0;
    EXPECT_OK(path_join(&path, folder, "protocol/gtp_sessions.jsonl", err));
    EXPECT_OK(file_read(path.text, 1 << 28, &arena, &text, &length, err));
    for (char *rest = NULL, *line = strtok_r(text, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest)) {
        json_t *row;
        EXPECT_OK(json_parse(line, strlen(line), &row, err));
        Net *net = has_raw(row) ? net_of(row) : NULL;
        if (net) compared += replay(row, net);
        net_free(net);
        json_decref(row);
    }
    print_message("%d answers compared\n", compared);
    arena_clear(&arena);
}

TEST_MAIN(RUN(the_net_alone_says_what_katago_says))
