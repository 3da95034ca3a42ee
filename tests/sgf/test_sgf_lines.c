/* The line numbers of places in a text, compared with a count from the beginning. They must be
 * right whatever the order in which the places are asked for. */
#include "base/error.h"
#include "base/rng.h"
#include "sgf/sgf_lines.h"

#include "test.h"

enum { LENGTH = 40000, QUESTIONS = 3000 };

/* Sets lines[i] to the line number of text[i], and lines[length] to that of the end. */
static void count_all(const char *text, size_t length, int first, int *lines) {
    int line = first;
    for (size_t i = 0; i < length; i++) {
        lines[i] = line;
        bool pair = text[i] == '\r' && i + 1 < length && text[i + 1] == '\n';
        line += text[i] == '\n' || (text[i] == '\r' && !pair);
    }
    lines[length] = line;
}

TEST(all_ends_of_lines_count) {
    static const char TEXT[] = "a\nb\r\nc\rd\n\re\r";
    int want[sizeof TEXT];
    SgfLines lines = sgf_lines_init(TEXT, sizeof TEXT - 1, 7);
    count_all(TEXT, sizeof TEXT - 1, 7, want);
    EXPECT_INT(13, want[sizeof TEXT - 1]);
    for (size_t i = 0; i < sizeof TEXT; i++)
        EXPECT_INT(want[i], sgf_lines_at(&lines, i));
    sgf_lines_clear(&lines);
}

TEST(places_may_be_asked_for_in_any_order) {
    static char text[LENGTH];
    static int want[LENGTH + 1];
    Rng rng = rng_seeded(3);
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < LENGTH; i++)
            text[i] = "\n\rab"[rng_below(&rng, 4)];
        count_all(text, LENGTH, 1, want);
        SgfLines lines = sgf_lines_init(text, LENGTH, 1);
        for (int i = 0; i < QUESTIONS; i++) {
            bool near = rng_below(&rng, 2);
            int at = near ? (int)lines.at + rng_below(&rng, 200) - 100 : rng_below(&rng, LENGTH);
            at = at < 0 ? 0 : at > LENGTH ? LENGTH : at;
            EXPECT_INT(want[at], sgf_lines_at(&lines, (size_t)at));
        }
        EXPECT_INT(want[LENGTH], sgf_lines_at(&lines, LENGTH));
        sgf_lines_clear(&lines);
    }
}

TEST_MAIN(RUN(all_ends_of_lines_count), RUN(places_may_be_asked_for_in_any_order))
