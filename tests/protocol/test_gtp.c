/* The commands of GTP 2 and some extensions, one by one, on an engine without a net. */
#include <math.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "gtp_talk.h"
#include "plain_evaluator.h"

TEST(says_who_it_is) {
    Talk talk = talk_begin(9);
    SAYS("protocol_version", "= 2");
    SAYS("name", "= Aji");
    SAYS("version", "= 9.8");
    SAYS("known_command play", "= true");
    SAYS("known_command plays", "= false");
    SAYS("known_command", "= false");
    talk_end(&talk);
}

/* The commands of GTP 2, section 6, are known, and so is every command of the list. */
TEST(knows_every_command_that_it_lists) {
    static const char *const STANDARD[] = {"protocol_version",
                                           "name",
                                           "version",
                                           "known_command",
                                           "list_commands",
                                           "quit",
                                           "boardsize",
                                           "clear_board",
                                           "komi",
                                           "fixed_handicap",
                                           "place_free_handicap",
                                           "set_free_handicap",
                                           "play",
                                           "genmove",
                                           "undo",
                                           "time_settings",
                                           "time_left",
                                           "final_score",
                                           "final_status_list",
                                           "loadsgf",
                                           "reg_genmove",
                                           "showboard"};
    Talk talk = talk_begin(5);
    char list[8192], line[128];
    snprintf(list, sizeof list, "%s", talk_ask(&talk, "list_commands"));
    for (size_t i = 0; i < sizeof STANDARD / sizeof *STANDARD; i++) {
        snprintf(line, sizeof line, "known_command %s", STANDARD[i]);
        SAYS(line, "= true");
    }
    int count = 0;
    char *rest = NULL;
    for (char *name = strtok_r(list + 2, "\n", &rest); name;
         name = strtok_r(NULL, "\n", &rest), count++) {
        snprintf(line, sizeof line, "known_command %s", name);
        SAYS(line, "= true");
    }
    EXPECT_TRUE(count >= 22);
    talk_end(&talk);
}

/* Each line of the answer to gogui-analyze_commands has the form kind/name/command, in which %m
 * stands for the player to move. The engine answers each of these commands. */
TEST(gogui_analyze_commands_are_answered) {
    Talk talk = talk_begin(5);
    char list[8192], line[128], kind[16], name[64], command[64];
    SAYS("gogui-interrupt", "= ");
    snprintf(list, sizeof list, "%s", talk_ask(&talk, "gogui-analyze_commands"));
    ACCEPTS("play b c3");
    char *rest = NULL;
    int count = 0;
    for (char *text = strtok_r(list + 2, "\n", &rest); text;
         text = strtok_r(NULL, "\n", &rest), count++) {
        if (sscanf(text, "%15[a-z]/%63[^/]/%63[^%]", kind, name, command) != 3)
            fail_msg("\"%s\" is not kind/name/command", text);
        snprintf(line, sizeof line, "%s%s", command, strstr(text, "%m") ? "w" : "");
        ACCEPTS(line);
    }
    EXPECT_TRUE(count >= 5);
    talk_end(&talk);
}

TEST(ids_come_back) {
    Talk talk = talk_begin(9);
    SAYS("7 name", "=7 Aji");
    SAYS("0 name", "=0 Aji");
    SAYS("  12   protocol_version", "=12 2");
    SAYS("2147483647 name", "=2147483647 Aji");
    SAYS("7komi 0.5", "=7 ");
    SAYS("31 nonsense", "?31 unknown command");
    SAYS("-3 name", "? unknown command");
    talk_end(&talk);
}

TEST(comments_and_control_characters_do_not_count) {
    Talk talk = talk_begin(9);
    SAYS("name # who are you", "= Aji");
    SAYS("na\001me\r", "= Aji");
    SAYS("\tname\t", "= Aji");
    SAYS("play\tb\tc3#x", "= ");
    SAYS("na\303\251me", "= Aji");
    EXPECT_TEXT("", talk_raw(&talk, ""));
    EXPECT_TEXT("", talk_raw(&talk, "   \t "));
    EXPECT_TEXT("", talk_raw(&talk, "# only a comment"));
    EXPECT_TEXT("", talk_raw(&talk, "\r\n"));
    talk_end(&talk);
}

