/* GTP commands for analysis: the lines that clients read, and reports that continue until the
 * client's next line. Also parameters, raw evaluations, clocks and other extensions. */
#include <signal.h>

#include "base/clock.h"
#include "base/json.h"
#include "gtp_line.h"

static const char *word_after(const char *text, const char *name) {
    const char *at = strstr(text, name);
    if (!at) fail_msg("\"%.200s\" does not say %s", text, name);
    return at + strlen(name);
}

/* Writes the keys of a line to `out`, in their order, each with a blank after it. */
static void keys_of(const char *line, char *out, size_t size) {
    static const char *const KEYS[] = {"info",
                                       "move",
                                       "visits",
                                       "edgeVisits",
                                       "utility",
                                       "winrate",
                                       "scoreMean",
                                       "scoreStdev",
                                       "scoreLead",
                                       "scoreSelfplay",
                                       "noResultValue",
                                       "prior",
                                       "lcb",
                                       "utilityLcb",
                                       "weight",
                                       "order",
                                       "pv",
                                       "pvVisits",
                                       "pvEdgeVisits",
                                       "rootInfo",
                                       "rawStWrError",
                                       "rawStScoreError",
                                       "rawVarTimeLeft",
                                       "ownership",
                                       "ownershipStdev"};
    char copy[16384];
    *out = 0;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *rest = NULL, *word = strtok_r(copy, " \n", &rest); word;
         word = strtok_r(NULL, " \n", &rest)) {
        for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++) {
            if (strcmp(word, KEYS[i]) == 0)
                snprintf(out + strlen(out), size - strlen(out), "%s ", word);
        }
    }
}

static void expect_keys(const char *answer, const char *want) {
    char keys[4096];
    keys_of(answer, keys, sizeof keys);
    EXPECT_TEXT(want, keys);
}

/* KataGo, docs/GTP_Extensions.md: the blocks of kata-analyze. */
TEST(a_block_has_katagos_keys_in_their_order) {
    Talk talk = talk_begin(5);
    const char *answer = talk_ask(&talk, "kata-search_analyze b 1000 maxmoves 1");
    EXPECT_TRUE(strncmp(answer, "=\ninfo move ", 12) == 0);
    expect_keys(answer, "info move visits edgeVisits utility winrate scoreMean scoreStdev "
                        "scoreLead scoreSelfplay prior lcb utilityLcb weight order pv ");
    EXPECT_CONTAINS(answer, "\nplay ");
    answer = talk_ask(&talk, "7 kata-search_analyze b 1000 maxmoves 1 rootInfo true ownership true "
                             "ownershipStdev true movesOwnership true "
                             "pvVisits true pvEdgeVisits true noResultValue true");
    EXPECT_TRUE(strncmp(answer, "=7\ninfo move ", 13) == 0);
    expect_keys(answer,
                "info move visits edgeVisits utility winrate scoreMean scoreStdev scoreLead "
                "scoreSelfplay noResultValue prior lcb utilityLcb weight order pv pvVisits "
                "pvEdgeVisits rootInfo visits utility winrate scoreMean scoreStdev scoreLead "
                "scoreSelfplay weight rawStWrError rawStScoreError rawVarTimeLeft ownership "
                "ownershipStdev ");
    int numbers = 0;
    for (const char *at = word_after(answer, " ownership"); *at == ' ' && at[1] != 'o'; numbers++)
        at += 1 + strcspn(at + 1, " \n");
    EXPECT_INT(25, numbers);
    talk_end(&talk);
}

TEST(leela_zeros_numbers_are_whole) {
    Talk talk = talk_begin(5);
    const char *answer = talk_ask(&talk, "lz-genmove_analyze b 1000 maxmoves 1");
    expect_keys(answer, "info move visits winrate prior lcb order pv ");
    int winrate = atoi(word_after(answer, " winrate "));
    EXPECT_TRUE(winrate > 1000 && winrate < 9000);
    EXPECT_TRUE(!strchr(answer, '.'));
    EXPECT_CONTAINS(talk_ask(&talk, "printsgf"), ";B["); /* it was played */
    talk_end(&talk);
}

