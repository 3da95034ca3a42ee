/* JSON from outside: broken text, depth, duplicates, size, and members of the wrong kind. */
#include "base/json.h"
#include "base/strbuf.h"
#include "test.h"

static void expect_broken(const char *text, size_t length) {
    Error err = {0};
    json_t *out = (json_t *)&err;
    EXPECT_STATUS(ERR_SYNTAX, json_parse(text, length, &out, &err));
    EXPECT_CONTAINS(err.message, "JSON, line ");
    EXPECT_TRUE(out == NULL);
}

TEST(broken_text_is_reported_with_its_line) {
    static const char *const TEXTS[] = {"",
                                        "{",
                                        "{\"a\":1,}",
                                        "[1,2",
                                        "{'a':1}",
                                        "{\"a\":1} x",
                                        "nul",
                                        "[1e999]",
                                        "[99999999999999999999]",
                                        "{\"a\":1,\"a\":2}",
                                        "\"\\u0000\"",
                                        "\"\xff\"",
                                        "[NaN]"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++)
        expect_broken(TEXTS[i], strlen(TEXTS[i]));
    Error err = {0};
    json_t *out;
    EXPECT_STATUS(ERR_SYNTAX, json_parse("{\n\"a\": 1\n\"b\"}", 14, &out, &err));
    EXPECT_CONTAINS(err.message, "line 3");
}

TEST(depth_is_bounded) {
    StrBuf text = {0};
    for (int i = 0; i < 100000; i++)
        strbuf_add(&text, "[");
    expect_broken(text.text, text.length);
    strbuf_clear(&text);
}

/* Many small values would take a hundred times the memory of their text, so their number is
 * limited. Brackets and commas within a string do not count. */
TEST(size_is_bounded) {
    StrBuf lists = {0}, members = {0}, quoted = {0};
    Error error = {0};
    json_t *out;
    strbuf_add(&lists, "[[]");
    strbuf_add(&members, "[1");
    strbuf_add(&quoted, "[\"\\\"");
    for (int i = 0; i < 1 << 20; i++) {
        if (i < 1 << 17) strbuf_add(&lists, ",[]");
        strbuf_add(&members, ",1");
        strbuf_add(&quoted, ",[{");
    }
    strbuf_add(&lists, "]");
    strbuf_add(&members, ",2]");
    strbuf_add(&quoted, "\"]");
    EXPECT_STATUS(ERR_SYNTAX, json_parse(lists.text, lists.length, &out, &error));
    EXPECT_CONTAINS(error.message, "131074 lists and objects");
    EXPECT_STATUS(ERR_SYNTAX, json_parse(members.text, members.length, &out, &error));
    EXPECT_CONTAINS(error.message, "1048577 commas");
    EXPECT_OK(json_parse(quoted.text, quoted.length, &out, err));
    json_decref(out);
    strbuf_clear(&lists);
    strbuf_clear(&members);
    strbuf_clear(&quoted);
}

TEST(only_the_length_given_is_read) {
    json_t *out;
    EXPECT_OK(json_parse("[1]garbage", 3, &out, err));
    EXPECT_INT(1, json_array_size(out));
    json_decref(out);
    EXPECT_OK(json_parse("5", 1, &out, err)); /* any value, not only objects */
    EXPECT_INT(5, json_integer_value(out));
    json_decref(out);
}

static json_t *object_of(const char *text) {
    json_t *out;
    EXPECT_OK(json_parse(text, strlen(text), &out, err));
    return out;
}

TEST(members_of_the_wrong_kind_are_refused) {
    json_t *object = object_of("{\"n\":7,\"t\":\"7\"}"), *array = object_of("[1,2]");
    const char *text = "before";
    Error err = {0};
    EXPECT_STATUS(ERR_SYNTAX, json_member_text(object, "n", true, &text, &err));
    EXPECT_CONTAINS(err.message, "\"n\" is not a text");
    EXPECT_STATUS(OK, json_member_text(object, "gone", false, &text, &err));
    EXPECT_TEXT("before", text);
    EXPECT_STATUS(ERR_SYNTAX, json_member_text(object, "gone", true, &text, &err));
    EXPECT_TEXT("JSON: \"gone\" is missing", err.message);
    EXPECT_STATUS(ERR_SYNTAX, json_member_text(array, "n", true, &text, NULL));
    EXPECT_STATUS(OK, json_member_text(array, "n", false, &text, NULL));
    EXPECT_STATUS(OK, json_member_text(object, "t", true, &text, &err));
    EXPECT_TEXT("7", text);
    json_decref(object);
    json_decref(array);
}

TEST_MAIN(RUN(broken_text_is_reported_with_its_line), RUN(depth_is_bounded), RUN(size_is_bounded),
          RUN(only_the_length_given_is_read), RUN(members_of_the_wrong_kind_are_refused))