TEST(an_id_alone_is_an_empty_command) {
    Talk talk = talk_begin(9);
    EXPECT_TEXT("? empty command\n", talk_raw(&talk, "12"));
    talk_end(&talk);
}

TEST(board_sizes_have_limits) {
    Talk talk = talk_begin(9);
    static const char *const BAD[] = {"boardsize",
                                      "boardsize 1",
                                      "boardsize 0",
                                      "boardsize -9",
                                      "boardsize 20",
                                      "boardsize 25",
                                      "boardsize abc",
                                      "boardsize 9x",
                                      "boardsize 99999999999999999999",
                                      "boardsize 9.5",
                                      "boardsize :",
                                      "boardsize 9:1",
                                      "boardsize 2:20",
                                      "rectangular_boardsize 9 x"};
    ACCEPTS("play b c3");
    SAYS("boardsize :", "? Expected int argument for boardsize or pair of ints but got ':'");
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        REFUSES(BAD[i]);
    SAYS("printsgf",
         "= (;FF[4]GM[1]SZ[9]PB[]PW[]HA[0]KM[7.5]RU[TrompTaylor];B[cg])"); /* nothing changed */
    for (int size = 2; size <= 19; size++) {
        char line[32];
        snprintf(line, sizeof line, "boardsize %d", size);
        SAYS(line, "= ");
        SAYS("play b b2", "= ");
        snprintf(line, sizeof line, "play w %c%d", 'A' + size - 1 + (size > 8), size);
        if (size > 2) SAYS(line, "= ");
    }
    SAYS("boardsize 9:7", "= ");
    SAYS("play b j7", "= ");
    REFUSES("play w j8");
    SAYS("rectangular_boardsize 3 5", "= ");
    SAYS("rectangular_boardsize 7", "= "); /* as in KataGo, the two names mean the same */
    SAYS("rectangular_boardsize 3 5", "= ");
    SAYS("play b c5", "= ");
    REFUSES("play w d1");
    talk_end(&talk);
}

TEST(komi_is_a_half_integer_within_bounds) {
    Talk talk = talk_begin(9);
    static const char *const BAD[] = {"komi",      "komi abc",    "komi 6.25",
                                      "komi 1000", "komi -400.5", "komi nan",
                                      "komi inf",  "komi 6,5",    "komi 6.5x"};
    SAYS("get_komi", "= 7.5");
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        REFUSES(BAD[i]);
    SAYS("get_komi", "= 7.5");
    SAYS("komi 6.5", "= ");
    SAYS("get_komi", "= 6.5");
    SAYS("komi -3", "= ");
    SAYS("get_komi", "= -3");
    SAYS("clear_board", "= ");
    SAYS("boardsize 7", "= ");
    SAYS("get_komi", "= -3"); /* a new board keeps the komi */
    talk_end(&talk);
}

TEST(moves_are_played_and_taken_back) {
    Talk talk = talk_begin(9);
    SAYS("undo", "? cannot undo");
    SAYS("play b C3", "= ");
    SAYS("play WHITE g7", "= ");
    SAYS("play Black pass", "= ");
    SAYS("play w PASS", "= ");
    SAYS("play b c3", "? illegal move");
    REFUSES("play b");
    REFUSES("play b i5");
    REFUSES("play b z99");
    REFUSES("play b a0");
    REFUSES("play b a10");
    REFUSES("play x c4");
    REFUSES("play b 33");
    SAYS("undo", "= ");
    SAYS("undo", "= ");
    SAYS("printsgf", "= (;FF[4]GM[1]SZ[9]PB[]PW[]HA[0]KM[7.5]RU[TrompTaylor];B[cg];W[gc])");
    SAYS("undo", "= ");
    SAYS("play w c4", "= ");
    SAYS("undo", "= ");
    SAYS("undo", "= ");
    SAYS("undo", "? cannot undo");
    talk_end(&talk);
}

/* Suicide of one stone is illegal under all rules. Here White's A1 would be suicide after Black has
 * captured White's stone at A1. Later Black's B1 would be suicide after White has captured A2 and
 * B1. */