/* The commands analyze and genmove_analyze are for Sabaki, which takes numbers without a decimal
 * point for those of Leela Zero. */
TEST(commands_for_sabaki_have_decimal_points_and_are_not_listed) {
    Talk talk = talk_begin(5);
    const char *answer = talk_ask(&talk, "genmove_analyze b 1000 maxmoves 1");
    static const char *const NAMES[] = {" utility ", " winrate ", " prior ", " weight "};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        const char *number = word_after(answer, NAMES[i]);
        EXPECT_TRUE(memchr(number, '.', strcspn(number, " \n")) != NULL);
    }
    SAYS("known_command analyze", "= false");
    SAYS("known_command genmove_analyze", "= false");
    SAYS("known_command kata-analyze", "= true");
    EXPECT_TRUE(!strstr(talk_ask(&talk, "list_commands"), "\nanalyze"));
    talk_end(&talk);
}

static int blocks_of(const char *answer) {
    int blocks = 0;
    for (const char *at = answer; (at = strstr(at, "info move ")); at += 10)
        blocks++;
    return blocks;
}

TEST(minmoves_and_maxmoves_hold) {
    Talk talk = talk_begin(5);
    EXPECT_INT(3, blocks_of(talk_ask(&talk, "kata-search_analyze b maxmoves 3")));
    EXPECT_INT(26, blocks_of(talk_ask(&talk, "kata-search_analyze b minmoves 100")));
    EXPECT_INT(2, blocks_of(talk_ask(&talk, "kata-search_analyze b minmoves 9 maxmoves 2")));
    talk_end(&talk);
}

TEST(moves_are_avoided_or_allowed) {
    Talk talk = talk_begin(3);
    const char *answer = talk_ask(&talk, "kata-search_analyze b allow b a1,C3 1 minmoves 20");
    EXPECT_INT(2, blocks_of(answer));
    EXPECT_CONTAINS(answer, "move A1 ");
    EXPECT_CONTAINS(answer, "move C3 ");
    answer = talk_ask(&talk, "kata-search_analyze b minmoves 20 avoid b a1,c3,pass 1 avoid b b2 9");
    EXPECT_INT(6, blocks_of(answer));
    EXPECT_TRUE(!strstr(answer, "move A1 ") && !strstr(answer, "move pass ") &&
                !strstr(answer, "move B2 "));
    /* What White has to avoid restricts White's answers, but not Black's first moves. */
    answer = talk_ask(&talk, "kata-search_analyze b minmoves 20 avoid w a1 5");
    EXPECT_INT(10, blocks_of(answer));
    for (const char *at = answer; (at = strstr(at, " pv ")); at += 4) {
        const char *second = at + 4 + strcspn(at + 4, " \n");
        if (strncmp(second, " A1", 3) == 0) fail_msg("White plays A1 in \"%.40s\"", at);
    }
    EXPECT_INT(10, blocks_of(talk_ask(&talk, "kata-search_analyze b minmoves 20")));
    talk_end(&talk);
}

TEST(a_finished_game_is_analysed_as_if_it_went_on) {
    Talk talk = talk_begin(5);
    ACCEPTS("play b pass");
    ACCEPTS("play w pass");
    EXPECT_CONTAINS(talk_ask(&talk, "kata-search_analyze b maxmoves 1"), "\nplay ");
    EXPECT_TRUE(strncmp(talk_ask(&talk, "genmove b"), "= ", 2) == 0);
    talk_end(&talk);
}

