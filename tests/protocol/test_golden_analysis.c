/* Compares answers of the JSON protocol with recorded answers of KataGo:
 *   - errors and warnings, word for word except for words of KataGo's JSON library and settings
 *   - the fields of answers
 *   - the numbers of the net, if KataGo's net is there. */
#include "analysis_talk.h"
#include "eval/formats/net_file.h"
#include "golden.h"

typedef struct {
    const Net *net; /* NULL: a made-up evaluator */
    MadeUp *made_up;
} Maker;

static Status make(void *context, const EvaluatorSpec *spec, Evaluator **out, Error *err) {
    const Maker *maker = context;
    if (!maker->net) return made_up_new(maker->made_up, spec, out, err);
    NetEvaluatorSetup config = {.batch = 1,
                                .buffer_width = spec->width,
                                .buffer_height = spec->height,
                                .precision = PRECISION_F32,
                                .ownership = true,
                                .features = FEATURE_OPTIONS_DEFAULT};
    search_settings_evaluator(spec->search, &config);
    return evaluator_net_new(maker->net, &config, out, err);
}

static Talk talk;
static Maker maker;
static ModelFormat model_format;

/* Begins with the settings of KataGo's sessions: by default one visit, and White's values. `net`
 * NULL: a made-up evaluator. */
static void begin_with(Net *net) {
    talk_begin(&talk, 1, 1);
    analysis_leave(talk.analysis, &talk.client);
    analysis_free(talk.analysis);
    AnalysisSetup setup = talk_setup(&talk.net);
    maker = (Maker){net, &talk.net};
    model_format = (ModelFormat){.version = 8};
    setup.make_evaluator = make;
    setup.context = &maker;
    setup.model_format = &model_format;
    setup.analysis.view = VIEW_WHITE;
    setup.search.ignore_history = false;
    EXPECT_OK(analysis_new(&setup, &talk.analysis, err));
}

/* Returns whether the error `got` is the same as KataGo's, `want`, word for word. There are two
 * exceptions: any words may follow "Could not set settings: ", and any error may stand in place of
 * an error of KataGo's JSON library. */
static bool is_same_error(const char *want, const char *got) {
    static const char *const STARTS[] = {"Could not set settings: ", "[json.exception"};
    for (size_t i = 0; i < sizeof STARTS / sizeof *STARTS; i++) {
        size_t length = strlen(STARTS[i]);
        if (strncmp(want, STARTS[i], length) != 0) continue;
        return i || strncmp(got, STARTS[i], length) == 0;
    }
    return strcmp(want, got) == 0;
}

/* Whether this member names the program or its nets, so that it differs from KataGo's. */
static bool is_ours(const char *key) {
    static const char *const KEYS[] = {"version", "git_hash", "models"};
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++) {
        if (strcmp(key, KEYS[i]) == 0) return true;
    }
    return false;
}

static void compare(const char *query, const json_t *want, const json_t *got) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)want, key, value) {
        const json_t *other = json_object_get(got, key);
        if (!other) fail_msg("%s: no %s", query, key);
        if (json_is_object(value)) {
            compare(query, value, other);
        } else if (json_is_real(value)) {
            double tolerance = strcmp(key, "rawLead") == 0 ? 2e-3 : 1e-4;
            if (maker.net) EXPECT_NEAR(json_real_value(value), json_number_value(other), tolerance);
        } else if (strcmp(key, "error") == 0) {
            if (!is_same_error(json_string_value(value), json_string_value(other)))
                fail_msg("%s: \"%s\", wanted \"%s\"", query, json_string_value(other),
                         json_string_value(value));
        } else if (!is_ours(key) && !json_equal(value, other)) {
            fail_msg("%s: another value of %s", query, key);
        }
    }
}

static void check_row(const json_t *row) {
    const char *query = json_string_value(json_object_get(row, "query"));
    const json_t *wanted = json_object_get(row, "responses"), *answers = talk_ask(&talk, query);
    size_t index, lost = 0;
    const json_t *answer;
    json_array_foreach(answers, index, answer) {
        bool nameless = !json_object_get(answer, "id"); /* answers without id come first */
        lost += nameless;
        if (!nameless) compare(query, json_array_get(wanted, index - lost), answer);
    }
    if (json_array_size(answers) - lost != json_array_size(wanted))
        fail_msg("%s: %d answers, wanted %d", query, (int)json_array_size(answers),
                 (int)json_array_size(wanted));
}

/* If the answer to the query of `row` has no id, compares it with wanted[*at] and advances `*at`.
 * KataGo's answers without an id are in a list of their own, in the order of the queries. */
static void check_nameless(const json_t *row, const json_t *wanted, size_t *at) {
    const char *query = json_string_value(json_object_get(row, "query"));
    const json_t *answers = talk_ask(&talk, query), *answer = json_array_get(answers, 0);
    if (json_object_get(answer, "id")) return;
    json_t *want = json_loads(json_string_value(json_array_get(wanted, (*at)++)), 0, NULL);
    if (!want) fail_msg("%s: an error too many", query);
    compare(query, want, answer);
    json_decref(want);
}

