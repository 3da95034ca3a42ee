/* SGF against KataGo: what its loadsgf makes of a file, what its printsgf writes, and its self-play
 * games. */
#include "base/file.h"
#include "base/json.h"
#include "sgf/sgf_game.h"
#include "test.h"

static const char *text_of(const json_t *row, const char *key) {
    const char *text = NULL;
    EXPECT_OK(json_member_text(row, key, true, &text, err));
    return text;
}

/* The lines of showboard: "19 . X1 O ..." from the top, then "Next player: Black" among others. */
static void check_board(const json_t *lines, const Position *position, const char *name) {
    size_t index;
    const json_t *line;
    int y = -2; /* the line of letters and what comes before */
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

/* The game that printsgf writes of a position: counted handicap, KataGo's names for rules, the
 * result when it is over. */
static void check_printed(const char *want, const Position *position) {
    SgfGame game;
    StrBuf text = {0};
    EXPECT_OK(sgf_game_init_position(&game, position, err));
    RulesText rules = sgf_rules_name(&position->rules);
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

static void check_row(const json_t *row) {
    const char *name = text_of(row, "name"), *text = text_of(row, "sgf"),
               *answer = text_of(row, "loadsgf");
    const char *printed = text_of(row, "printsgf");
    SgfGame game;
    Position position = {0};
    Error error = {0};
    Status status = sgf_game_parse(text, strlen(text), NULL, &game, &error);
    if (!status) status = sgf_game_position(&game, -1, &position, &error);
    if ((*answer == '=') != !status)
        fail_msg("%s: KataGo answers \"%s\", here: %s", name, answer, error.message);
    if (!status) {
        check_board(json_object_get(row, "board"), &position, name);
        check_rules(row, &position);
        if (*printed == '=') check_printed(printed + 2, &position);
    }
    position_clear(&position);
    sgf_game_clear(&game);
}

static void check_row_text(const char *line, size_t length) {
    json_t *row;
    EXPECT_OK(json_parse(line, length, &row, err));
    check_row(row);
    json_decref(row);
}

/* Is there anything in the line that a game does not hold? */
static bool is_plain(const char *line, size_t length) {
    for (size_t i = 0; i + 3 < length; i++) {
        if (memcmp(line + i, "TR[", 3) == 0) return false;
    }
    return true;
}

/* Self-play games of KataGo are written back byte for byte, and each move is possible. */
/* Written back byte for byte, and each move is possible. */
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

/* All non-empty lines of a file. */
static int check_file(const char *path, void (*check)(const char *line, size_t length)) {
    Arena arena = {0};
    char *text;
    size_t length;
    int lines = 0;
    EXPECT_OK(file_read(path, (size_t)1 << 28, &arena, &text, &length, err));
    for (char *line = text, *end; *line; line = *end ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        if (end == line) continue;
        check(line, (size_t)(end - line));
        lines++;
    }
    arena_clear(&arena);
    return lines;
}

/* All files of the golden folder's part whose names end so. */
static int check_files(const char *part, const char *ending, void (*check)(const char *, size_t)) {
    Arena arena = {0};
    Path folder, path;
    char **names;
    int count, lines = 0;
    EXPECT_OK(path_join(&folder, golden_folder(), part, err));
    EXPECT_OK(directory_list(folder.text, &arena, &names, &count, err));
    for (int i = 0; i < count; i++) {
        const char *dot = strrchr(names[i], '.');
        if (!dot || strcmp(dot, ending) != 0) continue;
        EXPECT_OK(path_join(&path, folder.text, names[i], err));
        lines += check_file(path.text, check);
    }
    arena_clear(&arena);
    return lines;
}

TEST(katagos_sgf) {
    if (!golden_folder()) skip();
    int rows = check_files("sgf", ".jsonl", check_row_text);
    int games = check_files("train", ".sgfs", check_selfplay_game);
    print_message("%d rows of loadsgf, %d self-play games\n", rows, games);
    if (rows + games == 0) fail_msg("nothing to read in %s", golden_folder());
}

TEST_MAIN(RUN(katagos_sgf))
