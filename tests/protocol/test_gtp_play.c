/* What a GTP client sees of clocks, limits, resignation, several threads, pondering and
 * interrupts. */
#include "base/clock.h"
#include "gtp_line.h"
#include "protocol/gtp/gtp_engine.h"

/* Returns the seconds that Black has left on the engine's own clock, or -1 if there is no limit. */
static double black_has(Talk *talk) {
    const char *left = strstr(talk_ask(talk, "kata-debug-print-tc"), "timeLeft ");
    return left ? strtod(left + 9, NULL) : -1;
}

TEST(the_engines_clock_runs_until_time_left_sets_it) {
    Talk talk = talk_begin(5);
    ACCEPTS("kata-time_settings fischer 10000 5000");
    EXPECT_NEAR(10000, black_has(&talk), 0);
    ACCEPTS("genmove b"); /* 12 visits */
    double left = black_has(&talk);
    EXPECT_TRUE(left > 10000 && left <= 15000); /* 5000 more, less the time of the move */
    EXPECT_CONTAINS(talk_ask(&talk, "kata-debug-print-tc"), "timeLeft 10000 "); /* White's */
    ACCEPTS("time_left b 4 0");
    EXPECT_NEAR(4, black_has(&talk), 0);
    REFUSES("time_left b 4 2"); /* there are no periods */
    ACCEPTS("clear_board");
    EXPECT_NEAR(10000, black_has(&talk), 0);
    talk_end(&talk);
}

TEST(periods_run_down_without_time_left) {
    Talk talk = talk_begin(5);
    ACCEPTS("kata-time_settings byoyomi 0 3000 3");
    EXPECT_CONTAINS(talk_ask(&talk, "kata-debug-print-tc"),
                    "timeLeft 3000 periodsLeft 3 stonesLeft 1");
    ACCEPTS("genmove b");
    EXPECT_CONTAINS(talk_ask(&talk, "kata-debug-print-tc"),
                    "Black originalMainTime 0 perPeriodTime 3000 numStonesPerPeriod 1 increment 0 "
                    "timeLeft 3000 periodsLeft 3 stonesLeft 1");
    ACCEPTS("time_settings 0 3000 5");
    ACCEPTS("genmove b");
    EXPECT_CONTAINS(talk_ask(&talk, "kata-debug-print-tc"), "periodsLeft 1 stonesLeft 4");
    talk_end(&talk);
}

static double seconds_of(Talk *talk, const char *line) {
    double start = clock_seconds();
    const char *answer = talk_ask(talk, line);
    if (answer[0] != '=') fail_msg("%s: %s", line, answer);
    return clock_seconds() - start;
}

/* A search takes no more than the clock allows, whatever its limit of visits. */
TEST(a_clock_bounds_the_search) {
    Talk talk = talk_begin(9);
    ACCEPTS("kata-set-param maxVisits 1000000000");
    ACCEPTS("kata-set-param lagBuffer 0");
    ACCEPTS("kata-time_settings byoyomi 0 0.2 1");
    EXPECT_TRUE(seconds_of(&talk, "genmove b") < 30); /* how soon depends on the machine */
    ACCEPTS("kata-time_settings absolute 0");
    EXPECT_TRUE(seconds_of(&talk, "genmove w") < 30);
    talk_end(&talk);
}

static void expect_visits(const Talk *talk, int64_t visits, bool without_clock) {
    SessionLimits limits = session_limits(session_setup(talk->gtp->session));
    EXPECT_INT(visits, limits.visits);
    EXPECT_INT(without_clock, limits.visits_without_clock);
}

/* The limit of visits in the setup may be meant only for games without a clock. A limit that the
 * client sets holds with a clock, too, until the client resets it. This is so even if the client's
 * limit is the same number. */