static void keep_row(const json_t *row, void *rows) {
    json_array_append_new(rows, json_deep_copy(row));
}

/* Compares the answers to all queries of the file. If `net` is NULL, numbers of nets are not
 * compared. */
static void compare_errors(Net *net) {
    json_t *rows = json_array(), *row;
    size_t index, nameless = 0, compared = 0;
    const json_t *lines = NULL;
    golden_rows("protocol/analysis_errors.jsonl", keep_row, rows);
    begin_with(net);
    json_array_foreach(rows, index, row) {
        if (json_object_get(row, "lines")) lines = json_object_get(row, "lines");
        if (!json_object_get(row, "query")) continue;
        check_row(row);
        if (lines) check_nameless(row, lines, &nameless);
        compared++;
    }
    print_message("%d queries compared\n", (int)compared);
    EXPECT_TRUE(compared > 0);
    talk_end(&talk);
    json_decref(rows);
}

TEST(errors_and_warnings_are_katagos) {
    compare_errors(NULL);
}

/* Checks that both answers have the same members, with the same types and sizes. Of moves only the
 * first one is compared, because searches may visit any of several equal moves. */
static void compare_members(const char *id, const json_t *want, const json_t *got) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)want, key, value) {
        const json_t *other = json_object_get(got, key);
        if (strcmp(key, "isSymmetryOf") == 0) continue;
        if (!other) fail_msg("%s: no %s", id, key);
        if (json_typeof(other) != json_typeof(value) &&
            !(json_is_boolean(other) && json_is_boolean(value)))
            fail_msg("%s: %s is of another type", id, key);
        if (json_is_object(value)) compare_members(id, value, other);
        if (strcmp(key, "moveInfos") == 0 && json_array_size(value) && json_array_size(other))
            compare_members(id, json_array_get(value, 0), json_array_get(other, 0));
        bool sized = strcmp(key, "ownership") == 0 || strcmp(key, "ownershipStdev") == 0 ||
                     strcmp(key, "policy") == 0;
        if (sized) EXPECT_INT(json_array_size(value), json_array_size(other));
    }
    json_object_foreach((json_t *)(uintptr_t)got, key, value) {
        if (!json_object_get(want, key)) fail_msg("%s: KataGo has no %s", id, key);
    }
}

/* Returns the answer with the same id and turn as `want`, or NULL. */
static const json_t *answer_like(const json_t *want) {
    size_t index;
    const json_t *answer;
    json_array_foreach(talk.answers, index, answer) {
        if (json_equal(json_object_get(want, "id"), json_object_get(answer, "id")) &&
            json_equal(json_object_get(want, "turnNumber"), json_object_get(answer, "turnNumber")))
            return answer;
    }
    return NULL;
}

static int check_sample(const json_t *row) {
    size_t index;
    const json_t *query, *line;
    int compared = 0;
    json_array_foreach(json_object_get(row, "queries"), index, query) {
        char *text = json_dumps(query, JSON_COMPACT);
        talk_say(&talk, text);
        free(text);
    }
    talk_wait(&talk);
    json_array_foreach(json_object_get(row, "stdout"), index, line) {
        json_t *want = json_loads(json_string_value(line), 0, NULL);
        const json_t *got = answer_like(want);
        bool final = json_is_false(json_object_get(want, "isDuringSearch"));
        if (final && !json_object_get(want, "noResults")) {
            if (!got) fail_msg("no answer to %s", text_of(want, "id"));
            compare_members(text_of(want, "id"), want, got);
            compared++;
        }
        json_decref(want);
    }
    talk_forget(&talk);
    return compared;
}

/* Compares the answers to the queries of one row. A row is skipped if its first answer is that of a
 * terminated query or a report during the search. */
static void compare_sample(const json_t *row, void *compared) {
    const json_t *first = json_array_get(json_object_get(row, "stdout"), 0);
    bool terminated = strstr(json_string_value(first), "noResults") != NULL,
         reports = strstr(json_string_value(first), "\"isDuringSearch\":true") != NULL;
    if (!terminated && !reports) *(int *)compared += check_sample(row);
}

static void compare_fields(Net *net) {
    int compared = 0;
    begin_with(net);
    golden_rows("protocol/analysis_format_samples.jsonl", compare_sample, &compared);
    print_message("%d answers compared\n", compared);
    EXPECT_TRUE(compared > 0);
    talk_end(&talk);
}

TEST(answers_have_katagos_fields) {
    compare_fields(NULL);
}

TEST(numbers_of_katagos_net_are_katagos) {
    const char *file = "g170-b6c96-s175395328-d26788732.bin.gz";
    Path path;
    Net *net;
    if (!katago_net(file, &path)) NO_KATAGO_NET(file);
    EXPECT_OK(net_file_load(path.text, &net, err));
    compare_errors(net);
    compare_fields(net);
    net_free(net);
}

TEST_MAIN(RUN(errors_and_warnings_are_katagos), RUN(answers_have_katagos_fields),
          RUN(numbers_of_katagos_net_are_katagos))