TEST(wrong_words_are_refused) {
    Talk talk = talk_begin(5);
    SAYS("kata-analyze foo",
         "? Could not parse analyze arguments or arguments out of range: 'foo'");
    SAYS("kata-genmove_analyze b foo 1",
         "? Could not parse genmove_analyze arguments or arguments out of range: 'b foo 1'");
    REFUSES("lz-analyze ownership true");
    REFUSES("kata-analyze b -5");
    REFUSES("kata-analyze interval");
    REFUSES("kata-analyze maxmoves x");
    REFUSES("kata-analyze ownership maybe");
    REFUSES("kata-analyze avoid b a1");
    REFUSES("kata-analyze avoid b a1, 1");
    REFUSES("kata-analyze avoid b z9 1");
    REFUSES("kata-analyze avoid b a1 0");
    REFUSES("kata-analyze allow b a1 1 allow b a2 1");
    REFUSES("kata-analyze avoid b a1 1 allow b a2 1");
    ACCEPTS("kata-analyze avoid w a1 1 allow b a2 1");
    ACCEPTS("kata-analyze");
    talk_end(&talk);
}

static void expect_line(Line *line, const char *start) {
    static char text[1 << 16];
    if (!fgets(text, sizeof text, line->answers)) fail_msg("the output has ended before %s", start);
    if (strncmp(text, start, strlen(start)) != 0)
        fail_msg("\"%.100s\", wanted \"%s\"", text, start);
}

TEST(analysis_streams_until_the_next_line) {
    Line line;
    line_begin(&line, 5);
    say(&line, "5 kata-analyze b 1 maxmoves 1\n");
    expect_line(&line, "=5\n");
    for (int i = 0; i < 3; i++) /* the limits for a move do not end an analysis */
        expect_line(&line, "info move ");
    say(&line, "\n");
    char text[4096] = "info";
    while (strncmp(text, "info", 4) == 0)
        EXPECT_TRUE(fgets(text, sizeof text, line.answers) != NULL);
    EXPECT_TEXT("\n", text);
    say(&line, "6 name\n");
    expect_line(&line, "=6 Aji\n");
    expect_line(&line, "\n");
    say(&line, "lz-analyze\n"); /* without an interval there are no reports */
    expect_line(&line, "=\n");
    say(&line, "name\n");
    expect_line(&line, "\n");
    expect_line(&line, "= Aji\n");
    expect_line(&line, "\n");
    line_end(&line);
}

TEST(the_end_of_input_ends_analysis) {
    Line line;
    line_begin(&line, 5);
    say(&line, "kata-analyze b\n");
    expect_line(&line, "=\n");
    close(line.to[1]);
    expect_line(&line, "\n");
    line.to[1] = -1;
    line_end(&line);
}

TEST(a_cancelled_search_says_so_and_genmove_goes_on) {
    Line line;
    line_begin(&line, 5);
    say(&line, "kata-set-param maxVisits 1000000000\nkata-search_cancellable b\n"
               "kata-search_analyze_cancellable b\nkata-set-param maxVisits 5\ngenmove b\nquit\n");
    expect_line(&line, "= \n");
    expect_line(&line, "\n");
    expect_line(&line, "= cancelled\n");
    expect_line(&line, "\n");
    expect_line(&line, "=\n");
    expect_line(&line, "play cancelled\n");
    expect_line(&line, "\n");
    expect_line(&line, "= \n");
    expect_line(&line, "\n");
    char text[64];
    EXPECT_TRUE(fgets(text, sizeof text, line.answers) != NULL);
    EXPECT_TRUE(text[0] == '=' && strlen(text) > 3 && !strstr(text, "cancelled"));
    expect_line(&line, "\n");
    expect_line(&line, "= \n");
    expect_line(&line, "\n");
    line_end(&line);
}

