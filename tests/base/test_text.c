/* Text that grows, durations, bars and progress, and the statistics that tables show. */
#include "base/clock.h"
#include "base/progress.h"
#include "base/statistic.h"
#include "base/strbuf.h"
#include "test.h"

TEST(text_grows) {
    StrBuf buf = {0};
    EXPECT_TEXT("", strbuf_text(&buf));
    strbuf_add(&buf, "");
    EXPECT_TEXT("", strbuf_text(&buf));
    for (int i = 0; i < 1000; i++)
        strbuf_addf(&buf, "%d,", i % 10);
    strbuf_add_bytes(&buf, "abc", 2);
    EXPECT_INT(2002, buf.length);
    EXPECT_INT(2002, strlen(buf.text));
    EXPECT_TEXT("9,ab", buf.text + 1998);
    EXPECT_OK(strbuf_status(&buf, err));
    strbuf_reset(&buf);
    EXPECT_TEXT("", strbuf_text(&buf));
    strbuf_add(&buf, "again");
    EXPECT_TEXT("again", strbuf_text(&buf));
    strbuf_clear(&buf);
    EXPECT_TRUE(buf.text == NULL);
}

TEST(lines_longer_than_any_buffer_are_whole) {
    StrBuf buf = {0};
    strbuf_addf(&buf, "<%70000d>", 7);
    EXPECT_INT(70002, buf.length);
    EXPECT_TEXT("7>", buf.text + 70000);
    strbuf_clear(&buf);
}

TEST(a_failed_growth_is_remembered) {
    StrBuf buf = {0};
    Error err = {0};
    strbuf_add(&buf, "kept");
    strbuf_add_bytes(&buf, "x", (size_t)PTRDIFF_MAX);
    strbuf_add(&buf, "lost");
    EXPECT_TEXT("kept", strbuf_text(&buf));
    EXPECT_STATUS(ERR_MEMORY, strbuf_status(&buf, &err));
    EXPECT_CONTAINS(err.message, "no memory");
    strbuf_clear(&buf);
    EXPECT_STATUS(OK, strbuf_status(&buf, &err));
}

TEST(markup_is_escaped_in_xml) {
    static const char TEXT[] = "<b> & \"c\"\x01\n\xc3\xa9";
    StrBuf buf = {0};
    strbuf_add_xml(&buf, TEXT, strlen(TEXT));
    EXPECT_TEXT("&lt;b&gt; &amp; \"c\"\n\xc3\xa9", strbuf_text(&buf));
    strbuf_clear(&buf);
}

