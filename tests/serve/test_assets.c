/* The files of the page, in builds with it and without it. */
#include "serve/http/assets.h"
#include "test.h"

TEST(only_files_of_the_page_are_answered) {
    HttpAnswer answer = {.code = 7};
    EXPECT_FALSE(assets_have("/../etc/passwd"));
    EXPECT_FALSE(assets_answer("/app.js.gz", &answer));
    EXPECT_FALSE(assets_answer("", &answer));
    EXPECT_INT(7, answer.code);
}

TEST(a_build_has_the_whole_page_or_nothing) {
    static const char *const PATHS[] = {"/", "/app.js", "/app.css"};
    static const char *const TYPES[] = {
        "text/html; charset=utf-8", "text/javascript; charset=utf-8", "text/css; charset=utf-8"};
    if (!assets_have("/")) {
        EXPECT_FALSE(assets_have("/app.js"));
        EXPECT_FALSE(assets_have("/app.css"));
        return;
    }
    size_t total = 0;
    for (int i = 0; i < 3; i++) {
        HttpAnswer answer = {0};
        EXPECT_TRUE(assets_answer(PATHS[i], &answer));
        EXPECT_INT(200, answer.code);
        EXPECT_TEXT(TYPES[i], answer.type);
        EXPECT_TEXT("gzip", answer.encoding);
        EXPECT_INT(0x1f, (unsigned char)answer.body.text[0]);
        EXPECT_INT(0x8b, (unsigned char)answer.body.text[1]);
        EXPECT_INT(18, strlen(answer.etag));
        total += answer.body.length;
        strbuf_clear(&answer.body);
    }
    EXPECT_TRUE(total < 100000); /* what a browser loads before the first move */
}

TEST_MAIN(RUN(only_files_of_the_page_are_answered), RUN(a_build_has_the_whole_page_or_nothing))
