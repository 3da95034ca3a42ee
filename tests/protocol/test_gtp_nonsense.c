/* GTP with random input: every line gets one well-formed answer or none, and afterwards the engine
 * still plays. */
#include "base/rng.h"
#include "gtp_talk.h"

static void check_answer(const char *line, const char *answer) {
    size_t length = strlen(answer);
    bool empty =
        !length || strcmp(answer, "? empty command\n") == 0 ||
        strncmp(answer, "? GTP id ", 9) == 0; /* KataGo's form of these two has no blank line */
    bool whole = length >= 3 && (answer[0] == '=' || answer[0] == '?') &&
                 strstr(answer, "\n\n") == answer + length - 2;
    if (!empty && !whole) fail_msg("\"%.200s\" is answered by \"%.200s\"", line, answer);
}

static void expect_sane(Talk *talk) {
    const char *answer = talk_ask(talk, "99 protocol_version");
    if (strcmp(answer, "=99 2") != 0) fail_msg("it no longer answers: \"%s\"", answer);
}

TEST(random_bytes_are_survived) {
    Talk talk = talk_begin(5);
    Rng rng = rng_seeded(11);
    char line[300];
    for (int i = 0; i < 3000; i++) {
        int length = rng_below(&rng, 299);
        for (int k = 0; k < length; k++)
            line[k] = (char)(1 + rng_below(&rng, 255));
        line[length] = 0;
        check_answer(line, talk_raw(&talk, line));
    }
    expect_sane(&talk);
    talk_end(&talk);
}

static const char *const COMMANDS[] = {"boardsize",
                                       "rectangular_boardsize",
                                       "clear_board",
                                       "komi",
                                       "play",
                                       "undo",
                                       "kata-set-rules",
                                       "genmove",
                                       "reg_genmove",
                                       "showboard",
                                       "fixed_handicap",
                                       "place_free_handicap",
                                       "set_free_handicap",
                                       "time_settings",
                                       "time_left",
                                       "final_score",
                                       "final_status_list",
                                       "loadsgf",
                                       "printsgf",
                                       "known_command",
                                       "get_komi",
                                       "kata-get-rules",
                                       "list_commands",
                                       "set_position",
                                       "kata-set-rule",
                                       "kgs-rules",
                                       "kata-time_settings",
                                       "kgs-time_settings",
                                       "kata-debug-print-tc",
                                       "kata-analyze",
                                       "lz-analyze",
                                       "analyze",
                                       "kata-search_analyze",
                                       "kata-genmove_analyze",
                                       "kata-raw-nn",
                                       "kata-get-param",
                                       "kata-set-param",
                                       "kata-set-params",
                                       "kata-search_cancellable"};

static const char *const WORDS[] = {"b",
                                    "w",
                                    "B",
                                    "pass",
                                    "pss",
                                    "resign",
                                    "a1",
                                    "c3",
                                    "t19",
                                    "z9",
                                    "aa1",
                                    "0",
                                    "-1",
                                    "5",
                                    "2",
                                    "9",
                                    "19",
                                    "20",
                                    "1e9",
                                    "99999999999",
                                    "nan",
                                    "inf",
                                    "-inf",
                                    "alive",
                                    "dead",
                                    "seki",
                                    "x",
                                    "()",
                                    "{}",
                                    "{\"ko\":",
                                    "chinese",
                                    "japanese",
                                    "a",
                                    "a99999999999",
                                    "%s%n",
                                    "/",
                                    ".",
                                    "/dev/null",
                                    "-",
                                    "\"",
                                    "0.5",
                                    "0x10",
                                    "1:2",
                                    "2:2",
                                    "(0,0)",
                                    "(9999,1)",
                                    "avoid",
                                    "allow",
                                    "a1,b2",
                                    ",",
                                    "minmoves",
                                    "maxmoves",
                                    "interval",
                                    "ownership",
                                    "true",
                                    "rootInfo",
                                    "cpuctExploration",
                                    "useUncertainty",
                                    "all",
                                    "fischer",
                                    "byoyomi",
                                    "[1]"};

/* Known commands with random arguments. */
TEST(random_words_are_survived) {
    Talk talk = talk_begin(5);
    Rng rng = rng_seeded(12);
    char line[512];
    for (int i = 0; i < 4000; i++) {
        snprintf(line, sizeof line, "%s",
                 COMMANDS[rng_below(&rng, (int)(sizeof COMMANDS / sizeof *COMMANDS))]);
        for (int words = rng_below(&rng, 5); words > 0; words--) {
            const char *word = WORDS[rng_below(&rng, (int)(sizeof WORDS / sizeof *WORDS))];
            if (strncmp(line, "printsgf", 8) == 0 && strcmp(word, "-") != 0)
                word = "/nowhere/x.sgf"; /* leave no files about */
            snprintf(line + strlen(line), sizeof line - strlen(line), " %s", word);
        }
        check_answer(line, talk_raw(&talk, line));
    }
    expect_sane(&talk);
    talk_end(&talk);
}

TEST(long_lines_are_survived) {
    static const size_t LENGTHS[] = {1000, 70000, 1 << 20};
    for (size_t i = 0; i < sizeof LENGTHS / sizeof *LENGTHS; i++) {
        Talk talk = talk_begin(5);
        char *line = malloc(LENGTHS[i] + 64);
        EXPECT_TRUE(line != NULL);
        memset(line, 'a', LENGTHS[i]);
        line[LENGTHS[i]] = 0;
        check_answer("aaa", talk_raw(&talk, line));
        memset(line, '7', LENGTHS[i]);
        check_answer("777", talk_raw(&talk, line));
        memcpy(line, "set_free_handicap", 17);
        for (size_t k = 17; k + 3 < LENGTHS[i]; k += 3)
            memcpy(line + k, " a1", 3);
        check_answer("set_free_handicap a1 a1", talk_raw(&talk, line));
        memcpy(line, "kata-set-rules   ", 17);
        memset(line + 17, '{', LENGTHS[i] - 17);
        check_answer("kata-set-rules {{{", talk_raw(&talk, line));
        expect_sane(&talk);
        free(line);
        talk_end(&talk);
    }
}

/* Either the answer has the whole id, or the command is refused. The answer never has another
 * id. */
TEST(an_id_that_is_too_long_is_not_cut) {
    Talk talk = talk_begin(5);
    const char *answer = talk_raw(&talk, "123456789012345678901234567890 name");
    check_answer("long id", answer);
    EXPECT_TRUE(answer[0] == '?' || strncmp(answer, "=123456789012345678901234567890 ", 32) == 0);
    talk_end(&talk);
}

TEST_MAIN(RUN(random_bytes_are_survived), RUN(random_words_are_survived),
          RUN(long_lines_are_survived), RUN(an_id_that_is_too_long_is_not_cut))
