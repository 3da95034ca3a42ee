/* Each error and warning of the JSON protocol, in KataGo's words (KataGo, docs/Analysis_Engine.md,
 * cpp/command/analysis.cpp). */
#include "analysis_talk.h"

typedef struct {
    const char *members; /* changes to the query, see query_of() */
    const char *field;   /* the field that the error names */
    const char *text;    /* the error; only its beginning if it ends in a blank */
} Case;

/* Returns a query to which these members are added, or in which they replace members of the same
 * name. A member that is null is removed from the query. */
static const char *query_of(const char *members) {
    static char line[1 << 14];
    json_t *query = json_loads("{\"id\":\"q\",\"boardXSize\":5,\"boardYSize\":5,\"rules\":"
                               "\"chinese\",\"moves\":[]}",
                               0, NULL);
    char text[1 << 13];
    snprintf(text, sizeof text, "{%s}", members);
    json_t *more = json_loads(text, 0, NULL);
    if (!more) fail_msg("%s is no JSON", text);
    json_object_update(query, more);
    const char *name;
    json_t *value;
    void *next;
    json_object_foreach_safe(query, next, name, value) {
        if (json_is_null(value)) json_object_del(query, name);
    }
    char *dumped = json_dumps(query, JSON_COMPACT);
    snprintf(line, sizeof line, "%s", dumped);
    free(dumped);
    json_decref(query);
    json_decref(more);
    return line;
}

#define SIZE_WANTED "Must provide an integer from 2 to 19"
#define PAIRS_WANTED "Must be an array of pairs of the form: [\"b\" or \"w\", GTP board vertex]"
#define RULES_WANTED                                                                               \
    "Must specify rules string, such as \"chinese\" or \"tromp-taylor\", or a JSON object with "   \
    "detailed rules parameters."
#define KOMI_WANTED "Must be a integer or half-integer from -400.0 to 400.0"
#define TURNS_WANTED "Must specify an array of integers indicating turns to analyze"
#define PRIORITIES_WANTED "Must specify an array of integers indicating priorities"
#define DICTS_WANTED "Must be a list of dicts with subfields 'player', 'moves', 'untilDepth'"
#define SECONDS_WANTED "Must be number of seconds from 0.001 to 1000000.0"

