/* Leela Zero's training files: a position of a game is read as it was written, in both forms, and
 * what is damaged is named and passed over. */
#include "made_foreign.h"

/* Reads the file to its end. Writes "N;" for a position whose number of stones is N, "-;" for one
 * without a policy, and "!message;" for a failure. */
static void read_all(const char *bytes, size_t count, StrBuf *out) {
    ForeignReader reader = {.bytes = bytes, .count = count};
    strbuf_reset(out);
    for (;;) {
        ForeignPosition position;
        ForeignFound found;
        Error fault = {0};
        if (FOREIGN_LEELA_ZERO.next(&reader, &position, &found, &fault)) {
            strbuf_addf(out, "!%s;", fault.message);
            continue;
        }
        if (found == FOREIGN_END) return;
        int stones = 0;
        for (int i = 0; i < 361; i++)
            stones += position.boards[0][i] != COLOR_EMPTY;
        if (found == FOREIGN_POSITION)
            strbuf_addf(out, "%d;", stones);
        else
            strbuf_add(out, "-;");
    }
}

static void expect_read(const StrBuf *file, const char *want) {
    StrBuf out = {0};
    read_all(strbuf_text(file), file->length, &out);
    EXPECT_TEXT(want, strbuf_text(&out));
    strbuf_clear(&out);
}

static void expect_positions(const MadeGame *game, const StrBuf *file) {
    ForeignReader reader = {.bytes = file->text, .count = file->length};
    ForeignPosition position;
    ForeignFound found;
    for (int t = 0; t < game->turns; t++) {
        const ForeignPosition *want = &game->positions[t];
        EXPECT_OK(FOREIGN_LEELA_ZERO.next(&reader, &position, &found, err));
        EXPECT_INT(FOREIGN_POSITION, found);
        EXPECT_INT(19, position.width);
        EXPECT_INT(19, position.height);
        EXPECT_INT(want->mover, position.mover);
        EXPECT_INT(want->winner, position.winner);
        EXPECT_TRUE(memcmp(want->boards, position.boards, sizeof want->boards) == 0);
        EXPECT_TRUE(memcmp(want->policy, position.policy, sizeof want->policy) == 0);
        EXPECT_FALSE(position.komi_known || position.searched);
    }
    EXPECT_OK(FOREIGN_LEELA_ZERO.next(&reader, &position, &found, err));
    EXPECT_INT(FOREIGN_END, found);
    EXPECT_INT(game->turns, reader.position);
}

TEST(positions_are_read_as_they_were_written) {
    static MadeGame game;
    StrBuf text = {0}, packed = {0}, windows = {0};
    made_game(&game, 19, 40, 1);
    for (int t = 0; t < game.turns; t++) {
        made_leela_text(&game.positions[t], &text);
        made_leela_packed(&game.positions[t], &packed);
    }
    EXPECT_INT(40 * 2176, packed.length);
    expect_positions(&game, &text);
    expect_positions(&game, &packed);
    for (size_t i = 0; i < text.length; i++)
        strbuf_addf(&windows, text.text[i] == '\n' ? "\r\n" : "%c", text.text[i]);
    strbuf_add(&windows, "\r\n \r\n");
    expect_positions(&game, &windows);
    strbuf_clear(&text);
    strbuf_clear(&packed);
    strbuf_clear(&windows);
}

/* The first digit of a plane stands for A1, B1, C1 and D1, and the last digit for T19. The first
 * plane is that of the player to move, and the ninth is that of the opponent. */