TEST(undo_brings_captured_stones_back) {
    Talk talk = talk_begin(5);
    ACCEPTS("play b a2");
    ACCEPTS("play w a1");
    ACCEPTS("play b b1");
    ACCEPTS("play w e5");
    SAYS("play w a1", "? illegal move");
    SAYS("play b a1", "= ");
    SAYS("undo", "= ");
    SAYS("play w b2", "= ");
    SAYS("play w a3", "= ");
    SAYS("play w c1", "= ");
    SAYS("play w a1", "= "); /* captures both */
    SAYS("play b b1", "? illegal move");
    SAYS("undo", "= ");
    SAYS("play b b1", "? illegal move");
    talk_end(&talk);
}

TEST(the_engine_moves) {
    Talk talk = talk_begin(5);
    REFUSES("genmove");
    REFUSES("genmove q");
    const char *answer = talk_ask(&talk, "reg_genmove b");
    EXPECT_INT(0, strncmp(answer, "= ", 2));
    SAYS("undo", "? cannot undo"); /* reg_genmove does not play */
    for (int i = 0; i < 12; i++) {
        answer = talk_ask(&talk, i % 2 ? "genmove w" : "genmove b");
        bool pass = strcmp(answer, "= pass") == 0;
        EXPECT_TRUE(pass || (strlen(answer) == 4 && answer[2] >= 'A' && answer[2] <= 'E' &&
                             answer[3] >= '1' && answer[3] <= '5'));
    }
    for (int i = 0; i < 12; i++)
        SAYS("undo", "= ");
    SAYS("undo", "? cannot undo");
    talk_end(&talk);
}

TEST(either_color_may_move_twice) {
    Talk talk = talk_begin(5);
    ACCEPTS("genmove w");
    ACCEPTS("genmove w");
    ACCEPTS("genmove b");
    ACCEPTS("genmove b");
    talk_end(&talk);
}

TEST(fixed_handicap_has_its_table) {
    Talk talk = talk_begin(9);
    SAYS("fixed_handicap 5", "= C7 G7 E5 C3 G3");
    SAYS("fixed_handicap 2", "? Board is not empty");
    SAYS("undo", "? cannot undo");
    ACCEPTS("clear_board");
    REFUSES("fixed_handicap");
    REFUSES("fixed_handicap 1");
    REFUSES("fixed_handicap 0");
    REFUSES("fixed_handicap -2");
    REFUSES("fixed_handicap 10");
    REFUSES("fixed_handicap x");
    REFUSES("fixed_handicap 99999999999999999999");
    ACCEPTS("boardsize 8");
    REFUSES("fixed_handicap 5");
    SAYS("fixed_handicap 4", "= C6 F6 C3 F3");
    ACCEPTS("boardsize 5");
    REFUSES("fixed_handicap 2");
    ACCEPTS("boardsize 19");
    SAYS("fixed_handicap 9", "= D16 K16 Q16 D10 K10 Q10 D4 K4 Q4");
    talk_end(&talk);
}

