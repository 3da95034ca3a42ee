/* fuzz_analysis.c - reads any lines as queries for analysis. Each answer must be one line with a
 * JSON object, and after "terminate_all" every query must end. */
#include "fuzz.h"

#include "protocol/analysis/analysis.h"
#include "search/tree/search_presets.h"

static Status make_evaluator(void *context, const EvaluatorSpec *spec, Evaluator **out,
                             Error *err) {
    (void)context, (void)spec;
    return evaluator_uniform_new(1, out, err);
}

static bool hear(void *context, const char *line, size_t length) {
    (void)context;
    json_t *answer = json_loadb(line, length, 0, NULL);
    CHECK(json_is_object(answer) && !strchr(line, '\n'));
    json_decref(answer);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    AnalysisClient client = {.write = hear};
    ModelFormat model_format = {.version = 6};
    AnalysisSetup setup = {.make_evaluator = make_evaluator,
                           .model_format = &model_format,
                           .version = "1",
                           .revision = "1",
                           .threads = 1,
                           .positions_at_once = 2,
                           .warn_unused = true};
    Analysis *analysis;
    char *text = fuzz_text(bytes, count), *rest = NULL;
    settings_defaults(ANALYSIS_FIELDS, &setup.analysis);
    search_preset_begin(SEARCH_PRESET_ANALYSIS, &setup.search);
    move_limits_set(&setup.analysis.limits, 3, 0);
    CHECK(!analysis_new(&setup, &analysis, NULL));
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        analysis_line(analysis, &client, line);
    analysis_line(analysis, &client, "{\"id\":\"end\",\"action\":\"terminate_all\"}");
    CHECK(!analysis_wait(analysis, &client, NULL));
    analysis_leave(analysis, &client);
    analysis_free(analysis);
    free(text);
    return 0;
}
