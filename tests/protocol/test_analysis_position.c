/* The positions of a query: turns, stones, the komi of rules, the first player, hashes, and games
 * that two passes have ended. */
#include "analysis_talk.h"

/* Returns the answer for this turn. */
static const json_t *of_turn(const json_t *answers, int turn) {
    size_t index;
    const json_t *answer;
    json_array_foreach(answers, index, answer) {
        if (whole_of(answer, "turnNumber") == turn) return answer;
    }
    fail_msg("no answer of turn %d", turn);
    return NULL;
}

TEST(turns_of_a_game) {
    static const char GAME[] =
        "{\"id\":\"g\",\"boardXSize\":5,\"boardYSize\":5,\"rules\":\"chinese\",\"moves\":[[\"B\","
        "\"C3\"],[\"W\",\"(3,2)\"],[\"b\",\"pass\"]],\"analyzeTurns\":[3,0,1,1]}";
    Talk talk;
    talk_begin(&talk, 1, 1);
    const json_t *answers = talk_ask(&talk, GAME);
    EXPECT_INT(3, json_array_size(answers));                           /* each turn once */
    EXPECT_INT(0, whole_of(json_array_get(answers, 0), "turnNumber")); /* in increasing order */
    EXPECT_INT(1, whole_of(json_array_get(answers, 1), "turnNumber"));
    EXPECT_TEXT("B", text_of(root_of(of_turn(answers, 0)), "currentPlayer"));
    EXPECT_TEXT("W", text_of(root_of(of_turn(answers, 1)), "currentPlayer"));
    EXPECT_TEXT("W", text_of(root_of(of_turn(answers, 3)), "currentPlayer"));
    const json_t *last = talk_answer(&talk, "{\"id\":\"g\",\"boardXSize\":5,\"boardYSize\":5,"
                                            "\"rules\":\"chinese\",\"moves\":[[\"B\",\"C3\"]]}");
    EXPECT_INT(1, whole_of(last, "turnNumber")); /* by default the last turn */
    talk_end(&talk);
}

static const char *mover_of(Talk *talk, const char *members) {
    return text_of(root_of(ask(talk, members)), "currentPlayer");
}

/* If the query does not name the first player, the color of the first move begins. Without moves,
 * White begins if there are at least two black stones and no white ones, as in a handicap game, and
 * otherwise Black. */
TEST(who_begins) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    EXPECT_TEXT("B", mover_of(&talk, ""));
    EXPECT_TEXT("B", mover_of(&talk, "\"initialStones\":[[\"B\",\"A1\"]]"));
    EXPECT_TEXT("W", mover_of(&talk, "\"initialStones\":[[\"B\",\"A1\"],[\"B\",\"C3\"]]"));
    EXPECT_TEXT("B", mover_of(&talk, "\"initialStones\":[[\"B\",\"A1\"],[\"B\",\"C3\"],[\"W\","
                                     "\"E5\"]]"));
    EXPECT_TEXT("W", mover_of(&talk, "\"initialPlayer\":\"W\""));
    EXPECT_TEXT("B", mover_of(&talk, "\"initialPlayer\":\"black\",\"initialStones\":[[\"B\","
                                     "\"A1\"],[\"B\",\"C3\"]]"));
    const json_t *answer =
        talk_answer(&talk, "{\"id\":\"g\",\"boardXSize\":5,\"boardYSize\":5,\"rules\":\"chinese\","
                           "\"moves\":[[\"W\",\"C3\"]],\"analyzeTurns\":[0]}");
    EXPECT_TEXT("W", text_of(root_of(answer), "currentPlayer"));
    talk_end(&talk);
}

/* Returns the number of moves with -1 in the policy: occupied points and illegal moves. */
static int count_illegal(const json_t *answer) {
    const json_t *policy = json_object_get(answer, "policy"), *value;
    size_t index;
    int count = 0;
    json_array_foreach(policy, index, value) count += json_real_value(value) < 0;
    return count;
}

/* Stones are put on the board one by one. Each captures the opponent's chains that it leaves
 * without a liberty. */
TEST(stones_that_are_put_down_capture) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    const json_t *answer = ask(&talk, "\"includePolicy\":true,\"initialPlayer\":\"w\","
                                      "\"initialStones\":[[\"W\",\"A1\"],[\"B\",\"A2\"],[\"B\","
                                      "\"B1\"],[\"B\",\"A2\"]]");
    EXPECT_INT(3, count_illegal(answer)); /* two stones, and suicide at A1 */
    answer = ask(&talk, "\"includePolicy\":true,\"initialPlayer\":\"b\",\"initialStones\":[[\"B\","
                        "\"A2\"],[\"B\",\"B1\"],[\"W\",\"A1\"]]");
    EXPECT_INT(2, count_illegal(answer)); /* White's A1 has no liberty and is left out */
    answer = ask(&talk, "\"includePolicy\":true,\"initialPlayer\":\"b\",\"initialStones\":[[\"B\","
                        "\"C3\"],[\"W\",\"C3\"]]");
    EXPECT_INT(1, count_illegal(answer)); /* the later stone replaces the earlier */
    talk_end(&talk);
}