static const Case CASES[] = {
    {"\"boardXSize\":null", "boardXSize", SIZE_WANTED},
    {"\"boardXSize\":1", "boardXSize", SIZE_WANTED},
    {"\"boardXSize\":20", "boardXSize", SIZE_WANTED},
    {"\"boardXSize\":5.5", "boardXSize", SIZE_WANTED},
    {"\"boardXSize\":\"5\"", "boardXSize", SIZE_WANTED},
    {"\"boardYSize\":null", "boardYSize", SIZE_WANTED},
    {"\"boardYSize\":99999999999", "boardYSize", SIZE_WANTED},
    {"\"moves\":null", "moves", "Must specify an array of [player,location] pairs"},
    {"\"moves\":5", "moves", PAIRS_WANTED},
    {"\"moves\":[\"C3\"]", "moves", PAIRS_WANTED},
    {"\"moves\":[[\"B\"]]", "moves", PAIRS_WANTED},
    {"\"moves\":[[\"B\",\"C3\",1]]", "moves", PAIRS_WANTED},
    {"\"moves\":[[\"B\",3]]", "moves", PAIRS_WANTED},
    {"\"moves\":[[\"X\",\"C3\"]]", "moves", "Could not parse player: X"},
    {"\"moves\":[[\"B\",\"Z9\"]]", "moves", "Could not parse board location: Z9"},
    {"\"moves\":[[\"B\",\"F1\"]]", "moves", "Could not parse board location: F1"},
    {"\"moves\":[[\"B\",\"(5,0)\"]]", "moves", "Could not parse board location: (5,0)"},
    {"\"moves\":[[\"B\",\"C3\"],[\"W\",\"C3\"]]", "moves", "Illegal move 1: C3"},
    {"\"initialStones\":[[\"B\",\"pass\"]]", "initialStones",
     "Could not parse board location: pass"},
    {"\"initialStones\":{}", "initialStones", PAIRS_WANTED},
    {"\"initialPlayer\":\"X\"", "initialPlayer", "Must be \"b\" or \"w\""},
    {"\"initialPlayer\":1", "initialPlayer", "Must be \"b\" or \"w\""},
    {"\"analyzeTurns\":\"x\"", "analyzeTurns", TURNS_WANTED},
    {"\"analyzeTurns\":[0.5]", "analyzeTurns", TURNS_WANTED},
    {"\"analyzeTurns\":[1]", "analyzeTurns", "Invalid turn number: 1"},
    {"\"analyzeTurns\":[-1]", "analyzeTurns", "Invalid turn number: -1"},
    {"\"priorities\":[1]", "priorities", "Can only specify when also specifying analyzeTurns"},
    {"\"analyzeTurns\":[0],\"priorities\":5", "priorities", PRIORITIES_WANTED},
    {"\"analyzeTurns\":[0],\"priorities\":[\"1\"]", "priorities", PRIORITIES_WANTED},
    {"\"analyzeTurns\":[0],\"priorities\":[1,2]", "priorities",
     "Must be of matching length to analyzeTurns"},
    {"\"analyzeTurns\":[0],\"priorities\":[1],\"priority\":2", "priority",
     "Cannot specify both priority and priorities"},
    {"\"priority\":1.5", "priority", "Must be a number between -2^62 and 2^62"},
    {"\"rules\":null", "rules", RULES_WANTED},
    {"\"rules\":5", "rules", RULES_WANTED},
    {"\"rules\":\"foo\"", "rules", "Could not parse rules: foo"},
    {"\"rules\":{\"tax\":\"ALL\",\"ko\":\"FOO\"}", "rules",
     "Could not parse rules: {\"ko\":\"FOO\",\"tax\":\"ALL\"}"},
    {"\"komi\":6.25", "komi", KOMI_WANTED},
    {"\"komi\":400.5", "komi", KOMI_WANTED},
    {"\"komi\":\"7\"", "komi", KOMI_WANTED},
    {"\"whiteHandicapBonus\":1", "whiteHandicapBonus", "Must be a string"},
    {"\"whiteHandicapBonus\":\"2\"", "whiteHandicapBonus",
     "Rules::parseWhiteHandicapBonusRule: Invalid whiteHandicapBonus rule: 2"},
    {"\"overrideSettings\":5", "overrideSettings", "Must be an object"},
    {"\"overrideSettings\":{\"maxVisits\":0}", "overrideSettings", "Could not set settings: "},
    {"\"overrideSettings\":{\"cpuctExploration\":\"abc\"}", "overrideSettings",
     "Could not set settings: search.c_puct: \"abc\" is not a number"},
    {"\"overrideSettings\":{\"cpuctExploration\":-1}", "overrideSettings",
     "Could not set settings: search.c_puct: -1 is not within 0 to 100"},
    {"\"overrideSettings\":{\"cpuctExploration\":[1]}", "overrideSettings",
     "Could not set settings: cpuctExploration must be a number, a string, true or false"},
    {"\"overrideSettings\":{\"reportAnalysisWinratesAs\":\"RED\"}", "overrideSettings",
     "Could not set settings: "},
    {"\"maxVisits\":0", "maxVisits", "Must be an integer from 1 to 2^50"},
    {"\"maxVisits\":1125899906842625", "maxVisits", "Must be an integer from 1 to 2^50"},
    {"\"maxVisits\":\"5\"", "maxVisits", "Must be an integer from 1 to 2^50"},
    {"\"analysisPVLen\":0", "analysisPVLen", "Must be an integer from 1 to 1000"},
    {"\"analysisPVLen\":1001", "analysisPVLen", "Must be an integer from 1 to 1000"},
    {"\"rootFpuReductionMax\":2.5", "rootFpuReductionMax", "Must be a number from 0.0 to 2.0"},
    {"\"rootPolicyTemperature\":0", "rootPolicyTemperature", "Must be a number from 0.01 to 100.0"},
    {"\"includeMovesOwnership\":1", "includeMovesOwnership", "Must be a boolean"},
    {"\"includeMovesOwnershipStdev\":\"true\"", "includeMovesOwnershipStdev", "Must be a boolean"},
    {"\"includeOwnership\":[]", "includeOwnership", "Must be a boolean"},
    {"\"includeOwnershipStdev\":0", "includeOwnershipStdev", "Must be a boolean"},
    {"\"includePolicy\":1", "includePolicy", "Must be a boolean"},
    {"\"includePVVisits\":1", "includePVVisits", "Must be a boolean"},
    {"\"includeNoResultValue\":1", "includeNoResultValue", "Must be a boolean"},
    {"\"reportDuringSearchEvery\":0", "reportDuringSearchEvery", SECONDS_WANTED},
    {"\"reportDuringSearchEvery\":\"1\"", "reportDuringSearchEvery", SECONDS_WANTED},
    {"\"firstReportDuringSearchAfter\":1e7", "firstReportDuringSearchAfter", SECONDS_WANTED},
    {"\"avoidMoves\":[],\"allowMoves\":[]", "allowMoves",
     "Cannot specify both allowMoves and avoidMoves"},
    {"\"avoidMoves\":5", "avoidMoves", DICTS_WANTED},
    {"\"avoidMoves\":[5]", "avoidMoves", DICTS_WANTED},
    {"\"avoidMoves\":[{\"player\":\"B\"}]", "avoidMoves", DICTS_WANTED},
    {"\"avoidMoves\":[{\"player\":\"X\",\"moves\":[],\"untilDepth\":1}]", "player",
     "Must be \"b\" or \"w\""},
    {"\"avoidMoves\":[{\"player\":\"B\",\"moves\":[\"Q9\"],\"untilDepth\":1}]", "moves",
     "Could not parse board location: Q9"},
    {"\"avoidMoves\":[{\"player\":\"B\",\"moves\":7,\"untilDepth\":1}]", "moves",
     "Must be an array of GTP board vertices"},
    {"\"avoidMoves\":[{\"player\":\"B\",\"moves\":[7],\"untilDepth\":1}]", "moves",
     "Must be an array of GTP board vertices"},
    {"\"avoidMoves\":[{\"player\":\"B\",\"moves\":[\"C3\"],\"untilDepth\":0}]", "untilDepth",
     "Must be a positive integer"},
    {"\"allowMoves\":[{\"player\":\"B\",\"moves\":[\"C3\"],\"untilDepth\":1},{\"player\":\"b\","
     "\"moves\":[\"C4\"],\"untilDepth\":1}]",
     "allowMoves", "Cannot specify allowMoves more than once for the same player"},
};

