/* Lines that are broken at blanks. */
#include "base/options/wrap.h"
#include "test.h"

static void expect_wrapped(const char *want, int columns, const char *text) {
    StrBuf out = {0};
    wrap_text(text, columns, &out);
    EXPECT_TEXT(want, strbuf_text(&out));
    strbuf_clear(&out);
}

TEST(lines_are_broken_at_blanks) {
    expect_wrapped("one two\nthree\n", 9, "one two three");
    expect_wrapped("one two\nthree\n", 7, "one two three\n");
    expect_wrapped("one\ntwo\n", 6, "one two");
    expect_wrapped("one two three\n", 0, "one two three");
    expect_wrapped("one\n\ntwo\n", 9, "one\n\ntwo\n");
    expect_wrapped("", 9, "");
}

TEST(a_word_that_is_too_long_is_broken) {
    expect_wrapped("abcd\nefgh\ni jk\n", 4, "abcdefghi jk");
    expect_wrapped("a\nbcde\nf\n", 4, "a bcdef");
    expect_wrapped("  ab\ncdef\n", 4, "  abcdef");
}

TEST(explanations_stay_in_their_column) {
    expect_wrapped("  show  draws\n        one row\n", 16, "  show  draws one row");
    expect_wrapped("  show  draws\none row\n", 14, "  show  draws one row");
    expect_wrapped("  an example\nwithout any\n", 14, "  an example without any");
}

TEST(characters_and_not_bytes_are_counted) {
    const char *text = "\033[48;5;1m\u25cf\033[0m b";
    EXPECT_INT(3, wrap_columns(text, strlen(text)));
    EXPECT_INT(0, wrap_columns("\033[", 2));
    expect_wrapped("\033[48;5;1m\u25cf\033[0m b\nc\n", 3, "\033[48;5;1m\u25cf\033[0m b c");
    expect_wrapped("\u25cf\u25cf\n\u25cf\n", 2, "\u25cf\u25cf\u25cf");
}

TEST_MAIN(RUN(lines_are_broken_at_blanks), RUN(a_word_that_is_too_long_is_broken),
          RUN(explanations_stay_in_their_column), RUN(characters_and_not_bytes_are_counted))