TEST(times_have_the_units_that_fit) {
    static const struct {
        double seconds;
        const char *text;
    } CASES[] = {{0, "0s"},
                 {-5, "0s"},
                 {0.4, "0s"},
                 {45, "45s"},
                 {59.6, "1m00s"},
                 {200, "3m20s"},
                 {3599.4, "59m59s"},
                 {3599.5, "1h00m"},
                 {3900, "1h05m"},
                 {360000, "100h00m"},
                 {(double)NAN, "0s"},
                 {1e300, "over 9999h"},
                 {(double)INFINITY, "over 9999h"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        EXPECT_TEXT(CASES[i].text, clock_duration_text(CASES[i].seconds).text);
}

TEST(time_goes_on) {
    int64_t before = clock_now_ns();
    double cpu = clock_thread_cpu_seconds();
    clock_sleep_ms(2);
    EXPECT_TRUE(clock_now_ns() - before >= 2000000);
    EXPECT_TRUE(clock_thread_cpu_seconds() >= cpu);
    EXPECT_INT(19, strlen(clock_date_text().text));
}

TEST(bars_fill_from_the_left) {
    EXPECT_TEXT("[#####.....]", progress_bar(0.5, 10).text);
    EXPECT_TEXT("[..........]", progress_bar(0, 10).text);
    EXPECT_TEXT("[..........]", progress_bar(-3, 10).text);
    EXPECT_TEXT("[..........]", progress_bar((double)NAN, 10).text);
    EXPECT_TEXT("[#########.]", progress_bar(0.999, 10).text); /* a bar is full only at 1 */
    EXPECT_TEXT("[##########]", progress_bar(1, 10).text);
    EXPECT_TEXT("[##########]", progress_bar((double)INFINITY, 10).text);
    EXPECT_TEXT("[]", progress_bar(0.5, 0).text);
    EXPECT_TEXT("[]", progress_bar(0.5, -7).text);
    EXPECT_INT(62, strlen(progress_bar(1, 1000).text)); /* the size of the buffer */
}

/* Returns what has been written to the stream so far. */
static const char *written(FILE *stream) {
    static char text[1000];
    rewind(stream);
    size_t length = fread(text, 1, sizeof text - 1, stream);
    text[length] = 0;
    return text;
}

TEST(pipes_get_a_line_now_and_then) {
    FILE *stream = tmpfile();
    EXPECT_TRUE(stream != NULL);
    Progress progress = progress_start(stream, 3600);
    EXPECT_FALSE(progress.terminal);
    progress_show(&progress, "block\n", "first", false);
    progress_show(&progress, "block\n", "too soon", false);
    progress_show(&progress, "block\n", "asked for", true);
    progress_show(&progress, "block\n", "", true); /* an empty text writes no line */
    progress_print(&progress, "a word between");
    progress_show(&progress, "block\n", "after it", false);
    progress_end(&progress);
    EXPECT_TEXT("first\nasked for\na word between\nafter it\n", written(stream));
    fclose(stream);
}

TEST(terminals_are_drawn_over) {
    FILE *stream = tmpfile();
    EXPECT_TRUE(stream != NULL);
    Progress progress = progress_start(stream, 1);
    progress.terminal = true;
    progress_show(&progress, "one\ntwo\n", "", true);
    EXPECT_INT(2, progress.lines_drawn);
    progress_show(&progress, "three\n", "", true);
    progress_print(&progress, "stays");
    progress_show(&progress, "four\n", "", true);
    progress_end(&progress);
    progress_show(&progress, "five\n", "", true); /* below the last block, which stays */
    EXPECT_TEXT("one\ntwo\n\r\x1b[2A\x1b[Jthree\n\r\x1b[1A\x1b[Jstays\nfour\nfive\n",
                written(stream));
    fclose(stream);
}

TEST(means_and_deviations) {
    static const double VALUES[] = {2, 4, 4, 4, 5, 5, 7, 9};
    RunningMean mean = {0}, large = {0};
    EXPECT_NEAR(0, running_mean_deviation(&mean), 0);
    for (int i = 0; i < 8; i++) {
        running_mean_add(&mean, VALUES[i]);
        running_mean_add(&large, 1e9 + VALUES[i]); /* sums of squares would lose precision */
    }
    EXPECT_NEAR(5, mean.mean, 1e-12);
    EXPECT_NEAR(sqrt(32.0 / 7), running_mean_deviation(&mean), 1e-12);
    EXPECT_NEAR(sqrt(32.0 / 7), running_mean_deviation(&large), 1e-6);
}

TEST(medians_are_in_the_middle) {
    double odd[] = {5, -1, 3}, even[] = {4, 1, 3, 2}, one[] = {7};
    EXPECT_NEAR(3, median(odd, 3), 0);
    EXPECT_NEAR(2.5, median(even, 4), 0);
    EXPECT_NEAR(7, median(one, 1), 0);
    EXPECT_NEAR(0, median(NULL, 0), 0);
    EXPECT_NEAR(-1, odd[0], 0); /* median() sorts the values */
}

TEST(intervals_of_proportions) {
    /* Wilson 1927. For 5 of 10, many textbooks have the interval from 0.2366 to 0.7634. */
    Interval half = wilson_interval(5, 10, 1.96), none = wilson_interval(0, 10, 1.96);
    EXPECT_NEAR(0.2366, half.low, 5e-5);
    EXPECT_NEAR(0.7634, half.high, 5e-5);
    EXPECT_NEAR(0, none.low, 1e-12);
    EXPECT_NEAR(0.2775, none.high, 5e-5);
    Interval all = wilson_interval(10, 10, 1.96), unknown = wilson_interval(0, 0, 1.96);
    EXPECT_NEAR(1 - none.high, all.low, 1e-12);
    EXPECT_NEAR(1, all.high, 1e-12);
    EXPECT_TRUE(all.high <= 1 && none.low >= 0);
    EXPECT_NEAR(0, unknown.low, 0);
    EXPECT_NEAR(1, unknown.high, 0);
}

TEST_MAIN(RUN(text_grows), RUN(lines_longer_than_any_buffer_are_whole),
          RUN(a_failed_growth_is_remembered), RUN(markup_is_escaped_in_xml),
          RUN(times_have_the_units_that_fit), RUN(time_goes_on), RUN(bars_fill_from_the_left),
          RUN(pipes_get_a_line_now_and_then), RUN(terminals_are_drawn_over),
          RUN(means_and_deviations), RUN(medians_are_in_the_middle), RUN(intervals_of_proportions))
