/* Writing games that were made move by move, read from SGF, or played at random. */
#include "random_move.h"
#include "read_game.h"

TEST(building_and_writing) {
    SgfGame game;
    StrBuf text = {0};
    Rules rules = rules_tromp_taylor();
    EXPECT_STATUS(ERR_ARGUMENT, sgf_game_init(&game, 1, 9, &rules, NULL));
    EXPECT_OK(sgf_game_init(&game, 9, 13, &rules, err));
    game.black = "a]b";
    game.white = sgf_game_keep(&game, "caf\xC3\xA9");
    game.result = "W+R";
    game.setup[point_at(2, 1)] = COLOR_BLACK;
    game.setup[point_at(1, 1)] = COLOR_BLACK;
    game.setup[point_at(8, 12)] = COLOR_WHITE;
    EXPECT_OK(
        sgf_game_add_move(&game, (Move){point_at(0, 12), COLOR_BLACK}, "say \\ it\nhere", err));
    EXPECT_OK(sgf_game_add_move(&game, (Move){POINT_PASS, COLOR_WHITE}, NULL, err));
    EXPECT_STATUS(ERR_ARGUMENT,
                  sgf_game_add_move(&game, (Move){point_at(9, 0), COLOR_BLACK}, NULL, NULL));
    EXPECT_STATUS(ERR_ARGUMENT,
                  sgf_game_add_move(&game, (Move){POINT_NONE, COLOR_BLACK}, NULL, NULL));
    EXPECT_STATUS(ERR_ARGUMENT, sgf_game_add_move(&game, (Move){-5, COLOR_BLACK}, NULL, NULL));
    EXPECT_STATUS(ERR_ARGUMENT,
                  sgf_game_add_move(&game, (Move){POINT_PASS, COLOR_EMPTY}, NULL, NULL));
    EXPECT_INT(2, game.move_count);
    EXPECT_OK(sgf_game_write(&game, &text, err));
    EXPECT_TEXT(
        "(;FF[4]GM[1]CA[UTF-8]SZ[9:13]PB[a\\]b]PW[caf\xC3\xA9]HA[0]KM[7.5]RU["
        "koPOSITIONALscoreAREAtaxNONEsui1]RE[W+R]AB[bb][cb]AW[im];B[am]C[say \\\\ it\nhere];W[])",
        text.text);
    strbuf_reset(&text);
    EXPECT_OK(sgf_game_write_line(&game, &text, err));
    EXPECT_TRUE(strchr(text.text, '\n') == text.text + text.length - 1);
    strbuf_reset(&text);
    game.extra = "XX[1][2]YY[a]";
    EXPECT_OK(sgf_game_write(&game, &text, err));
    EXPECT_CONTAINS(text.text, "RE[W+R]XX[1][2]YY[a]AB[bb]");
    strbuf_clear(&text);
    sgf_game_clear(&game);
}

TEST(the_mover_is_written_where_no_move_tells) {
    static const char *const GAMES[][2] = {{"(;AB[aa]AE[bb])", "PL[B]"},
                                           {"(;PL[W])", "PL[W]"},
                                           {"(;AB[aa]PL[W])", NULL},
                                           {"(;PL[W];W[aa])", NULL}};
    for (int i = 0; i < 4; i++) {
        SgfGame game = read_game(GAMES[i][0]), again;
        StrBuf text = {0};
        EXPECT_OK(sgf_game_write(&game, &text, err));
        EXPECT_INT(GAMES[i][1] != NULL, strstr(text.text, "PL[") != NULL);
        again = read_game(text.text);
        EXPECT_INT(game.first_mover, again.first_mover);
        sgf_game_clear(&again);
        sgf_game_clear(&game);
        strbuf_clear(&text);
    }
}

TEST(results_have_katagos_form) {
    EXPECT_TEXT(
        "B+24.5",
        sgf_result_text(&(Outcome){.winner = COLOR_BLACK, .white_score = -24.5f}, false).text);
    EXPECT_TEXT("W+3",
                sgf_result_text(&(Outcome){.winner = COLOR_WHITE, .white_score = 3}, false).text);
    EXPECT_TEXT("W+R", sgf_result_text(&(Outcome){.winner = COLOR_WHITE}, true).text);
    EXPECT_TEXT("0", sgf_result_text(&(Outcome){0}, false).text);
    EXPECT_TEXT("Void", sgf_result_text(&(Outcome){.no_result = true}, false).text);
    static const char *const RESULTS[] = {"B+3", "black+R", "b+", "W+1.5", "White+Time",
                                          "0",   "Void",    "?",  ""};
    for (int i = 0; i < 9; i++)
        EXPECT_INT(i < 3   ? COLOR_BLACK
                   : i < 5 ? COLOR_WHITE
                           : COLOR_EMPTY,
                   sgf_game_winner(&(SgfGame){.result = RESULTS[i]}));
}

