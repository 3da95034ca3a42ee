/* Reading games: values, corrections of known errors, messages, and replay. */
#include "go/drawing.h"
#include "read_game.h"

static void expect_error(const char *text, Status want, const char *part) {
    SgfGame game;
    Error error = {0};
    EXPECT_STATUS(want, sgf_game_parse(text, strlen(text), NULL, &game, &error));
    EXPECT_CONTAINS(error.message, part);
    EXPECT_TRUE(game.arena.block == NULL && game.moves == NULL);
}

static void expect_komi(double want, const char *text) {
    SgfGame game = read_game(text);
    EXPECT_NEAR(want, game.rules.komi, 0);
    sgf_game_clear(&game);
}

TEST(an_ordinary_game) {
    SgfGame game = read_game("(;FF[4]GM[1]SZ[9]PB[Ann]PW[Bo\\]b]BR[3d]WR[5k]KM[5.5]RU[Japanese]RE["
                             "W+2.5]DT[2020-02-02]EV[E]PC[P]GN[G]AP[x:1]C[hello\nyou]"
                             ";B[ee]C[first];W[gc]\n;B[];W[tt]C[])");
    EXPECT_INT(9, game.width);
    EXPECT_INT(9, game.height);
    EXPECT_TEXT("Ann", game.black);
    EXPECT_TEXT("Bo]b", game.white);
    EXPECT_TEXT("3d", game.black_rank);
    EXPECT_TEXT("5k", game.white_rank);
    EXPECT_TEXT("W+2.5", game.result);
    EXPECT_TEXT("2020-02-02", game.about.date);
    EXPECT_TEXT("E", game.about.event);
    EXPECT_TEXT("P", game.about.place);
    EXPECT_TEXT("G", game.about.name);
    EXPECT_TEXT("x:1", game.about.application);
    EXPECT_TEXT("Japanese", game.rules_name);
    EXPECT_TEXT("hello\nyou", game.comment);
    EXPECT_TEXT("", game.warning);
    EXPECT_INT(COLOR_WHITE, sgf_game_winner(&game));
    EXPECT_INT(SCORING_TERRITORY, game.rules.scoring);
    EXPECT_NEAR(5.5, game.rules.komi, 0);
    EXPECT_TRUE(game.rules_given && game.komi_given);
    EXPECT_INT(-1, game.handicap);
    EXPECT_INT(4, game.move_count);
    EXPECT_TEXT("first", game.moves[0].comment);
    EXPECT_INT(point_at(4, 4), game.moves[0].move.point);
    EXPECT_TRUE(game.moves[1].comment == NULL && game.moves[3].comment == NULL);
    EXPECT_INT(POINT_PASS, game.moves[2].move.point);
    EXPECT_INT(POINT_PASS, game.moves[3].move.point);
    EXPECT_INT(COLOR_WHITE, game.moves[3].move.color);
    EXPECT_INT(3, game.moves[3].line);
    sgf_game_clear(&game);
}

TEST(defaults_and_given_rules) {
    SgfGame game = read_game("(;)");
    EXPECT_INT(19, game.width);
    EXPECT_NEAR(7.5, game.rules.komi, 0);
    EXPECT_TRUE(game.rules.suicide && !game.rules_given && !game.komi_given);
    EXPECT_CONTAINS(game.warning, "no rules");
    sgf_game_clear(&game);
    Rules rules = {.komi = 3.5f, .scoring = SCORING_TERRITORY};
    SgfOptions options = {.rules = &rules};
    EXPECT_OK(sgf_game_parse("(;KM[1])", 8, &options, &game, err));
    EXPECT_INT(SCORING_TERRITORY, game.rules.scoring);
    EXPECT_NEAR(1, game.rules.komi, 0);
    EXPECT_TEXT("", game.warning);
    sgf_game_clear(&game);
    game = read_game("(;RU[Weird]KM[6.3])");
    EXPECT_CONTAINS(game.warning, "rules \"Weird\"");
    EXPECT_CONTAINS(game.warning, "komi \"6.3\"");
    EXPECT_NEAR(7.5, game.rules.komi, 0);
    sgf_game_clear(&game);
}