TEST(visits_that_a_client_sets_hold_under_a_clock) {
    for (int without = 0; without < 2; without++) {
        Talk talk = talk_begin(5);
        SessionSetup setup = *session_setup(talk.gtp->session);
        setup.visits_without_clock = without;
        gtp_free(talk.gtp);
        EXPECT_OK(gtp_new(&setup, "9.8", &talk.gtp, err));
        ACCEPTS("kata-time_settings byoyomi 0 1000 1");
        ACCEPTS("kata-set-param maxTime 500");
        expect_visits(&talk, 12, without);
        ACCEPTS("kata-set-param maxVisits 12");
        expect_visits(&talk, 12, false);
        ACCEPTS("kata-set-param maxVisits");
        expect_visits(&talk, 12, without);
        ACCEPTS("kata-set-params {\"maxVisits\":30,\"cpuctExploration\":1.5}");
        expect_visits(&talk, 30, false);
        ACCEPTS("genmove b");
        REFUSES("kata-set-param maxVisits 0");
        ACCEPTS("kata-set-param cpuctExploration");
        expect_visits(&talk, 30, false);
        ACCEPTS("kata-set-param max_visits");
        expect_visits(&talk, 12, without);
        talk_end(&talk);
    }
}

/* The uniform evaluator finds every game even. With a threshold of 0 an even game counts as lost,
 * and after 2 such searches (resignConsecTurns) the engine resigns. Each command in ANEW starts
 * this count again. */
TEST(lost_games_are_resigned) {
    static const char *const ANEW[] = {"clear_board", "undo", "komi 3", "kata-set-rules aga"};
    Talk talk = talk_begin(5);
    SAYS("kata-get-param allowResignation", "= true");
    SAYS("kata-get-param resignThreshold", "= -0.9");
    SAYS("kata-get-param resignConsecTurns", "= 3");
    ACCEPTS("kata-set-params {\"resignThreshold\":0,\"resignConsecTurns\":2,"
            "\"staticScoreUtilityFactor\":0}");
    for (size_t i = 0; i < sizeof ANEW / sizeof *ANEW; i++) {
        ACCEPTS("clear_board");
        EXPECT_TRUE(strcmp(talk_ask(&talk, "genmove b"), "= resign") != 0);
        ACCEPTS(ANEW[i]);
        EXPECT_TRUE(strcmp(talk_ask(&talk, "genmove b"), "= resign") != 0);
        ACCEPTS("play w pass");
        SAYS("genmove b", "= resign");
        SAYS("genmove_debug b", "= resign");
        EXPECT_CONTAINS(talk_ask(&talk, "kata-genmove_analyze b 100"), "play resign");
    }
    ACCEPTS("komi 3");
    ACCEPTS("clear_board");
    EXPECT_TRUE(strcmp(talk_ask(&talk, "genmove b"), "= resign") != 0);
    ACCEPTS("komi 3"); /* the komi in force: the count goes on */
    ACCEPTS("play w pass");
    SAYS("genmove b", "= resign");
    ACCEPTS("kata-set-param allowResignation false");
    EXPECT_TRUE(strcmp(talk_ask(&talk, "genmove b"), "= resign") != 0);
    ACCEPTS("kata-set-param allowResignation");
    SAYS("kata-get-param allowResignation", "= true");
    talk_end(&talk);
}

/* Weaker play with few visits, and with the pass or other moves to be avoided, plays stones. */
TEST(weaker_play_does_not_pass_for_want_of_visits) {
    static const char *const WAYS[] = {
        "{\"search.gumbel.on\":true,\"search.level.draw\":true,\"search.level.loss_scale\":10,"
        "\"maxVisits\":2}",
        "{\"search.gumbel.on\":false,\"search.level.draw\":false,\"maxVisits\":1}"};
    Talk talk = talk_begin(5);
    for (int way = 0; way < 2; way++) {
        char line[256];
        snprintf(line, sizeof line, "kata-set-params %s", WAYS[way]);
        ACCEPTS(line);
        ACCEPTS("clear_board");
        EXPECT_TRUE(strcmp(talk_ask(&talk, "genmove b"), "= pass") != 0);
        ACCEPTS("clear_board");
        ACCEPTS("place_free_handicap 2"); /* avoids the pass */
    }
    talk_end(&talk);
}

/* The Beta law draws no move that is to be avoided. */
TEST(moves_of_the_policy_are_avoided_too) {
    Talk talk = talk_begin(5);
    ACCEPTS("kata-set-param search.choice_law policy_beta");
    for (int i = 0; i < 5; i++) {
        ACCEPTS("clear_board");
        const char *answer = talk_ask(&talk, "lz-genmove_analyze b 100 allow b C3,D4 1");
        EXPECT_TRUE(strstr(answer, "play C3") || strstr(answer, "play D4"));
    }
    talk_end(&talk);
}