TEST(each_field_is_refused_in_katagos_words) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const Case *c = &CASES[i];
        const json_t *answer = talk_answer(&talk, query_of(c->members));
        if (!json_object_get(answer, "error")) fail_msg("%s: no error", c->members);
        if (json_object_size(answer) != 3) fail_msg("%s: more than an error", c->members);
        if (strcmp(text_of(answer, "field"), c->field) != 0)
            fail_msg("%s: field %s, wanted %s", c->members, text_of(answer, "field"), c->field);
        const char *got = text_of(answer, "error");
        bool whole = c->text[strlen(c->text) - 1] != ' ';
        if (whole ? strcmp(got, c->text) != 0 : strncmp(got, c->text, strlen(c->text)) != 0)
            fail_msg("%s: \"%s\", wanted \"%s\"", c->members, got, c->text);
        EXPECT_TEXT("q", text_of(answer, "id"));
    }
    talk_end(&talk);
}

/* Only one error is reported, that of the field which the engine checks first. */
TEST(a_query_has_one_error) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    const json_t *answer =
        talk_answer(&talk, query_of("\"komi\":500,\"rules\":\"foo\",\"maxVisits\":0"));
    EXPECT_TEXT("rules", text_of(answer, "field"));
    answer = talk_answer(&talk, query_of("\"komi\":500,\"maxVisits\":0"));
    EXPECT_TEXT("komi", text_of(answer, "field"));
    talk_end(&talk);
}