TEST(settings_change_by_both_names) {
    Talk talk = talk_begin(5);
    SAYS("kata-get-param cpuctExploration", "= 1.0");
    SAYS("kata-set-param cpuctExploration 1.1", "= ");
    SAYS("kata-get-param c_puct", "= 1.1");
    SAYS("kata-set-param c_puct", "= ");
    SAYS("kata-get-param cpuctExploration", "= 1.0");
    SAYS("kata-get-param maxVisits", "= 12");
    SAYS("kata-set-params {\"maxVisits\": 3, \"useLcbForSelection\": false}", "= ");
    SAYS("kata-get-param useLcbForSelection", "= false");
    EXPECT_CONTAINS(talk_ask(&talk, "kata-search_analyze b rootInfo true"), "rootInfo visits 3 ");
    SAYS("kata-set-param maxVisits", "= ");
    SAYS("kata-get-param maxVisits", "= 12");
    REFUSES("kata-set-param maxVisits -3");
    REFUSES("kata-set-param cpuctExploration nan");
    REFUSES("kata-set-param foo 3");
    REFUSES("kata-get-param foo");
    REFUSES("kata-set-params [1]");
    REFUSES("kata-set-params {\"maxVisits\":");
    REFUSES("kata-set-params {\"cpuctExploration\":2,\"foo\":1}");
    SAYS("kata-get-param cpuctExploration", "= 1.0"); /* none was changed */
    EXPECT_CONTAINS(talk_ask(&talk, "kata-list-params"), " maxVisits ");
    SAYS("kata-set-params {\"maxVisits\": 123456789012.0, \"maxTime\": 16777216}", "= ");
    SAYS("kata-get-param maxVisits", "= 123456789012"); /* whole numbers stay whole */
    SAYS("kata-get-param maxTime", "= 16777216.0");
    SAYS("kata-set-params {\"maxVisits\": 12}", "= ");
    REFUSES("kata-set-params {\"maxVisits\": 12.5}");
    SAYS("kata-get-param delayMoveMax", "= 1000000.0");
    json_t *all;
    const char *text = talk_ask(&talk, "kata-get-params") + 2;
    EXPECT_OK(json_parse(text, strlen(text), &all, err));
    EXPECT_NEAR(12, json_number_value(json_object_get(all, "maxVisits")), 0);
    json_decref(all);
    talk_end(&talk);
}

/* The uniform evaluator on a 3x3 board with one stone: each of 8 points and the pass has 1/9. */
TEST(raw_answers_have_katagos_layout) {
    Talk talk = talk_begin(3);
    ACCEPTS("play b b2");
    SAYS("kata-raw-nn 3 0.0",
         "= symmetry 3\nwhiteWin 0.500000\nwhiteLoss 0.500000\nnoResult 0.000000\n"
         "whiteLead 0.000\nwhiteScoreSelfplay 0.000\nwhiteScoreSelfplaySq 9.000\n"
         "varTimeLeft -1.000\nshorttermWinlossError -1.000\nshorttermScoreError -1.000\npolicy\n"
         "0.111111 0.111111 0.111111 \n0.111111     NAN 0.111111 \n0.111111 0.111111 0.111111 \n"
         "policyPass 0.111111 \nwhiteOwnership\n0.0000000 0.0000000 0.0000000 \n"
         "0.0000000 0.0000000 0.0000000 \n0.0000000 0.0000000 0.0000000");
    EXPECT_CONTAINS(talk_ask(&talk, "kata-raw-nn w all"), "\nsymmetry 7\n");
    REFUSES("kata-raw-nn");
    REFUSES("kata-raw-nn 9");
    REFUSES("kata-raw-nn 0 2");
    REFUSES("kata-raw-nn b 0 0.5 1");
    REFUSES("kata-raw-human-nn 0");
    talk_end(&talk);
}