static long long root_visits(Talk *talk, const char *line) {
    talk_ask(talk, "clear_cache");
    const char *root = strstr(talk_ask(talk, line), "rootInfo "),
               *at = root ? strstr(root, " visits ") : NULL;
    return at ? strtoll(at + 8, NULL, 10) : -1;
}

/* A search has fewer visits if the three searches before it found values above the threshold. So
 * the factor .25 can apply only from the fourth search on. It has its full effect at the value 1.
 * The value 0 of an even game is halfway from the threshold -1 to 1, so the factor has half of its
 * effect, and the fourth search has
 *     40 * (1 + .5 * (.25 - 1)) = 25 visits */
TEST(won_games_are_searched_less) {
    Talk talk = talk_begin(5);
    ACCEPTS("kata-set-params {\"searchFactorWhenWinning\":0.25,"
            "\"searchFactorWhenWinningThreshold\":-1,\"maxVisits\":40}");
    for (int i = 0; i < 3; i++)
        EXPECT_INT(40, root_visits(&talk, "kata-search_analyze b 100000 rootInfo true"));
    EXPECT_INT(25, root_visits(&talk, "kata-search_analyze b 100000 rootInfo true"));
    ACCEPTS("clear_board");
    EXPECT_INT(40, root_visits(&talk, "kata-search_analyze b 100000 rootInfo true"));
    talk_end(&talk);
}

TEST(threads_and_clock_are_settings) {
    Talk talk = talk_begin(5);
    SAYS("kata-get-param numSearchThreads", "= 1");
    ACCEPTS("kata-set-param numSearchThreads 3");
    SAYS("kata-get-param numSearchThreads", "= 3");
    ACCEPTS("genmove b");
    ACCEPTS("genmove w");
    ACCEPTS("boardsize 7");
    ACCEPTS("genmove b");
    REFUSES("kata-set-param numSearchThreads 0");
    REFUSES("kata-set-param numSearchThreads 100000");
    REFUSES("kata-set-params {\"numSearchThreads\":2,\"maxVisits\":1125899906842624}");
    SAYS("kata-get-param numSearchThreads", "= 3");
    ACCEPTS("kata-set-param ponderingEnabled true");
    SAYS("kata-get-param ponderingEnabled", "= true");
    ACCEPTS("kata-set-param obviousMovesTimeFactor 0.25");
    SAYS("kata-get-param obviousMovesTimeFactor", "= 0.25");
    talk_end(&talk);
}

/* Returns the first line of the next answer, and reads and drops the rest. */
static const char *answer(Line *line) {
    static char text[1 << 16], more[1 << 16];
    if (!fgets(text, sizeof text, line->answers)) fail_msg("the output has ended");
    for (more[0] = 0; more[0] != '\n';) {
        if (!fgets(more, sizeof more, line->answers)) fail_msg("the output has ended");
    }
    return text;
}

static const char *ask(Line *line, const char *text) {
    say(line, text);
    return answer(line);
}

/* Reads the reports of kata-search_analyze with rootInfo, and returns the visits of the root in the
 * last of them, or -1 if there is none. */
static long long visits_reported(Line *line) {
    static char row[1 << 16];
    long long visits = -1;
    while (fgets(row, sizeof row, line->answers) && row[0] != '\n') {
        const char *root = strstr(row, "rootInfo ");
        const char *at = root ? strstr(root, " visits ") : NULL;
        if (at) visits = strtoll(at + 8, NULL, 10);
    }
    return visits;
}

/* Searches, and returns the visits of the root. If the kept tree already has as many as the limit
 * allows, these are its visits. */
static long long visits_after_search(Line *line, const char *color) {
    char text[64];
    snprintf(text, sizeof text, "kata-search_analyze %s rootInfo true\n", color);
    say(line, text);
    return visits_reported(line);
}

/* Lets the opponent think for twice `milliseconds`, and then play the move that the engine expects.
 * Returns the visits of the root after that. With `ponder` the engine ponders meanwhile. */
static long long kept_after_reply(bool ponder, int milliseconds) {
    Line line;
    line_begin(&line, 3);
    if (ponder) ask(&line, "kata-set-param ponderingEnabled true\n");
    ask(&line, "kata-set-param conservativePass false\n"); /* so that a pass keeps the tree */
    ask(&line, "kata-set-param maxVisits 4\n");
    EXPECT_CONTAINS(ask(&line, "genmove b\n"), "= ");
    clock_sleep_ms(milliseconds);
    EXPECT_CONTAINS(ask(&line, "name\n"), "= Aji"); /* a command interrupts pondering briefly */
    clock_sleep_ms(milliseconds);
    char reply[64];
    snprintf(reply, sizeof reply, "play w %.8s", ask(&line, "kata-search w\n") + 2);
    EXPECT_CONTAINS(ask(&line, reply), "=");
    long long visits = visits_after_search(&line, "b");
    line_end(&line);
    return visits;
}