static const char *hash_of(Talk *talk, const char *members, const char *key, char out[33]) {
    snprintf(out, 33, "%s", text_of(root_of(ask(talk, members)), key));
    return out;
}

/* Rotated and mirrored positions have the same symHash. Positions with different players to move
 * have different symHashes. */
TEST(hashes_of_situations) {
    Talk talk;
    char a[33], b[33];
    talk_begin(&talk, 1, 1);
#define STONE(where) "\"initialPlayer\":\"w\",\"initialStones\":[[\"B\",\"" where "\"]]"
    EXPECT_TEXT(hash_of(&talk, STONE("B1"), "symHash", a),
                hash_of(&talk, STONE("E4"), "symHash", b));
    EXPECT_TRUE(strcmp(hash_of(&talk, STONE("B1"), "thisHash", a),
                       hash_of(&talk, STONE("E4"), "thisHash", b)) != 0);
    EXPECT_TRUE(strcmp(hash_of(&talk, STONE("B1"), "symHash", a),
                       hash_of(&talk, STONE("C1"), "symHash", b)) != 0);
    EXPECT_TRUE(strcmp(hash_of(&talk, "\"initialPlayer\":\"w\"", "symHash", a),
                       hash_of(&talk, "\"initialPlayer\":\"b\"", "symHash", b)) != 0);
    EXPECT_TEXT(hash_of(&talk, "", "thisHash", a), hash_of(&talk, "", "thisHash", b));
    talk_end(&talk);
}

/* Rules without a komi of their own get the usual one: 7.5 under area scoring, 6.5 under territory
 * scoring, 7 with a button or under New Zealand rules. */
TEST(rules_bring_their_komi) {
    static const struct {
        const char *rules;
        double komi;
    } CASES[] = {{"\"chinese\"", 7.5},
                 {"\"japanese\"", 6.5},
                 {"\"new zealand\"", 7},
                 {"\"AGA-button\"", 7},
                 {"{\"scoring\":\"TERRITORY\"}", 6.5},
                 {"{\"hasButton\":true}", 7},
                 {"{\"ko\":\"SIMPLE\"}", 7.5},
                 {"{\"ko\":\"SIMPLE\",\"komi\":3}", 3},
                 {"\"{\\\"komi\\\":-4.5}\"", -4.5}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[100];
        json_t *value = json_loads(CASES[i].rules, JSON_DECODE_ANY, NULL);
        char *dumped = json_is_string(value) ? strdup(json_string_value(value))
                                             : json_dumps(value, JSON_COMPACT);
        Rules rules;
        snprintf(text, sizeof text, "%s", dumped);
        EXPECT_OK(rules_parse_with_komi(text, &rules, err));
        EXPECT_NEAR(CASES[i].komi, rules.komi, 0);
        free(dumped);
        json_decref(value);
    }
}

/* A game that two passes have ended is analysed as if it went on. */
TEST(a_finished_game_has_an_answer) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    const json_t *answer =
        talk_answer(&talk, "{\"id\":\"o\",\"boardXSize\":5,\"boardYSize\":4,\"rules\":\"tromp-"
                           "taylor\",\"moves\":[[\"B\",\"pass\"],[\"W\",\"pass\"]],\"maxVisits\":5,"
                           "\"includePolicy\":true}");
    EXPECT_INT(2, whole_of(answer, "turnNumber"));
    EXPECT_INT(5, whole_of(root_of(answer), "visits"));
    EXPECT_INT(21, json_array_size(json_object_get(answer, "policy")));
    EXPECT_TEXT("B", text_of(root_of(answer), "currentPlayer"));
    talk_end(&talk);
}

/* After the two passes White may not retake the ko at C3, because superko still forbids the board
 * that was there before Black took the ko. */
TEST(a_finished_game_keeps_its_history) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    const json_t *answer =
        talk_answer(&talk, "{\"id\":\"o\",\"boardXSize\":5,\"boardYSize\":5,\"rules\":\"tromp-"
                           "taylor\",\"moves\":[[\"B\",\"C4\"],[\"W\",\"D4\"],[\"B\",\"B3\"],"
                           "[\"W\",\"E3\"],[\"B\",\"C2\"],[\"W\",\"D2\"],[\"B\",\"A1\"],"
                           "[\"W\",\"C3\"],[\"B\",\"D3\"],[\"W\",\"pass\"],[\"B\",\"pass\"]],"
                           "\"maxVisits\":60,\"includePolicy\":true}");
    const json_t *policy = json_object_get(answer, "policy"),
                 *infos = json_object_get(answer, "moveInfos");
    EXPECT_NEAR(-1, json_number_value(json_array_get(policy, 12)), 0);
    EXPECT_TRUE(json_number_value(json_array_get(policy, 24)) > 0);
    EXPECT_TRUE(json_array_size(infos) > 1);
    for (size_t i = 0; i < json_array_size(infos); i++)
        EXPECT_TRUE(strcmp(text_of(json_array_get(infos, i), "move"), "C3") != 0);
    talk_end(&talk);
}

TEST_MAIN(RUN(turns_of_a_game), RUN(who_begins), RUN(stones_that_are_put_down_capture),
          RUN(hashes_of_situations), RUN(rules_bring_their_komi),
          RUN(a_finished_game_has_an_answer), RUN(a_finished_game_keeps_its_history))