TEST(free_handicap_is_set_and_placed) {
    Talk talk = talk_begin(9);
    SAYS("set_free_handicap C3 G7 C7", "= ");
    SAYS("printsgf", "= (;FF[4]GM[1]SZ[9]PB[]PW[]HA[3]KM[7.5]RU[TrompTaylor]AB[cc][gc][cg])");
    REFUSES("set_free_handicap e5");
    ACCEPTS("clear_board");
    REFUSES("set_free_handicap C3 C3");
    REFUSES("set_free_handicap C3 pass");
    REFUSES("set_free_handicap C3 k9");
    ACCEPTS("set_free_handicap c4 c5");
    ACCEPTS("clear_board");
    REFUSES("place_free_handicap");
    REFUSES("place_free_handicap 1");
    REFUSES("place_free_handicap x");
    char text[256];
    snprintf(text, sizeof text, "%s", talk_ask(&talk, "place_free_handicap 4"));
    int stones = 0;
    char *rest = NULL;
    for (char *word = strtok_r(text + 2, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        stones++;
    EXPECT_INT(4, stones);
    REFUSES("place_free_handicap 2");
    ACCEPTS("genmove w");
    talk_end(&talk);
}

TEST(times_are_accepted) {
    Talk talk = talk_begin(5);
    SAYS("time_settings 300 30 5", "= ");
    SAYS("time_left b 100 0", "= ");
    SAYS("time_left w 10 3", "= ");
    SAYS("time_settings 0 10 0", "= ");
    SAYS("time_settings 0 0 0", "= ");
    ACCEPTS("genmove b"); /* the engine moves immediately, even without any time left */
    REFUSES("time_settings 300 30");
    REFUSES("time_settings a b c");
    REFUSES("time_settings nan 1 1");
    REFUSES("time_settings -5 1 1");
    REFUSES("time_left b x 3");
    REFUSES("time_left q 3 3");
    REFUSES("time_left b 3");
    talk_end(&talk);
}

static void play_all(Talk *talk, const char *moves) {
    char text[512], line[64], *rest = NULL;
    snprintf(text, sizeof text, "%s", moves);
    int index = 0;
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        snprintf(line, sizeof line, "play %c %s", index++ % 2 ? 'w' : 'b', word);
        const char *answer = talk_ask(talk, line);
        if (strcmp(answer, "= ") != 0) fail_msg("%s: %s", line, answer);
    }
}

/* Black has the columns A to C, White D and E: 15 to 10. */
static const char WALL[] = "c1 d1 c2 d2 c3 d3 c4 d4 c5 d5";

TEST(a_finished_game_has_its_score) {
    Talk talk = talk_begin(5);
    ACCEPTS("komi 0.5");
    play_all(&talk, WALL);
    ACCEPTS("final_score");
    play_all(&talk, "pass pass");
    SAYS("final_score", "= B+4.5");
    SAYS("final_status_list dead", "= ");
    SAYS("final_status_list seki", "= ");
    SAYS("final_status_list alive", "= C5 D5 C4 D4 C3 D3 C2 D2 C1 D1");
    ACCEPTS("komi 6");
    SAYS("final_score", "= W+1.0");
    ACCEPTS("komi 5");
    SAYS("final_score", "= 0");
    REFUSES("final_status_list");
    REFUSES("final_status_list foo");
    talk_end(&talk);
}

/* A net that says that the columns A to C are Black's, the rest White's, and that White leads by
 * 9. */
static Status evaluate_wall(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                            Evaluation *out, Error *err) {
    (void)evaluator, (void)err;
    for (int i = 0; i < count; i++) {
        float sign = requests[i].position->mover == COLOR_WHITE ? 1 : -1;
        out[i] = (Evaluation){.width = 5, .height = 5, .has_ownership = true, .lead = 9 * sign};
        for (int k = 0; k < 25; k++)
            out[i].ownership[k] = k % 5 < 3 ? -sign : sign;
    }
    return OK;
}

static Status make_wall(void *context, const EvaluatorSpec *spec, Evaluator **out, Error *err) {
    static const EvaluatorClass WALLED = {"wall", evaluate_wall, plain_evaluator_free};
    (void)context, (void)spec;
    return plain_evaluator_new(&WALLED, 1, out, err);
}

/* If dead stones are left on the board, the net says which they are, and the rest is counted. */
TEST(dead_stones_are_taken_off_for_the_count) {
    Talk talk = talk_begin_with(5, make_wall);
    ACCEPTS("kata-set-rules chinese");
    ACCEPTS("komi 0.5");
    play_all(&talk, WALL);
    play_all(&talk, "pass a3");
    /* The game is not over, so the score is the lead of 9 that the net expects. The lead is rounded
     * to a score that is possible with the komi 0.5. */
    SAYS("final_score", "= W+9.5");
    play_all(&talk, "pass pass");
    SAYS("final_status_list dead", "= A3");
    SAYS("final_score", "= B+4.5");
    EXPECT_CONTAINS(talk_ask(&talk, "printsgf"), "RE[B+4.5]");
    EXPECT_CONTAINS(talk_ask(&talk, "printsgf"), "W[]C[result=B+4.5]");
    talk_end(&talk);
}

static Status refuse(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                     Evaluation *out, Error *err) {
    (void)evaluator, (void)requests, (void)count, (void)out;
    return (fail)(err, ERR_ARGUMENT, "the net was asked");
}

static Status make_refusing(void *context, const EvaluatorSpec *spec, Evaluator **out, Error *err) {
    static const EvaluatorClass REFUSING = {"refusing", refuse, plain_evaluator_free};
    (void)context, (void)spec;
    return plain_evaluator_new(&REFUSING, 1, out, err);
}

/* White's stone at A3 lives under these rules, because nobody has captured it. */
TEST(a_game_that_the_rules_decide_does_not_ask_the_net) {
    Talk talk = talk_begin_with(5, make_refusing);
    ACCEPTS("komi 0.5");
    play_all(&talk, WALL);
    EXPECT_CONTAINS(talk_ask(&talk, "final_status_list dead"), "the net was asked");
    play_all(&talk, "pass a3 pass pass");
    SAYS("final_status_list dead", "= ");
    SAYS("final_status_list alive", "= C5 D5 C4 D4 A3 C3 D3 C2 D2 C1 D1");
    talk_end(&talk);
}

/* Black has 11 points: those of columns A and B and a prisoner. White has 5 points and the komi. */
TEST(dead_stones_are_prisoners_under_territory_rules) {
    Talk talk = talk_begin_with(5, make_wall);
    ACCEPTS("kata-set-rules japanese");
    ACCEPTS("komi 0.5");
    play_all(&talk, WALL);
    play_all(&talk, "pass a3 pass pass");
    SAYS("final_status_list dead", "= A3");
    SAYS("final_score", "= B+5.5");
    ACCEPTS("play b a4"); /* the game goes on, so this is an estimate */
    SAYS("final_score", "= W+9.5");
    talk_end(&talk);
}

/* After the two passes White may not retake the ko at C3, because superko still forbids the board
 * that was there before Black took the ko. */
TEST(a_finished_game_is_searched_with_its_history) {
    Talk talk = talk_begin(5);
    play_all(&talk, "c4 d4 b3 e3 c2 d2 a1 c3 d3 pass pass");
    const char *answer = talk_ask(&talk, "kata-search_analyze w minmoves 100");
    EXPECT_CONTAINS(answer, "info move E1 ");
    EXPECT_TRUE(strstr(answer, "info move C3 ") == NULL);
    SAYS("play w c3", "= "); /* a client's move may break superko */
    talk_end(&talk);
}

/* A net for which 7 is the fair komi. It always expects the right winner. If White or Black is
 * ahead by at most 4 points, its lead is right. Otherwise it says that Black leads by 3. The policy
 * prefers a pass. Among the points, it prefers those that are not on the first line. */
static Status evaluate_fair(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                            Evaluation *out, Error *err) {
    (void)evaluator, (void)err;
    for (int i = 0; i < count; i++) {
        const Position *position = requests[i].position;
        float sign = position->mover == COLOR_WHITE ? 1 : -1, white = position->rules.komi - 7;
        out[i] = (Evaluation){.width = 5, .height = 5, .var_time = -1};
        out[i].win = 0.5f + 0.5f * sign * tanhf(white / 4);
        out[i].loss = 1 - out[i].win;
        out[i].lead = sign * (fabsf(white) <= 4 ? white : -3);
        for (int k = 0; k < 25; k++) {
            bool legal = position_is_legal(position, move_at_index(k, 5, 5)),
                 inside = k % 5 % 4 && k / 5 % 4;
            out[i].policy[k] = !legal ? -1 : inside ? 0.01f : 0.001f;
        }
        out[i].policy[25] = 0.9f;
    }
    return OK;
}

static Status make_fair(void *context, const EvaluatorSpec *spec, Evaluator **out, Error *err) {
    static const EvaluatorClass FAIR = {"fair", evaluate_fair, plain_evaluator_free};
    (void)context, (void)spec;
    return plain_evaluator_new(&FAIR, 1, out, err);
}

TEST(the_score_is_the_komi_that_would_be_fair) {
    static const struct {
        const char *komi, *score;
    } CASES[] = {{"komi 7", "= 0"},         {"komi 6.5", "= B+0.5"},    {"komi 9", "= W+2.0"},
                 {"komi 20", "= W+13.0"},   {"komi -12.5", "= B+19.5"}, {"komi 150", "= W+143.0"},
                 {"komi -400", "= B+407.0"}};
    Talk talk = talk_begin_with(5, make_fair);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        ACCEPTS(CASES[i].komi);
        SAYS("final_score", CASES[i].score);
    }
    talk_end(&talk);
}