TEST(every_size_and_corner) {
    for (int width = 2; width <= 19; width++) {
        for (int height = 2; height <= 19; height++) {
            char text[128];
            if (width == height)
                snprintf(text, sizeof text, "(;SZ[%d];B[%c%c];W[aa])", width, 'a' + width - 1,
                         'a' + height - 1);
            else
                snprintf(text, sizeof text, "(;SZ[%d:%d];B[%c%c];W[aa])", width, height,
                         'a' + width - 1, 'a' + height - 1);
            SgfGame game = read_game(text);
            EXPECT_INT(width, game.width);
            EXPECT_INT(height, game.height);
            EXPECT_INT(point_at(width - 1, height - 1), game.moves[0].move.point);
            Position position;
            EXPECT_OK(sgf_game_position(&game, -1, &position, err));
            EXPECT_INT(COLOR_BLACK, position.board.color[point_at(width - 1, height - 1)]);
            EXPECT_INT(COLOR_WHITE, position.board.color[point_at(0, 0)]);
            position_clear(&position);
            sgf_game_clear(&game);
        }
    }
}

TEST(impossible_sizes_are_refused) {
    expect_error("(;SZ[1])", ERR_UNSUPPORTED, "sgf:1: SZ[1]: wanted 2 to 19");
    expect_error("(;\nSZ[21])", ERR_UNSUPPORTED, "sgf:2: SZ[21]");
    expect_error("(;SZ[9:20])", ERR_UNSUPPORTED, "SZ[9:20]");
    expect_error("(;SZ[-9])", ERR_SYNTAX, "a size such as 9 or 9:13");
    expect_error("(;SZ[])", ERR_SYNTAX, "SZ[]");
    expect_error("(;SZ[9:])", ERR_SYNTAX, "SZ[9:]");
    expect_error("(;SZ[99999999999999999999])", ERR_SYNTAX, "SZ");
    expect_error("(;GM[2])", ERR_UNSUPPORTED, "GM[2]: wanted 1, the game of Go");
}

TEST(setup_stones_rectangles_and_clearing) {
    SgfGame game = read_game("(;SZ[5]AB[aa:cb][ee]AW[ad:ad]AE[ba:bb])");
    Board want = board_drawn("X . X . ."
                             "X . X . ."
                             ". . . . ."
                             "O . . . ."
                             ". . . . X");
    Position position;
    EXPECT_OK(sgf_game_position(&game, -1, &position, err));
    EXPECT_TRUE(board_equal_stones(&want, &position.board));
    EXPECT_INT(COLOR_BLACK, position.mover);
    EXPECT_TRUE(position.prevent_encore);
    position_clear(&position);
    sgf_game_clear(&game);
    game = read_game("(;SZ[5]AB[]AW[ab])");
    EXPECT_INT(COLOR_WHITE, game.setup[point_at(0, 1)]);
    sgf_game_clear(&game);
}

TEST(bad_setup_is_refused) {
    expect_error("(;SZ[5]AB[aa]\nAB[aa])", ERR_ILLEGAL, "sgf:2: AB[aa] sets up A5 twice");
    expect_error("(;SZ[5]AB[aa:bb]AW[bb])", ERR_ILLEGAL, "AW[bb] sets up B4 twice");
    expect_error("(;SZ[5]AB[ff])", ERR_ILLEGAL, "AB[ff] is off a 5x5 board");
    expect_error("(;SZ[5]AB[aZ])", ERR_ILLEGAL, "off a 5x5 board");
    expect_error("(;SZ[5]AB[bb:aa])", ERR_SYNTAX, "rectangle");
    expect_error("(;SZ[5]AB[ba:ab])", ERR_SYNTAX, "rectangle");
    expect_error("(;SZ[5]AB[ab:ba])", ERR_SYNTAX, "rectangle");
    expect_error("(;SZ[5]AB[a])", ERR_SYNTAX, "AB[a]");
    expect_error("(;SZ[5]AB[aa-bb])", ERR_SYNTAX, "AB[aa-bb]");
    expect_error("(;SZ[5]AW[a1])", ERR_SYNTAX, "AW[a1]");
    expect_error("(;SZ[5];B[aa]\n;AW[cc])", ERR_UNSUPPORTED,
                 "sgf:2: AW sets up stones after the root");
    expect_error("(;SZ[5];AE[cc])", ERR_UNSUPPORTED, "AE");
    SgfGame game = read_game("(;SZ[9]AB[aa]AW[ba][ab])");
    Position position;
    Error error = {0};
    EXPECT_STATUS(ERR_ILLEGAL, sgf_game_position(&game, -1, &position, &error));
    EXPECT_CONTAINS(error.message, "sgf:1: stones without liberty");
    EXPECT_TRUE(position.history == NULL);
    sgf_game_clear(&game);
}