/* Plays a random game with a random size, setup and rules. */
static void play_random_game(Rng *rng, Position *position) {
    Rules rules = {.ko = (KoRule)rng_below(rng, 4),
                   .scoring = (ScoringRule)rng_below(rng, 2),
                   .tax = (TaxRule)rng_below(rng, 3),
                   .suicide = rng_below(rng, 2),
                   .friendly_pass = rng_below(rng, 2),
                   .white_bonus = (WhiteBonusRule)rng_below(rng, 3),
                   .komi = (float)rng_below(rng, 60) / 2 - 10};
    Board board;
    EXPECT_OK(board_init(&board, 2 + rng_below(rng, 18), 2 + rng_below(rng, 18), err));
    for (int i = rng_below(rng, 5); i > 0; i--) {
        Point point = point_at(rng_below(rng, board.width), rng_below(rng, board.height));
        if (board.color[point] == COLOR_EMPTY)
            board_set(&board, point, rng_below(rng, 2) ? COLOR_BLACK : COLOR_WHITE);
    }
    EXPECT_OK(position_init_board(position, &board, rng_below(rng, 2) ? COLOR_BLACK : COLOR_WHITE,
                                  &rules, err));
    position->prevent_encore = true;
    for (int i = rng_below(rng, 100); i > 0 && !position->over; i--) {
        Point moves[MOVES_MAX];
        int count = position_legal_moves(position, moves);
        EXPECT_OK(position_play(position, moves[rng_below(rng, count)], err));
    }
}

TEST(random_games_are_read_back_the_same) {
    Rng rng = rng_seeded(11);
    for (int round = 0; round < 150; round++) {
        Position position, replayed;
        SgfGame game, again;
        StrBuf text = {0}, second = {0};
        play_random_game(&rng, &position);
        EXPECT_OK(sgf_game_init_position(&game, &position, err));
        game.write_mover = true;
        EXPECT_OK(sgf_game_write(&game, &text, err));
        EXPECT_OK(sgf_game_parse(text.text, text.length, NULL, &again, err));
        EXPECT_TRUE(rules_equal(&game.rules, &again.rules));
        EXPECT_INT(game.move_count, again.move_count);
        EXPECT_INT(sgf_game_handicap(&game), again.handicap);
        EXPECT_OK(sgf_game_position(&again, -1, &replayed, err));
        EXPECT_TRUE(board_equal_stones(&position.board, &replayed.board));
        EXPECT_INT(position.mover, replayed.mover);
        EXPECT_INT(position.over, replayed.over);
        EXPECT_TRUE(position_state_hash(&position) == position_state_hash(&replayed));
        again.write_mover = true;
        EXPECT_OK(sgf_game_write(&again, &second, err));
        EXPECT_TEXT(text.text, second.text);
        position_clear(&position);
        position_clear(&replayed);
        sgf_game_clear(&game);
        sgf_game_clear(&again);
        strbuf_clear(&text);
        strbuf_clear(&second);
    }
}

/* A pass for ko is a move of the encore that lifts a ko block. It cannot be written in SGF as a
 * move, because there is a stone at its point, or because a reader would capture a stone by it. So
 * it is written as a pass. After the file is read back, the stones are the same. */
TEST(passes_for_ko_are_written_as_passes) {
    Rng rng = rng_seeded(3);
    int lifted = 0;
    for (int round = 0; round < 300; round++) {
        Rules rules = {.ko = KO_SIMPLE, .scoring = SCORING_TERRITORY};
        Position position, replayed;
        SgfGame game, again;
        StrBuf text = {0};
        EXPECT_OK(position_init(&position, 4, 4, &rules, err));
        EXPECT_OK(position_restart_phase(&position, COLOR_BLACK, 1 + round % 2, err));
        for (int i = 0; i < 60 && !position.over; i++) {
            EXPECT_OK(position_play(&position, random_move_of_encore(&rng, &position), err));
        }
        EXPECT_OK(sgf_game_init_position(&game, &position, err));
        for (int i = 0; i < position.move_count; i++) {
            Move move = position_move(&position, i);
            bool lifts = position_passed_for_ko(&position, i);
            EXPECT_INT(lifts ? POINT_PASS : move.point, game.moves[i].move.point);
            EXPECT_INT(move.color, game.moves[i].move.color);
            if (lifts) EXPECT_CONTAINS(game.moves[i].comment, point_text(move.point, 4).text);
            lifted += lifts;
        }
        EXPECT_OK(sgf_game_write(&game, &text, err));
        EXPECT_OK(sgf_game_parse(text.text, text.length, NULL, &again, err));
        EXPECT_OK(sgf_game_position(&again, -1, &replayed, err));
        EXPECT_TRUE(board_equal_stones(&position.board, &replayed.board));
        position_clear(&position);
        position_clear(&replayed);
        sgf_game_clear(&game);
        sgf_game_clear(&again);
        strbuf_clear(&text);
    }
    EXPECT_TRUE(lifted > 50);
}

TEST_MAIN(RUN(building_and_writing), RUN(the_mover_is_written_where_no_move_tells),
          RUN(results_have_katagos_form), RUN(random_games_are_read_back_the_same),
          RUN(passes_for_ko_are_written_as_passes))