/* place_free_handicap chooses by the policy, but never a pass. */
TEST(handicap_stones_are_no_passes) {
    Talk talk = talk_begin_with(5, make_fair);
    const char *at = talk_ask(&talk, "place_free_handicap 6") + 1;
    for (int i = 0; i < 6; i++, at += 3)
        EXPECT_TRUE(at[1] >= 'B' && at[1] <= 'D' && at[2] >= '2' && at[2] <= '4');
    EXPECT_TEXT("", at);
    talk_end(&talk);
}

TEST(games_go_to_files_and_come_back) {
    Talk talk = talk_begin(5);
    char path[64] = "/tmp/test_gtp_XXXXXX", line[128], printed[512];
    int descriptor = mkstemp(path);
    EXPECT_TRUE(descriptor >= 0);
    close(descriptor);
    ACCEPTS("komi 1.5");
    ACCEPTS("kata-set-rules japanese");
    play_all(&talk, "c3 d3 pass a1");
    snprintf(printed, sizeof printed, "%s", talk_ask(&talk, "printsgf"));
    snprintf(line, sizeof line, "printsgf %s", path);
    SAYS(line, "= ");
    ACCEPTS("boardsize 9");
    ACCEPTS("kata-set-rules chinese");
    snprintf(line, sizeof line, "loadsgf %s", path);
    SAYS(line, "= ");
    SAYS("printsgf", printed);
    SAYS("get_komi", "= 1.5");
    SAYS("undo", "= ");
    snprintf(line, sizeof line, "loadsgf %s 3", path); /* before move 3 */
    SAYS(line, "= ");
    SAYS("undo", "= ");
    SAYS("undo", "= ");
    SAYS("undo", "? cannot undo");
    REFUSES("loadsgf");
    REFUSES("loadsgf /nowhere/x.sgf");
    snprintf(line, sizeof line, "loadsgf %s 0", path);
    REFUSES(line);
    snprintf(line, sizeof line, "loadsgf %s x", path);
    REFUSES(line);
    REFUSES("printsgf /nowhere/x.sgf");
    unlink(path);
    talk_end(&talk);
}