static void expect_mover(Color want, const char *text) {
    SgfGame game = read_game(text);
    Position position;
    EXPECT_INT(want, game.first_mover);
    EXPECT_OK(sgf_game_start(&game, &position, err));
    EXPECT_INT(want, position.mover);
    position_clear(&position);
    sgf_game_clear(&game);
}

TEST(who_begins) {
    expect_mover(COLOR_BLACK, "(;)");
    expect_mover(COLOR_WHITE, "(;AB[aa])");
    expect_mover(COLOR_BLACK, "(;AB[aa]AE[bb])");
    expect_mover(COLOR_BLACK, "(;AB[aa]AW[bb])");
    expect_mover(COLOR_BLACK, "(;AW[bb])");
    expect_mover(COLOR_BLACK, "(;AB[aa]PL[B])");
    expect_mover(COLOR_WHITE, "(;PL[white])");
    expect_mover(COLOR_WHITE, "(;PL[B];W[aa])");
    expect_error("(;PL[x])", ERR_SYNTAX, "PL[x]: wanted B or W");
}

TEST(komi_as_servers_write_it) {
    expect_komi(6.5, "(;KM[ 6,5 ])");
    expect_komi(-3, "(;KM[-3.0])");
    expect_komi(6.5, "(;RU[japanese])");
    expect_komi(7.5, "(;RU[Chinese, Pair Go])");
    expect_komi(7, "(;RU[NZ])");
    expect_komi(7, "(;RU[N-Z])");
    expect_komi(7, "(;RU[aga-button])");
    expect_komi(6.5, "(;RU[koSIMPLEscoreTERRITORYtaxSEKIsui0])");
    expect_komi(3, "(;RU[koSIMPLEscoreTERRITORYtaxSEKIsui0komi3])");
    const char *const FOX[][2] = {{"550", "5.5"}, {"275", "5.5"}, {"325", "6.5"}, {"650", "6.5"},
                                  {"375", "7.5"}, {"750", "7.5"}, {"350", "7"},   {"700", "7"},
                                  {"0", "0"},     {"6.5", "6.5"}, {"7", "7"},     {"200", "7.5"}};
    for (size_t i = 0; i < sizeof FOX / sizeof *FOX; i++) {
        char text[80];
        snprintf(text, sizeof text, "(;AP[%s]RU[chinese]KM[%s])", i % 2 ? "foxwq" : "SGFC:2.0",
                 FOX[i][0]);
        expect_komi(atof(FOX[i][1]), text);
    }
    expect_komi(375, "(;RU[chinese]KM[375])");
    expect_komi(7.5, "(;RU[chinese]KM[500])");
    expect_komi(5.5, "(;US[GoGoD95]RU[Chinese]KM[2.75])");
    expect_komi(5.5, "(;US[GoGoD95]RU[Chinese, Pair Go]KM[2.75])");
    expect_komi(6.5, "(;US[GoGoD95]RU[Japanese]KM[2.75])");
    expect_komi(7.5, "(;RU[Chinese]KM[2.75])");
    expect_komi(7.5, "(;KM[abc])");
    expect_komi(7.5, "(;KM[0x1p3])");
    expect_komi(7.5, "(;KM[nan])");
    expect_komi(7.5, "(;KM[])");
}