/* The members of kata-get-models are KataGo's, in its order. */
TEST(the_net_is_described) {
    static const ModelFormat MODEL_FORMAT = {.version = 14};
    SessionSetup setup = talk_setup(3, talk_evaluator);
    setup.net_name = "/nets/made-up.bin.gz";
    setup.net_title = "made-up";
    setup.model_format = &MODEL_FORMAT;
    Talk talk = talk_begin_as(&setup);
    const char *answer = talk_ask(&talk, "kata-get-models");
    EXPECT_CONTAINS(answer, "= [{\"internalName\":\"made-up\",\"maxBatchSize\":");
    EXPECT_CONTAINS(answer, ",\"name\":\"/nets/made-up.bin.gz\",\"usesHumanSLProfile\":false,"
                            "\"usingFP16\":\"auto\",\"version\":14}]");
    talk_end(&talk);
}

/* Black D3: the board is symmetric from top to bottom. Only one of two equivalent moves is
 * searched; the other follows it with the same numbers. */
TEST(symmetric_moves_are_all_reported) {
    Talk talk = talk_begin(5);
    char lower[24], upper[24];
    ACCEPTS("kata-set-param rootSymmetryPruning true");
    ACCEPTS("kata-set-param maxVisits 200");
    ACCEPTS("play b d3");
    const char *answer = talk_ask(&talk, "kata-search_analyze w");
    for (char column = 'A'; column <= 'E'; column++) {
        snprintf(lower, sizeof lower, "info move %c2 ", column);
        snprintf(upper, sizeof upper, "info move %c4 ", column);
        const char *below = strstr(answer, lower), *above = strstr(answer, upper);
        EXPECT_TRUE(below && above && above < below);
        snprintf(upper, sizeof upper, " isSymmetryOf %c4 order ", column);
        const char *mark = strstr(below, upper), *line = strstr(below, " pv ");
        EXPECT_TRUE(mark && mark < line);
        EXPECT_INT(column, line[4]);
        EXPECT_INT('2', line[5]);
        size_t same = (size_t)(mark - below) - strlen(lower);
        EXPECT_TRUE(strncmp(below + strlen(lower), above + strlen(lower), same) == 0);
    }
    EXPECT_INT(25, blocks_of(answer));
    EXPECT_INT(2, blocks_of(talk_ask(&talk, "lz-genmove_analyze w maxmoves 2")));
    talk_end(&talk);
}

TEST(heatmap_benchmark_and_debug_commands_answer) {
    Talk talk = talk_begin(3);
    SAYS("kata-get-models", "= []");
    ACCEPTS("play b b2");
    SAYS("heatmap", "= \n 111  111  111 \n 111    0  111 \n 111  111  111 \npass: 111\n"
                    "winrate: 0.500000");
    EXPECT_CONTAINS(talk_ask(&talk, "3 kata-benchmark 40"), "=3\nvisits 40 seconds ");
    REFUSES("kata-benchmark x");
    ACCEPTS("kata-search_debug w");
    ACCEPTS("genmove_debug w");
    EXPECT_CONTAINS(talk_ask(&talk, "printsgf"), ";W[");
    talk_end(&talk);
}

TEST(clocks_of_every_kind_are_accepted) {
    Talk talk = talk_begin(3);
    ACCEPTS("kata-time_settings none");
    SAYS("kata-debug-print-tc", "= Black no limit\nWhite no limit");
    ACCEPTS("kata-time_settings byoyomi 60 10 3");
    ACCEPTS("time_left b 7 3"); /* three periods, of which this one has 7 seconds left */
    EXPECT_CONTAINS(talk_ask(&talk, "kata-debug-print-tc"),
                    "timeLeft 7 periodsLeft 3 stonesLeft 1 thisMove 6.75 thisMoveMax 6.75\n");
    ACCEPTS("kata-time_settings canadian 60 100 10");
    ACCEPTS("time_left b 70 7");
    EXPECT_CONTAINS(talk_ask(&talk, "kata-debug-print-tc"),
                    "timeLeft 70 periodsLeft 1 stonesLeft 7 thisMove 9.96429 ");
    ACCEPTS("kata-time_settings fischer-capped 300 10 -1 30");
    REFUSES("kata-time_settings fischer-capped 300 10 100 30");
    REFUSES("kgs-time_settings fischer 300 10");
    REFUSES("kata-time_settings");
    REFUSES("kata-time_settings byoyomi 300 30 -1");
    REFUSES("kata-time_settings absolute inf");
    talk_end(&talk);
}