/* By default variations are left out: in a commented game nobody played them. */
TEST(the_main_line_of_a_file_is_loaded) {
    static const char SGF[] = "(;SZ[5];B[cc](;W[bb];B[dd])(;W[dd];B[bb];W[bd];B[db]))";
    for (int longest = 0; longest < 2; longest++) {
        SessionSetup setup = talk_setup(5, talk_evaluator);
        setup.gtp.longest_variation = longest;
        Talk talk = talk_begin_as(&setup);
        char path[64] = "/tmp/test_gtp_XXXXXX", line[128];
        EXPECT_OK(file_write((close(mkstemp(path)), path), SGF, strlen(SGF), err));
        snprintf(line, sizeof line, "loadsgf %s", path);
        ACCEPTS(line);
        EXPECT_CONTAINS(talk_ask(&talk, "printsgf"), longest ? ";W[dd];B[bb]" : ";W[bb];B[dd])");
        unlink(path);
        talk_end(&talk);
    }
}

TEST(a_bad_file_leaves_the_game_alone) {
    static const char *const BAD[] = {"",
                                      "(",
                                      "(;GM[1]SZ[5];B[aa",
                                      "(;SZ[99];B[aa])",
                                      "(;SZ[5];B[zz])",
                                      "(;SZ[5];B[aa];W[aa])",
                                      "nonsense"};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        Talk talk = talk_begin(7);
        char path[64] = "/tmp/test_gtp_XXXXXX", line[128];
        int descriptor = mkstemp(path);
        EXPECT_TRUE(descriptor >= 0);
        EXPECT_INT(strlen(BAD[i]), write(descriptor, BAD[i], strlen(BAD[i])));
        close(descriptor);
        ACCEPTS("play b c3");
        snprintf(line, sizeof line, "loadsgf %s", path);
        REFUSES(line);
        SAYS("printsgf", "= (;FF[4]GM[1]SZ[7]PB[]PW[]HA[0]KM[7.5]RU[TrompTaylor];B[ce])");
        SAYS("undo", "= ");
        unlink(path);
        talk_end(&talk);
    }
}