static void expect_fox_stones(int want, const char *text, int x, int y) {
    SgfGame game = read_game(text);
    int stones = 0;
    for (Point p = 0; p < POINT_COUNT; p++)
        stones += game.setup[p] == COLOR_BLACK;
    EXPECT_INT(want, stones);
    EXPECT_INT(want > 0, game.setup[point_at(x, y)] == COLOR_BLACK);
    EXPECT_INT(want > 0, strstr(game.warning, "handicap stones") != NULL);
    sgf_game_clear(&game);
}

TEST(fox_handicap_stones_are_put_back) {
    expect_fox_stones(2, "(;AP[foxwq]HA[2];W[qd])", 3, 15);
    expect_fox_stones(6, "(;AP[foxwq]HA[6]DT[2019-05-01];W[qd])", 3, 9);
    expect_fox_stones(6, "(;AP[foxwq]HA[6]DT[2017-12-31];W[qd])", 9, 3);
    expect_fox_stones(7, "(;AP[foxwq]HA[7]DT[2017-12-31];W[qd])", 9, 15);
    expect_fox_stones(8, "(;AP[foxwq]HA[8]DT[2017-12-31];W[qd])", 3, 9);
    expect_fox_stones(2, "(;AP[GNU Go:3.8]GN[]HA[2];W[qd])", 3, 15);
    expect_fox_stones(0, "(;AP[GNU Go:3.8]GN[x]HA[2];W[qd])", 3, 15);
    expect_fox_stones(0, "(;AP[other]HA[2];W[qd])", 3, 15);
    expect_fox_stones(0, "(;AP[foxwq]HA[2];B[aa];W[qd])", 3, 15);
    expect_fox_stones(0, "(;AP[foxwq]HA[2]W[qd];W[qe])", 3, 15);
    expect_fox_stones(0, "(;AP[foxwq]HA[2];;W[qe])", 3, 15);
    expect_fox_stones(0, "(;AP[foxwq]HA[1];W[qe])", 3, 15);
    expect_fox_stones(0, "(;AP[foxwq]SZ[13]HA[2];W[cc])", 3, 9);
}

TEST(corrections_are_not_made_twice) {
    const char *text = "(;AP[foxwq]HA[2]KM[375]W[qd];B[aa])";
    SgfGame game = read_game(text), again;
    StrBuf written = {0};
    EXPECT_OK(sgf_game_write(&game, &written, err));
    again = read_game(written.text);
    EXPECT_NEAR(7.5, again.rules.komi, 0);
    EXPECT_TRUE(memcmp(game.setup, again.setup, sizeof game.setup) == 0);
    sgf_game_clear(&game);
    sgf_game_clear(&again);
    strbuf_clear(&written);
}

TEST(variations) {
    const char *text = "(;SZ[9];B[aa](;W[bb])(;W[cc];B[dd](;W[ee])(;W[ff])))";
    SgfGame game = read_game(text); /* the main line */
    EXPECT_INT(2, game.move_count);
    EXPECT_INT(point_at(1, 1), game.moves[1].move.point);
    sgf_game_clear(&game);
    EXPECT_OK(sgf_game_parse(text, strlen(text), &(SgfOptions){.longest = true}, &game, err));
    EXPECT_INT(4, game.move_count);
    EXPECT_INT(point_at(2, 2), game.moves[1].move.point);
    EXPECT_INT(point_at(4, 4), game.moves[3].move.point);
    sgf_game_clear(&game);
}

/* Only the properties TB and TW of the last node count. Values of TB and TW that are no points of
 * the board are ignored. */