TEST(planes_begin_at_the_bottom_left) {
    StrBuf text = {0};
    ForeignReader reader;
    ForeignPosition position;
    ForeignFound found;
    char zeros[91] = {0};
    memset(zeros, '0', 90);
    strbuf_addf(&text, "a%s0\n", zeros + 1);
    for (int i = 1; i < 8; i++)
        strbuf_addf(&text, "%s0\n", zeros);
    strbuf_addf(&text, "%s1\n", zeros);
    for (int i = 9; i < 16; i++)
        strbuf_addf(&text, "%s0\n", zeros);
    strbuf_add(&text, "1\n");
    for (int i = 0; i < 361; i++)
        strbuf_add(&text, i == 19 ? "0.75 " : "0 ");
    strbuf_add(&text, "2.5e-01\n-1"); /* the last line may be without its end */
    reader = (ForeignReader){.bytes = text.text, .count = text.length};
    EXPECT_OK(FOREIGN_LEELA_ZERO.next(&reader, &position, &found, err));
    EXPECT_INT(COLOR_WHITE, position.mover);
    EXPECT_INT(COLOR_BLACK, position.winner);
    Point a1, c1, t19, a2;
    EXPECT_OK(point_parse("A1", 19, 19, &a1, err));
    EXPECT_OK(point_parse("C1", 19, 19, &c1, err));
    EXPECT_OK(point_parse("T19", 19, 19, &t19, err));
    EXPECT_OK(point_parse("A2", 19, 19, &a2, err));
    for (int i = 0; i < 361; i++) {
        Point point = move_at_index(i, 19, 19);
        EXPECT_INT(point == a1 || point == c1 ? COLOR_WHITE
                   : point == t19             ? COLOR_BLACK
                                              : COLOR_EMPTY,
                   position.boards[0][i]);
        EXPECT_NEAR(point == a2 ? 0.75 : 0, position.policy[i], 0);
    }
    EXPECT_NEAR(0.25, position.policy[361], 0);
    strbuf_clear(&text);
}

/* Adds three positions with the stones of turns 10 to 12, and returns where each begins. */
static void three(StrBuf *text, size_t begins[4]) {
    static MadeGame game;
    made_game(&game, 19, 13, 3);
    strbuf_reset(text);
    for (int t = 0; t < 3; t++) {
        begins[t] = text->length;
        made_leela_text(&game.positions[10 + t], text);
    }
    begins[3] = text->length;
}

/* Replaces a line of the second position, 0 to 18, by another text. */
static void replace_line(StrBuf *text, const size_t begins[4], int line, const char *with) {
    const char *at = text->text + begins[1];
    StrBuf changed = {0};
    while (line--)
        at = strchr(at, '\n') + 1;
    const char *end = strchr(at, '\n');
    strbuf_add_bytes(&changed, text->text, (size_t)(at - text->text));
    strbuf_add(&changed, with);
    strbuf_add(&changed, end);
    strbuf_clear(text);
    *text = changed;
}

TEST(damaged_lines_cost_one_position) {
    static const struct {
        int line;
        const char *with, *want;
    } CASES[] = {
        {0, "", "9;!line 20: position 2: it is no plane of 91 hexadecimal digits;11;"},
        {3, "0000", "9;!line 23: position 2: it is no plane of 91 hexadecimal digits;11;"},
        {16, "2", "9;!line 36: position 2: it does not say who is to move;11;"},
        {17, "0 1 0.5",
         "9;!line 37: position 2: one of its 362 numbers is missing or malformed;11;"},
        {17, "0 1 1x",
         "9;!line 37: position 2: one of its 362 numbers is missing or malformed;11;"},
        {17, "-1", "9;!line 37: position 2: a probability is out of bounds;11;"},
        {17, "inf", "9;!line 37: position 2: a probability is out of bounds;11;"},
        {18, "0.5", "9;!line 38: position 2: it is no result, 1 or -1;11;"},
    };
    StrBuf text = {0};
    size_t begins[4];
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        three(&text, begins);
        replace_line(&text, begins, CASES[i].line, CASES[i].with);
        expect_read(&text, CASES[i].want);
    }
    /* although a line is missing, the next position is found */
    three(&text, begins);
    replace_line(&text, begins, 5, "");
    char *gap = strstr(text.text + begins[1], "\n\n");
    memmove(gap, gap + 1, strlen(gap));
    text.length--;
    expect_read(&text, "9;!line 36: position 2: it does not say who is to move;11;");
    strbuf_clear(&text);
}

TEST(a_policy_that_is_no_number_is_passed_over) {
    StrBuf text = {0}, policy = {0};
    size_t begins[4];
    three(&text, begins);
    for (int i = 0; i < 362; i++)
        strbuf_addf(&policy, "%s ", i % 2 ? "-nan" : "nan");
    replace_line(&text, begins, 17, strbuf_text(&policy));
    expect_read(&text, "9;-;11;");
    strbuf_add(&policy, " 1");
    three(&text, begins);
    replace_line(&text, begins, 17, strbuf_text(&policy));
    expect_read(&text, "9;!line 37: position 2: it has more than 362 numbers;11;");
    strbuf_clear(&text);
    strbuf_clear(&policy);
}