TEST(positions_and_rules_are_set) {
    Talk talk = talk_begin(5);
    ACCEPTS("set_position B C3 W D4");
    REFUSES("undo");
    REFUSES("set_position B C3 W");
    REFUSES("set_position B C3 W C3");
    REFUSES("set_position B A1 W A2 W B1");
    EXPECT_CONTAINS(talk_ask(&talk, "printsgf"), "AB[cc]AW[db]");
    ACCEPTS("kata-set-rule scoring territory");
    ACCEPTS("kgs-rules Chinese");
    EXPECT_CONTAINS(talk_ask(&talk, "kata-get-rules"), "\"friendlyPassOk\":true");
    REFUSES("kata-set-rule suicide maybe");
    REFUSES("kata-set-rule ko \"");
    talk_end(&talk);
}

/* A GTP engine whose client has stopped reading but keeps the engine's input open. */
typedef struct {
    Talk talk;
    int input;
    FILE *output;
    Status status;
    atomic_bool ended;
} Deserted;

static void *serve_deserted(void *argument) {
    Deserted *deserted = argument;
    deserted->status = gtp_serve(deserted->talk.gtp, deserted->input, deserted->output, NULL);
    atomic_store(&deserted->ended, true);
    return NULL;
}

TEST(analysis_ends_when_nobody_reads_it) {
    static const char *const COMMANDS[] = {"kata-analyze 1\n", "lz-analyze 1\n"};
    signal(SIGPIPE, SIG_IGN); /* as the program does */
    for (int i = 0; i < 2; i++) {
        static Deserted deserted;
        int to[2], from[2];
        char first;
        pthread_t thread;
        EXPECT_TRUE(!pipe(to) && !pipe(from));
        deserted =
            (Deserted){.talk = talk_begin(5), .input = to[0], .output = fdopen(from[1], "w")};
        EXPECT_OK(thread_start(&thread, serve_deserted, &deserted, err));
        EXPECT_TRUE(write(to[1], COMMANDS[i], strlen(COMMANDS[i])) > 0);
        EXPECT_INT(1, read(from[0], &first, 1)); /* the analysis has begun */
        close(from[0]);
        for (int waited = 0; waited < 3000 && !atomic_load(&deserted.ended); waited++)
            clock_sleep_ms(10);
        EXPECT_TRUE(atomic_load(&deserted.ended));
        pthread_join(thread, NULL);
        EXPECT_STATUS(ERR_IO, deserted.status);
        fclose(deserted.output);
        close(to[0]);
        close(to[1]);
        talk_end(&deserted.talk);
    }
}

TEST_MAIN(RUN(analysis_ends_when_nobody_reads_it), RUN(a_block_has_katagos_keys_in_their_order),
          RUN(leela_zeros_numbers_are_whole),
          RUN(commands_for_sabaki_have_decimal_points_and_are_not_listed),
          RUN(minmoves_and_maxmoves_hold), RUN(moves_are_avoided_or_allowed),
          RUN(a_finished_game_is_analysed_as_if_it_went_on), RUN(wrong_words_are_refused),
          RUN(analysis_streams_until_the_next_line), RUN(the_end_of_input_ends_analysis),
          RUN(a_cancelled_search_says_so_and_genmove_goes_on), RUN(settings_change_by_both_names),
          RUN(raw_answers_have_katagos_layout), RUN(symmetric_moves_are_all_reported),
          RUN(the_net_is_described), RUN(heatmap_benchmark_and_debug_commands_answer),
          RUN(clocks_of_every_kind_are_accepted), RUN(positions_and_rules_are_set))