TEST(lines_that_are_no_query) {
    static const char *const LINES[][2] = {
        {"[1,2]", "Request line was valid json but was not an object, ignoring: [1,2]"},
        {"5", "Request line was valid json but was not an object, ignoring: 5"},
        {"{\"moves\":[]}", "Request must have a string \"id\" field"},
        {"{\"id\":5}", "Request must have a string \"id\" field"},
        {"{\"id\":\"a\",\"action\":\"foo\"}",
         "'action' field must be 'query_version' or 'query_models' or 'clear_cache' or 'terminate' "
         "or 'terminate_all'"},
    };
    Talk talk;
    talk_begin(&talk, 1, 1);
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
        const json_t *answer = talk_answer(&talk, LINES[i][0]);
        EXPECT_INT(1, json_object_size(answer));
        EXPECT_TEXT(LINES[i][1], text_of(answer, "error"));
    }
    const char *error = text_of(talk_answer(&talk, "{bad json"), "error");
    EXPECT_CONTAINS(error, " - could not parse input line as json request: {bad json");
    error = text_of(talk_answer(&talk, "{\"a\":\xff\"}"), "error");
    EXPECT_CONTAINS(error, "could not parse input line as json request");
    EXPECT_INT(0, json_array_size(talk_ask(&talk, "")));
    EXPECT_INT(0, json_array_size(talk_ask(&talk, " \t\r")));
    talk_end(&talk);
}

/* Sends a line of two million bytes that begins with `begin`, and returns the answer. */
static const json_t *answer_to_long_line(Talk *talk, const char *begin) {
    enum { LONG = 2000000 };
    char *line = malloc(LONG + 1);
    EXPECT_TRUE(line != NULL);
    memset(line, '1', LONG);
    memcpy(line, begin, strlen(begin));
    line[LONG] = 0;
    const json_t *answer = talk_answer(talk, line);
    free(line);
    EXPECT_TEXT("the line is longer than 1048576 bytes and was not read", text_of(answer, "error"));
    return answer;
}

TEST(the_error_for_a_line_that_is_too_long_has_its_id) {
    static const struct {
        const char *begin, *id;
    } LINES[] = {{"{\"id\":\"q7\",\"moves\":[\"", "q7"},
                 {" { \"moves\" : [[\"id\",\"x\"],{\"id\":\"inner\"}], \"id\" : \"a\\\"\\u00e9\",",
                  "a\"\u00e9"},
                 {"{\"initialStones\":\"id\",\"komi\":\"", NULL},
                 {"{\"id\":7,\"x\":\"", NULL},
                 {"{\"id\":\"cut", NULL},
                 {"{\"i\\", NULL},
                 {"\"id\":\"no object\",", NULL}};
    Talk talk;
    talk_begin(&talk, 1, 1);
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
        const json_t *answer = answer_to_long_line(&talk, LINES[i].begin);
        const char *id = json_string_value(json_object_get(answer, "id"));
        if (!LINES[i].id) EXPECT_TRUE(id == NULL);
        if (LINES[i].id) EXPECT_TEXT(LINES[i].id, id);
    }
    talk_end(&talk);
}

TEST(actions_want_their_fields) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    const json_t *answer = talk_answer(&talk, "{\"id\":\"t\",\"action\":\"terminate\"}");
    EXPECT_TEXT("terminateId", text_of(answer, "field"));
    EXPECT_TEXT("t", text_of(answer, "id"));
    EXPECT_TEXT("Requests for a terminate action must have a string \"terminateId\" field",
                text_of(answer, "error"));
    static const char *const LINES[] = {
        "{\"id\":\"t\",\"action\":\"terminate\",\"terminateId\":\"x\",\"turnNumbers\":\"a\"}",
        "{\"id\":\"t\",\"action\":\"terminate_all\",\"turnNumbers\":[1.5]}"};
    for (int i = 0; i < 2; i++) {
        answer = talk_answer(&talk, LINES[i]);
        EXPECT_TEXT("turnNumbers", text_of(answer, "field"));
        EXPECT_TEXT("If provided, must be an array of integers indicating turns to terminate",
                    text_of(answer, "error"));
    }
    talk_end(&talk);
}