TEST(rules_change_and_the_game_stays) {
    Talk talk = talk_begin(5);
    ACCEPTS("play b c3");
    ACCEPTS("kata-set-rules chinese");
    EXPECT_CONTAINS(talk_ask(&talk, "kata-get-rules"), "\"suicide\":false");
    REFUSES("kata-set-rules");
    REFUSES("kata-set-rules blah");
    REFUSES("kata-set-rules {bad");
    EXPECT_CONTAINS(talk_ask(&talk, "kata-get-rules"), "\"suicide\":false");
    SAYS("printsgf", "= (;FF[4]GM[1]SZ[5]PB[]PW[]HA[0]KM[7.5]RU[Chinese];B[cc])");
    talk_end(&talk);
}

TEST(quit_is_answered) {
    Talk talk = talk_begin(5);
    ACCEPTS("name");
    EXPECT_FALSE(talk.quit);
    SAYS("5 quit", "=5 ");
    EXPECT_TRUE(talk.quit);
    talk_end(&talk);
}

TEST(a_game_has_at_most_20000_moves) {
    Talk talk = talk_begin(5);
    ACCEPTS("play b C3");
    for (int i = 1; i < 20000; i++)
        ACCEPTS(i % 2 ? "play w pass" : "play b pass");
    SAYS("play b pass", "? a game can have at most 20000 moves");
    REFUSES("genmove b");
    ACCEPTS("undo");
    ACCEPTS("play w pass");
    REFUSES("play b pass");
    talk_end(&talk);
}

TEST(rules_may_have_blanks) {
    Talk talk = talk_begin(5);
    ACCEPTS("kata-set-rules ko SIMPLE score AREA tax NONE sui 1");
    SAYS("kata-get-rules",
         "= {\"friendlyPassOk\":false,\"hasButton\":false,\"ko\":\"SIMPLE\",\"scoring\":\"AREA\","
         "\"suicide\":true,\"tax\":\"NONE\",\"whiteHandicapBonus\":\"0\"}");
    REFUSES("kata-set-rules ko");
    REFUSES("kata-set-rules ko score AREA");
    REFUSES("kata-set-rules k o SIMPLE");
    talk_end(&talk);
}

TEST_MAIN(RUN(a_game_has_at_most_20000_moves), RUN(rules_may_have_blanks), RUN(says_who_it_is),
          RUN(knows_every_command_that_it_lists), RUN(gogui_analyze_commands_are_answered),
          RUN(ids_come_back), RUN(comments_and_control_characters_do_not_count),
          RUN(an_id_alone_is_an_empty_command), RUN(board_sizes_have_limits),
          RUN(komi_is_a_half_integer_within_bounds), RUN(moves_are_played_and_taken_back),
          RUN(undo_brings_captured_stones_back), RUN(the_engine_moves),
          RUN(either_color_may_move_twice), RUN(fixed_handicap_has_its_table),
          RUN(free_handicap_is_set_and_placed), RUN(times_are_accepted),
          RUN(a_finished_game_has_its_score), RUN(dead_stones_are_taken_off_for_the_count),
          RUN(dead_stones_are_prisoners_under_territory_rules),
          RUN(a_game_that_the_rules_decide_does_not_ask_the_net),
          RUN(a_finished_game_is_searched_with_its_history),
          RUN(the_score_is_the_komi_that_would_be_fair), RUN(handicap_stones_are_no_passes),
          RUN(games_go_to_files_and_come_back), RUN(the_main_line_of_a_file_is_loaded),
          RUN(a_bad_file_leaves_the_game_alone), RUN(rules_change_and_the_game_stays),
          RUN(quit_is_answered))