TEST(territory_of_the_last_node) {
    SgfGame game = read_game("(;SZ[5];B[cc]TB[aa];W[tt]TB[bb:cd][ea][x][ee:ff]TW[ab][zz])");
    EXPECT_TRUE(game.territory_given);
    int counts[3] = {0};
    for (Point point = 0; point < POINT_COUNT; point++)
        counts[game.territory[point]]++;
    EXPECT_INT(7, counts[COLOR_BLACK]);
    EXPECT_INT(1, counts[COLOR_WHITE]);
    EXPECT_INT(COLOR_BLACK, game.territory[point_at(2, 3)]);
    EXPECT_INT(COLOR_WHITE, game.territory[point_at(0, 1)]);
    sgf_game_clear(&game);
    game = read_game("(;SZ[5];B[cc]TB[aa];W[bb])");
    EXPECT_FALSE(game.territory_given);
    EXPECT_INT(COLOR_EMPTY, game.territory[point_at(0, 0)]);
    sgf_game_clear(&game);
}

TEST(territory_is_written_again) {
    static const char *const ENDS[] = {"TB[aa]TW[ba][ab]", "TW[ee]", "TB[]TW[]", ""};
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++) {
        char text[64];
        StrBuf written = {0};
        snprintf(text, sizeof text, "(;SZ[5];B[cc];W[]%s)", ENDS[i]);
        SgfGame game = read_game(text);
        EXPECT_OK(sgf_game_write(&game, &written, err));
        snprintf(text, sizeof text, ";B[cc];W[]%s)", ENDS[i]);
        EXPECT_CONTAINS(strbuf_text(&written), text);
        strbuf_clear(&written);
        sgf_game_clear(&game);
    }
}

TEST(several_moves_in_a_node_go_in_order) {
    SgfGame game = read_game("(;SZ[9]B[aa];W[bb]B[cc][dd]W[ee]C[here])");
    const int WANT[] = {0, 1, 2, 3, 4};
    for (int i = 0; i < 5; i++)
        EXPECT_INT(point_at(WANT[i], WANT[i]), game.moves[i].move.point);
    EXPECT_INT(COLOR_WHITE, game.moves[1].move.color);
    EXPECT_INT(COLOR_BLACK, game.moves[3].move.color);
    EXPECT_INT(COLOR_WHITE, game.moves[4].move.color);
    EXPECT_TEXT("here", game.moves[4].comment);
    EXPECT_TRUE(game.moves[1].comment == NULL);
    sgf_game_clear(&game);
}

TEST(bad_moves_are_refused) {
    expect_error("(;SZ[9]\n;B[jj])", ERR_ILLEGAL, "sgf:2: move B[jj] is off a 9x9 board");
    expect_error("(;SZ[9];W[e5])", ERR_SYNTAX, "W[e5]: wanted a point");
    expect_error("(;SZ[9];W[eee])", ERR_SYNTAX, "W[eee]");
    SgfGame game = read_game("(;SZ[9];B[ee]\n;W[ee])");
    Position position;
    Error error = {0};
    EXPECT_STATUS(ERR_ILLEGAL, sgf_game_position(&game, -1, &position, &error));
    EXPECT_CONTAINS(error.message, "sgf:2: move 2, White at E5, is illegal");
    EXPECT_OK(sgf_game_position(&game, 1, &position, err));
    EXPECT_STATUS(ERR_ILLEGAL, sgf_game_replay(&game, &position, 1, 2, NULL));
    EXPECT_INT(1, position.move_count);
    EXPECT_INT(COLOR_WHITE, position.mover);
    position_clear(&position);
    sgf_game_clear(&game);
    StrBuf text = {0};
    strbuf_add(&text, "(;SZ[9]");
    for (int i = 0; i <= SGF_MOVES_LIMIT; i++)
        strbuf_add(&text, ";B[]");
    strbuf_add(&text, ")");
    expect_error(text.text, ERR_UNSUPPORTED, "more than 20000 moves");
    strbuf_clear(&text);
}

TEST(replay_to_a_move_keeps_history_over_repeated_colors) {
    SgfGame game = read_game("(;SZ[9]RU[Chinese];B[cc];B[gg];B[gc];W[ee])");
    Position position;
    for (int n = 0; n <= 5; n++) {
        EXPECT_OK(sgf_game_position(&game, n, &position, err));
        EXPECT_INT(n > 4 ? 4 : n, position.move_count);
        position_clear(&position);
    }
    EXPECT_OK(sgf_game_position(&game, -1, &position, err));
    EXPECT_INT(3, position_handicap(&position));
    EXPECT_INT(3, sgf_game_handicap(&game));
    EXPECT_INT(COLOR_BLACK, position.mover);
    position_clear(&position);
    sgf_game_clear(&game);
}

