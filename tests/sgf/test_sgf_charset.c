/* Conversion of files in other charsets to UTF-8. */
#include "sgf/sgf_charset.h"
#include "sgf/sgf_game.h"
#include "test.h"

static void expect_decoded(const char *want, const char *bytes, size_t count) {
    StrBuf out = {0};
    EXPECT_OK(sgf_charset_decode(bytes, count, &out, err));
    EXPECT_TEXT(want, strbuf_text(&out));
    strbuf_clear(&out);
}
#define EXPECT_DECODED(want, bytes) expect_decoded(want, bytes, sizeof(bytes) - 1)

TEST(utf8_is_kept) {
    EXPECT_DECODED("(;C[\xC3\xA9\xE6\xA3\x8B\xF0\x9F\x98\x80])",
                   "(;C[\xC3\xA9\xE6\xA3\x8B\xF0\x9F\x98\x80])");
    EXPECT_DECODED("(;CA[UTF-8]C[\xC3\xA9])", "(;CA[UTF-8]C[\xC3\xA9])");
    EXPECT_DECODED("(;)", "\xEF\xBB\xBF(;)");
    EXPECT_DECODED("", "");
}

TEST(single_bytes_are_windows_1252) {
    EXPECT_DECODED("(;C[\xC3\xA9])", "(;C[\xE9])");
    EXPECT_DECODED("(;CA[ISO-8859-1]C[\xC3\xA9 \xE2\x82\xAC])", "(;CA[ISO-8859-1]C[\xE9 \x80])");
    /* CA decides, although the text looks like UTF-8 */
    EXPECT_DECODED("(;CA[windows-1252]C[\xC3\x83\xC2\xA9])", "(;CA[windows-1252]C[\xC3\xA9])");
    EXPECT_DECODED("(;CA[nonsense]C[\xC3\xBF])", "(;CA[nonsense]C[\xFF])");
    EXPECT_DECODED("(;CA[utf-8]C[\xC3\xA9\xC3\xA9])", "(;CA[utf-8]C[\xC3\xA9\xE9])"); /* bad byte */
}

TEST(bad_utf8_is_never_passed_on) {
    EXPECT_DECODED("\xC3\x80\xE2\x82\xAC", "\xC0\x80");
    EXPECT_DECODED("(;CA[utf8]\xC3\xAD\xC2\xA0\xE2\x82\xAC)",
                   "(;CA[utf8]\xED\xA0\x80)"); /* a surrogate */
    EXPECT_DECODED("\xC3\xB4\xC2\x90\xE2\x82\xAC\xE2\x82\xAC", "\xF4\x90\x80\x80");
    EXPECT_DECODED("a b", "a\0b");
}

TEST(east_asian_bytes_may_look_like_brackets) {
    /* the second byte of U+8868 in Shift JIS is a backslash */
    EXPECT_DECODED("(;CA[Shift_JIS]C[\xE8\xA1\xA8])", "(;CA[Shift_JIS]C[\x95\x5C])");
    EXPECT_DECODED("(;CA[gb2312]C[\xE6\xA3\x8B])", "(;CA[gb2312]C[\xC6\xE5])");
    EXPECT_DECODED("(;CA[Big5]C[\xE6\xA3\x8B])", "(;CA[Big5]C[\xB4\xD1])");
    EXPECT_DECODED("(;CA[EUC-KR]C[\xEB\xB0\x94])", "(;CA[EUC-KR]C[\xB9\xD9])");
    EXPECT_DECODED("(;CA[KOI8-R]C[\xD0\x90])", "(;CA[KOI8-R]C[\xE1])");
}

TEST(utf16_is_known_by_its_byte_order_mark) {
    EXPECT_DECODED("(;)", "\xFF\xFE(\0;\0)\0");
    EXPECT_DECODED("(;)", "\xFE\xFF\0(\0;\0)");
    EXPECT_DECODED("(\xEF\xBF\xBD", "\xFF\xFE(\0;"); /* half a character */
}

TEST(invalid_bytes_become_replacement_characters) {
    EXPECT_DECODED("(;CA[EUC-JP]C[\xEF\xBF\xBD])", "(;CA[EUC-JP]C[\xFF])");
}

TEST(only_a_property_names_the_charset) {
    EXPECT_DECODED("(;C[CA\\[gbk]N[\xC3\xA9])", "(;C[CA\\[gbk]N[\xC3\xA9])");
    EXPECT_DECODED("(;CA", "(;CA");
    EXPECT_DECODED("(;CA[", "(;CA[");
}

TEST(a_shift_jis_game_reads_whole) {
    const char text[] = "(;GM[1]CA[Shift_JIS]SZ[9]PB[\x95\x5C]PW[W];B[aa])";
    SgfGame game;
    EXPECT_OK(sgf_game_parse(text, sizeof text - 1, NULL, &game, err));
    EXPECT_TEXT("\xE8\xA1\xA8", game.black);
    EXPECT_TEXT("W", game.white);
    sgf_game_clear(&game);
}

/* The second byte of the character looks like a backslash before the ']'. */
TEST(the_charset_may_follow_a_text) {
    const char text[] = "(;GM[1]SZ[9]PB[\x95\x5C]CA[Shift_JIS]PW[\x95\x5C]KM[0.5];B[aa];W[bb])";
    SgfGame game;
    EXPECT_OK(sgf_game_parse(text, sizeof text - 1, NULL, &game, err));
    EXPECT_TEXT("\xE8\xA1\xA8", game.black);
    EXPECT_TEXT("\xE8\xA1\xA8", game.white);
    EXPECT_NEAR(0.5, game.rules.komi, 0);
    sgf_game_clear(&game);
}

static void expect_text(const char *want, bool same, const char *bytes, size_t count) {
    StrBuf converted = {0};
    const char *text;
    size_t length;
    EXPECT_OK(sgf_charset_text(bytes, count, &converted, &text, &length, err));
    EXPECT_INT(same, text == bytes);
    EXPECT_INT(strlen(want), length);
    EXPECT_INT(0, memcmp(want, text, length));
    strbuf_clear(&converted);
}

TEST(only_text_that_changes_is_copied) {
    expect_text("(;C[eight and more characters])", true, "(;C[eight and more characters])", 31);
    expect_text("(;C[\xE6\xA3\x8B])", true, "(;C[\xE6\xA3\x8B])", 9);
    expect_text("(;C[\xC3\xA9])", false, "(;C[\xE9])", 7);
    expect_text("(;CA[gbk]C[x])", false, "(;CA[gbk]C[x])", 14);
    expect_text("(;C[ ])", false, "(;C[\0])", 7);
    expect_text("(;)", false, "\xEF\xBB\xBF(;)", 6);
    expect_text("", true, "", 0);
}

TEST_MAIN(RUN(utf8_is_kept), RUN(single_bytes_are_windows_1252), RUN(bad_utf8_is_never_passed_on),
          RUN(east_asian_bytes_may_look_like_brackets), RUN(utf16_is_known_by_its_byte_order_mark),
          RUN(invalid_bytes_become_replacement_characters), RUN(only_a_property_names_the_charset),
          RUN(a_shift_jis_game_reads_whole), RUN(the_charset_may_follow_a_text),
          RUN(only_text_that_changes_is_copied))
