/* SGF against KataGo: the positions that its command loadsgf makes of files, what its printsgf
 * writes, and its self-play games. */
#include "golden.h"
#include "sgf/sgf_game.h"

static const char *text_of(const json_t *row, const char *key) {
    const char *text = NULL;
    EXPECT_OK(json_member_text(row, key, true, &text, err));
    return text;
}

/* Compares the position with the lines that KataGo's showboard prints. The first two lines are not
 * used. Then comes the board from the top ("19 . X1 O ..."). One of the lines after it is "Next
 * player: Black". */
static void check_board(const json_t *lines, const Position *position, const char *name) {
    size_t index;
    const json_t *line;
    int y = -2; /* from the third line on: the row of the board that the line shows */
    const char *next = NULL;
    json_array_foreach(lines, index, line) {
        const char *text = json_string_value(line);
        EXPECT_TRUE(text != NULL);
        if (strncmp(text, "Next player: ", 13) == 0) next = text + 13;
        if (index < 2) {
            y = (int)index - 1;
            continue;
        }
        if (y >= position->board.height) continue;
        for (int x = 0; x < position->board.width; x++) {
            char want = text[3 + 2 * x];
            Color color = (Color)position->board.color[point_at(x, y)];
            char got = color == COLOR_BLACK ? 'X' : color == COLOR_WHITE ? 'O' : '.';
            if (want != got)
                fail_msg("%s: column %d row %d from the top is %c, wanted %c", name, x, y, got,
                         want);
        }
        y++;
    }
    EXPECT_TEXT(position->mover == COLOR_BLACK ? "Black" : "White", next);
}

/* Expects the game that printsgf writes for a position. HA is the number of handicap stones, which
 * is counted from the setup and the first moves. The rules have KataGo's names. If the game is
 * over, the comment of the last move has the result. */
static void check_printed(const char *want, const Position *position) {
    SgfGame game;
    StrBuf text = {0};
    EXPECT_OK(sgf_game_init_position(&game, position, err));
    RulesText rules = rules_katago_name(&position->rules);
    game.rules_name = rules.text;
    char comment[64];
    if (position->over && game.move_count) {
        snprintf(comment, sizeof comment, "result=%s", game.result);
        game.moves[game.move_count - 1].comment = comment;
    }
    EXPECT_OK(sgf_game_write(&game, &text, err));
    EXPECT_TEXT(want, text.text);
    strbuf_clear(&text);
    sgf_game_clear(&game);
}

static void check_rules(const json_t *row, const Position *position) {
    Rules want = {.komi = (float)atof(text_of(row, "komi") + 2)};
    EXPECT_OK(rules_parse(text_of(row, "rules") + 2, &want, err));
    EXPECT_TRUE(rules_equal(&want, &position->rules));
}

static void check_row(const json_t *row, void *context) {
    (void)context;
    const char *name = text_of(row, "name"), *text = text_of(row, "sgf"),
               *answer = text_of(row, "loadsgf");
    const char *printed = text_of(row, "printsgf");
    SgfGame game;
    Position position = {0};
    Error error = {0};
    Status status =
        sgf_game_parse(text, strlen(text), &(SgfOptions){.longest = true}, &game, &error);
    if (!status) status = sgf_game_position(&game, -1, &position, &error);
    if ((*answer == '=') != !status)
        fail_msg("%s: KataGo answers \"%s\", and Aji says \"%s\"", name, answer, error.message);
    if (!status) {
        check_board(json_object_get(row, "board"), &position, name);
        check_rules(row, &position);
        if (*printed == '=') check_printed(printed + 2, &position);
    }
    position_clear(&position);
    sgf_game_clear(&game);
}

/* Whether the line has only what an SgfGame keeps, which means that it has no marks (TR). */
static bool is_plain(const char *line, size_t length) {
    for (size_t i = 0; i + 3 < length; i++) {
        if (memcmp(line + i, "TR[", 3) == 0) return false;
    }
    return true;
}

/* Expects that a game without marks is written back with the same bytes, and that each move is
 * legal. */
static void check_selfplay_game(const char *line, size_t length) {
    SgfGame game;
    StrBuf written = {0};
    Position position;
    EXPECT_OK(sgf_game_parse(line, length, NULL, &game, err));
    EXPECT_TEXT("", game.warning);
    EXPECT_OK(sgf_game_write(&game, &written, err));
    bool same = written.length == length && memcmp(written.text, line, length) == 0;
    if (is_plain(line, length) && !same)
        fail_msg("wanted %.*s\ngot    %s", (int)length, line, written.text);
    EXPECT_OK(sgf_game_start(&game, &position, err));
    EXPECT_OK(sgf_game_replay(&game, &position, 0, (int)game.move_count, err));
    EXPECT_INT(game.move_count, position.move_count);
    position_clear(&position);
    strbuf_clear(&written);
    sgf_game_clear(&game);
}

TEST(files_are_loaded_and_printed_as_by_katago) {
    print_message("%d files\n", golden_rows("sgf/loadsgf.jsonl", check_row, NULL));
}

#define GAMES "train/selfplay.sgfs"

TEST(katagos_selfplay_games_are_written_back) {
    Arena arena = {0};
    int games = 0;
    for (char *line = golden_read(golden_folder(GAMES), GAMES, &arena), *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        check_selfplay_game(line, (size_t)(end - line));
        end += *end == '\n';
        games++;
    }
    EXPECT_TRUE(games > 0);
    print_message("%d games\n", games);
    arena_clear(&arena);
}

TEST_MAIN(RUN(files_are_loaded_and_printed_as_by_katago),
          RUN(katagos_selfplay_games_are_written_back))