TEST(both_players_cannot_have_a_point) {
    StrBuf text = {0};
    size_t begins[4];
    three(&text, begins);
    char full[92] = {0};
    memset(full, 'f', 90);
    full[90] = '1';
    replace_line(&text, begins, 7, full);
    replace_line(&text, begins, 15, full);
    expect_read(&text, "9;!line 35: position 2: both players have a stone on a point;11;");
    strbuf_clear(&text);
}

/* A file that is cut anywhere gives the positions before the cut, and one message. */
TEST(cut_files_are_named) {
    StrBuf text = {0}, packed = {0}, out = {0};
    static MadeGame game;
    size_t begins[4];
    three(&text, begins);
    for (size_t keep = begins[1] + 1; keep < text.length; keep += 7) {
        read_all(text.text, keep, &out);
        const char *want = keep < begins[2] ? "9;!" : "9;10;";
        if (strncmp(strbuf_text(&out), want, strlen(want)) != 0)
            fail_msg("cut at %zu: %s", keep, strbuf_text(&out));
    }
    read_all(text.text, begins[1] + 500, &out);
    EXPECT_TEXT("9;!line 20: position 2 is cut short: it has 6 lines, wanted 19;",
                strbuf_text(&out));
    made_game(&game, 19, 3, 3);
    for (int t = 0; t < 3; t++)
        made_leela_packed(&game.positions[t], &packed);
    for (size_t keep = 2177; keep < 2 * 2176; keep += 13) {
        read_all(packed.text, keep, &out);
        EXPECT_CONTAINS(strbuf_text(&out), "0;!byte 2176: position 2 is cut short");
    }
    strbuf_clear(&text);
    strbuf_clear(&packed);
    strbuf_clear(&out);
}

static void set_byte(StrBuf *text, size_t at, int value) {
    text->text[at] = (char)value;
}

TEST(damaged_records_cost_one_position) {
    static MadeGame game;
    static const struct {
        size_t at;
        int value;
        const char *want;
    } CASES[] = {
        {2174, 2, "0;!byte 2176: position 2: it does not say who is to move;2;"},
        {2175, 7, "0;!byte 2176: position 2: it has no result, 0 or 1;2;"},
        {7, 0xff, "0;!byte 2176: position 2: a probability is out of bounds;2;"},
        {0, 9, "0;!byte 2176: position 2: version 9 is not known;"},
    };
    StrBuf packed = {0};
    made_game(&game, 19, 3, 3);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        strbuf_reset(&packed);
        for (int t = 0; t < 3; t++)
            made_leela_packed(&game.positions[t], &packed);
        set_byte(&packed, 2176 + CASES[i].at, CASES[i].value);
        expect_read(&packed, CASES[i].want);
    }
    strbuf_clear(&packed);
}

TEST(other_files_are_refused) {
    StrBuf file = {0};
    expect_read(&file, "");
    strbuf_add(&file, "\n\n");
    expect_read(&file, "");
    strbuf_reset(&file);
    strbuf_add(&file, "2\n10 0123abcd.gz\n0.5 0.5 0.5 100\n");
    expect_read(&file, "!it is a debug file of Leela Zero, which has no positions;");
    strbuf_reset(&file);
    strbuf_add_bytes(&file, "\x03\0\0\0 and more", 13);
    expect_read(&file, "!a file of version 3 is not known;");
    strbuf_reset(&file);
    strbuf_add(&file, "(;GM[1])");
    expect_read(&file, "!line 1: position 1 is cut short: it has 1 lines, wanted 19;");
    strbuf_clear(&file);
}

TEST_MAIN(RUN(positions_are_read_as_they_were_written), RUN(planes_begin_at_the_bottom_left),
          RUN(damaged_lines_cost_one_position), RUN(a_policy_that_is_no_number_is_passed_over),
          RUN(both_players_cannot_have_a_point), RUN(cut_files_are_named),
          RUN(damaged_records_cost_one_position), RUN(other_files_are_refused))