TEST(warnings_come_before_the_answer) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    const json_t *answers = talk_ask(
        &talk, query_of("\"zoo\":1,\"foo\":1,\"overrideSettings\":{\"nosuch\":3,\"more\":[]}"));
    EXPECT_INT(4, json_array_size(answers));
    const json_t *warning = json_array_get(answers, 0);
    EXPECT_TEXT("overrideSettings", text_of(warning, "field"));
    EXPECT_CONTAINS(text_of(warning, "warning"), "Unknown config params: ");
    EXPECT_CONTAINS(text_of(warning, "warning"), "nosuch");
    EXPECT_CONTAINS(text_of(warning, "warning"), "more");
    static const char *const NAMES[] = {"foo", "zoo"};
    for (int i = 0; i < 2; i++) {
        warning = json_array_get(answers, (size_t)i + 1);
        EXPECT_TEXT(NAMES[i], text_of(warning, "field"));
        EXPECT_TEXT("q", text_of(warning, "id"));
        EXPECT_TEXT("Unexpected or unused field, do you have a typo? (set warnUnusedFields=false "
                    "in the config to disable this warning)",
                    text_of(warning, "warning"));
        EXPECT_INT(3, json_object_size(warning));
    }
    EXPECT_TRUE(json_object_get(json_array_get(answers, 3), "rootInfo") != NULL);
    talk_end(&talk);
}

/* Without warn_unused there is no warning of an unknown field. */
TEST(warnings_of_fields_can_be_turned_off) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    analysis_leave(talk.analysis, &talk.client);
    analysis_free(talk.analysis);
    AnalysisSetup setup = talk_setup(&talk.net);
    setup.warn_unused = false;
    EXPECT_OK(analysis_new(&setup, &talk.analysis, err));
    EXPECT_TRUE(json_object_get(talk_answer(&talk, query_of("\"foo\":1")), "rootInfo") != NULL);
    talk_end(&talk);
}

/* A net of KataGo's version 8 does not know Spight superko. */
TEST(rules_that_the_net_does_not_know_are_warned_of) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    analysis_leave(talk.analysis, &talk.client);
    analysis_free(talk.analysis);
    AnalysisSetup setup = talk_setup(&talk.net);
    ModelFormat model_format = {.version = 8};
    setup.model_format = &model_format;
    EXPECT_OK(analysis_new(&setup, &talk.analysis, err));
    const json_t *answers = talk_ask(&talk, query_of("\"rules\":{\"ko\":\"SPIGHT\"}"));
    EXPECT_INT(2, json_array_size(answers));
    EXPECT_TEXT("Rules koSPIGHTscoreAREAtaxNONEsui1komi7.5 not supported by neural net, using "
                "koSITUATIONALscoreAREAtaxNONEsui1komi7.5 instead",
                text_of(json_array_get(answers, 0), "warning"));
    EXPECT_TEXT("rules", text_of(json_array_get(answers, 0), "field"));
    talk_end(&talk);
}

/* Errors that occur only when an evaluator is made or evaluates a position are answers, too. */
TEST(errors_of_the_net_are_reported) {
    Talk talk;
    talk_begin(&talk, 1, 2);
    const json_t *answer = talk_answer(&talk, query_of("\"komi\":98"));
    EXPECT_CONTAINS(text_of(answer, "error"), "the net is not finite");
    EXPECT_TEXT("q", text_of(answer, "id"));
    answer = talk_answer(&talk, query_of("\"overrideSettings\":{\"humanSLProfile\":\"nobody\"}"));
    EXPECT_TEXT("overrideSettings", text_of(answer, "field"));
    EXPECT_CONTAINS(text_of(answer, "error"), "there is no such profile");
    EXPECT_TRUE(json_object_get(talk_answer(&talk, query_of("\"komi\":7")), "rootInfo") != NULL);
    talk_end(&talk);
}

TEST_MAIN(RUN(the_error_for_a_line_that_is_too_long_has_its_id),
          RUN(each_field_is_refused_in_katagos_words), RUN(a_query_has_one_error),
          RUN(lines_that_are_no_query), RUN(actions_want_their_fields),
          RUN(warnings_come_before_the_answer), RUN(warnings_of_fields_can_be_turned_off),
          RUN(rules_that_the_net_does_not_know_are_warned_of), RUN(errors_of_the_net_are_reported))