TEST(handicap_counts_as_in_the_position) {
    static const struct {
        const char *text;
        int stones;
    } GAMES[] = {{"(;SZ[9]RU[koSIMPLEwhbN]AB[aa][bb])", 2},
                 {"(;SZ[9]RU[koSIMPLEwhbN]AB[aa])", 0},
                 {"(;SZ[9]RU[koSIMPLEwhbN]AB[aa][bb]AW[cc])", 0},
                 {"(;SZ[9]RU[koSIMPLEwhbN];B[aa];W[];B[bb];W[cc])", 2},
                 {"(;SZ[9]RU[koSIMPLEwhbN];B[aa];B[bb];W[cc];W[dd])", 0},
                 {"(;SZ[9]RU[koSIMPLEwhbN];B[aa];B[bb];W[];W[dd];B[cc])", 0},
                 {"(;SZ[9]RU[koSIMPLEwhbN];B[aa];B[];B[cc];W[dd])", 2},
                 {"(;SZ[9]RU[koSIMPLEwhbN];B[];B[aa];B[bb];B[cc];W[dd])", 3},
                 {"(;SZ[9]RU[koSIMPLEwhbN]AB[ii];W[];B[aa])", 2},
                 {"(;SZ[9]RU[koSIMPLEwhbN];W[aa];B[bb];B[cc])", 0},
                 {"(;SZ[9]RU[whbNkoSIMPLE];B[aa];W[bb])", 0}};
    for (size_t i = 0; i < sizeof GAMES / sizeof *GAMES; i++) {
        SgfGame game = read_game(GAMES[i].text);
        Position position;
        EXPECT_OK(sgf_game_position(&game, -1, &position, err));
        EXPECT_INT(WHITE_BONUS_N, position.rules.white_bonus);
        EXPECT_INT(GAMES[i].stones, position_handicap(&position));
        EXPECT_INT(GAMES[i].stones, sgf_game_handicap(&game));
        EXPECT_NEAR(GAMES[i].stones, position.white_handicap_bonus, 0);
        position_clear(&position);
        sgf_game_clear(&game);
    }
}

TEST(every_cut_of_a_game_is_refused) {
    const char *text =
        "(;FF[4]GM[1]SZ[9:13]KM[6.5]RU[Japanese]AB[aa:cc]AW[ee];B[gg]C[x];W[];B[gh])";
    for (size_t length = 0; length < strlen(text); length++) {
        SgfGame game;
        char *cut = malloc(length + 1);
        EXPECT_TRUE(cut != NULL);
        memcpy(cut, text, length);
        EXPECT_STATUS(ERR_SYNTAX, sgf_game_parse(cut, length, NULL, &game, NULL));
        free(cut);
    }
}

TEST(an_empty_game_can_be_cleared) {
    SgfGame game = {0};
    sgf_game_clear(&game);
    sgf_game_clear(&game);
    EXPECT_TRUE(game.moves == NULL);
}

TEST_MAIN(RUN(an_ordinary_game), RUN(defaults_and_given_rules), RUN(every_size_and_corner),
          RUN(impossible_sizes_are_refused), RUN(setup_stones_rectangles_and_clearing),
          RUN(bad_setup_is_refused), RUN(who_begins), RUN(komi_as_servers_write_it),
          RUN(fox_handicap_stones_are_put_back), RUN(corrections_are_not_made_twice),
          RUN(variations), RUN(territory_of_the_last_node), RUN(territory_is_written_again),
          RUN(several_moves_in_a_node_go_in_order), RUN(bad_moves_are_refused),
          RUN(replay_to_a_move_keeps_history_over_repeated_colors),
          RUN(handicap_counts_as_in_the_position), RUN(every_cut_of_a_game_is_refused),
          RUN(an_empty_game_can_be_cleared))