TEST(what_was_thought_in_the_opponents_time_is_kept) {
    long long with = 0;
    EXPECT_TRUE(kept_after_reply(false, 100) <= 8);
    for (int ms = 100; with <= 20 && ms < 20000; ms *= 4) /* a busy machine needs longer */
        with = kept_after_reply(true, ms);
    EXPECT_TRUE(with > 20);
}

/* Lines come at any time while several threads ponder, analyse or search. */
TEST(threads_can_be_interrupted_at_any_time) {
    Line line;
    line_begin(&line, 5);
    ask(&line, "kata-set-param numSearchThreads 4\n");
    ask(&line, "kata-set-param ponderingEnabled true\n");
    ask(&line, "kata-set-param maxVisits 100\n");
    for (int i = 0; i < 12; i++) {
        const char *mover = i % 2 ? "w" : "b";
        char text[64];
        snprintf(text, sizeof text, "genmove %s\n", mover);
        EXPECT_CONTAINS(ask(&line, text), "= ");
        clock_sleep_ms(i % 4 * 3);
        say(&line, "kata-analyze 1 ownership true\n");
        clock_sleep_ms(i % 3 * 8);
        say(&line, "\n");
        EXPECT_CONTAINS(answer(&line), "=");
        if (i == 5) EXPECT_CONTAINS(ask(&line, "undo\n"), "=");
        if (i == 5) EXPECT_CONTAINS(ask(&line, "kata-set-param numSearchThreads 2\n"), "=");
        if (i == 8) EXPECT_CONTAINS(ask(&line, "kata-set-param numSearchThreads 4\n"), "=");
        say(&line, "kata-search_cancellable w\n");
        clock_sleep_ms(2);
        EXPECT_CONTAINS(ask(&line, "name\n"), "=");
        EXPECT_CONTAINS(answer(&line), "= Aji");
    }
    line_end(&line);
}

/* GoGui's manual, "Interrupting Commands": an interrupt ends the search, and the answer is the best
 * move so far. A search that is commanded after the interrupt is not cut short, however soon it
 * comes. */
TEST(an_interrupt_ends_only_the_search_before_it) {
    Line line;
    line_begin(&line, 5);
    ask(&line, "kata-set-param maxVisits 1000000000\n");
    say(&line, "place_free_handicap 3\n# interrupt\n");
    EXPECT_CONTAINS(answer(&line), "= ");
    ask(&line, "clear_board\n");
    say(&line, "1 genmove b\n");
    clock_sleep_ms(20);
    say(&line, "# interrupt\r\n"); /* GTP discards carriage returns */
    EXPECT_CONTAINS(answer(&line), "=1 ");
    say(&line, "2 genmove w\n# interrupt\n3 kata-genmove_analyze b\n# interrupt\n"
               "4 kata-set-param maxVisits 40\n");
    EXPECT_CONTAINS(answer(&line), "=2 ");
    EXPECT_CONTAINS(answer(&line), "=3");
    EXPECT_CONTAINS(answer(&line), "=4");
    say(&line, "5 clear_cache\n# interrupt\n6 kata-search_analyze w rootInfo true\n");
    EXPECT_CONTAINS(answer(&line), "=5");
    EXPECT_INT(40, visits_reported(&line));
    line_end(&line);
}

TEST_MAIN(RUN(the_engines_clock_runs_until_time_left_sets_it),
          RUN(periods_run_down_without_time_left), RUN(a_clock_bounds_the_search),
          RUN(visits_that_a_client_sets_hold_under_a_clock), RUN(lost_games_are_resigned),
          RUN(weaker_play_does_not_pass_for_want_of_visits),
          RUN(moves_of_the_policy_are_avoided_too), RUN(won_games_are_searched_less),
          RUN(threads_and_clock_are_settings), RUN(what_was_thought_in_the_opponents_time_is_kept),
          RUN(threads_can_be_interrupted_at_any_time),
          RUN(an_interrupt_ends_only_the_search_before_it))
