/* Ko and superko by hand. S is the board at the start of a test, and the comments say how it
 * changes. */
#include "base/rng.h"
#include "go/diagram.h"

static Position start(const Diagram *d, KoRule ko, Color mover) {
    Rules rules = rules_tromp_taylor();
    Position position;
    rules.ko = ko;
    EXPECT_OK(position_init_board(&position, &d->board, mover, &rules, err));
    return position;
}

static void play(Position *position, Point point) {
    EXPECT_OK(position_play(position, point, err));
}

static const KoRule ALL[] = {KO_SIMPLE, KO_POSITIONAL, KO_SITUATIONAL, KO_SPIGHT};

/* Black can take a ko by playing at a. White could then retake it at the point of W. */
static Diagram one_ko(void) {
    return diagram(". X O . ."
                   "X W a O ."
                   ". X O . ."
                   ". . . . ."
                   "t . . . s");
}

/* No ko rule lets a player retake immediately. */
TEST(a_ko_may_not_be_retaken_at_once) {
    Diagram d = one_ko();
    for (int i = 0; i < 4; i++) {
        Position position = start(&d, ALL[i], COLOR_BLACK);
        play(&position, marked(&d, 'a'));
        EXPECT_FALSE(position_is_legal(&position, marked(&d, 'W')));
        EXPECT_STATUS(ERR_ILLEGAL, position_play(&position, marked(&d, 'W'), NULL));
        EXPECT_INT(1, position.move_count);
        /* The simple ko rule forbids the move already, so superko does not forbid it again. */
        EXPECT_INT(0, position.superko_banned[marked(&d, 'W')]);
        position_clear(&position);
    }
}

/* A threat and its answer change the board, so White may retake. */
TEST(a_threat_and_its_answer_open_the_ko) {
    Diagram d = one_ko();
    for (int i = 0; i < 4; i++) {
        Position position = start(&d, ALL[i], COLOR_BLACK);
        play(&position, marked(&d, 'a'));
        play(&position, marked(&d, 't'));
        play(&position, marked(&d, 's'));
        EXPECT_TRUE(position_is_legal(&position, marked(&d, 'W')));
        play(&position, marked(&d, 'W'));
        /* Now Black may not retake immediately. */
        EXPECT_FALSE(position_is_legal(&position, marked(&d, 'a')));
        EXPECT_BOARD(&position.board, ". X O . ."
                                      "X O . O ."
                                      ". X O . ."
                                      ". . . . ."
                                      "O . . . X");
        position_clear(&position);
    }
}

/* White passes and Black plays elsewhere, at s. Then White may retake. */
TEST(a_pass_opens_the_ko_too) {
    Diagram d = one_ko();
    for (int i = 0; i < 4; i++) {
        Position position = start(&d, ALL[i], COLOR_BLACK);
        play(&position, marked(&d, 'a'));
        play(&position, POINT_PASS);
        EXPECT_INT(POINT_NONE, position.board.ko);
        play(&position, marked(&d, 's'));
        EXPECT_TRUE(position_is_legal(&position, marked(&d, 'W')));
        position_clear(&position);
    }
}

/* White plays at a, and Black captures W and a by playing at b. White captures b by playing at the
 * point of W, which the tests call c. Now the board is S again, but Black is to move. White's new
 * stone has two liberties, so there is no simple ko. */
static Diagram sending_two(void) {
    return diagram("b W a X ."
                   "O X X X ."
                   "O O O X ."
                   ". . O X ."
                   "t . O X s");
}

static void send_two(Position *position, const Diagram *d) {
    play(position, marked(d, 'a'));
    play(position, marked(d, 'b'));
    EXPECT_INT(POINT_NONE, position->board.ko);
    EXPECT_BOARD(&position->board, "X . . X ."
                                   "O X X X ."
                                   "O O O X ."
                                   ". . O X ."
                                   ". . O X .");
}

TEST(sending_two_returning_one_and_positional_superko) {
    Diagram d = sending_two();
    Point c = marked(&d, 'W');
    Position position = start(&d, KO_POSITIONAL, COLOR_WHITE);
    send_two(&position, &d);
    EXPECT_FALSE(position_is_legal(&position, c)); /* the board of S again, whoever moves */
    EXPECT_INT(1, position.superko_banned[c]);
    EXPECT_STATUS(ERR_ILLEGAL, position_play(&position, c, NULL));
    EXPECT_TRUE(position_is_legal(&position, marked(&d, 'a')));
    play(&position, marked(&d, 't'));
    play(&position, marked(&d, 's'));
    EXPECT_TRUE(position_is_legal(&position, c)); /* t and s make another board */
    EXPECT_INT(0, position.superko_banned[c]);
    position_clear(&position);
}

/* The game begins with so many passes that repeated boards are looked up in a hash table. */
TEST(superko_holds_in_a_long_game) {
    Diagram d = sending_two();
    Point c = marked(&d, 'W'), a = marked(&d, 'a');
    Position position = start(&d, KO_POSITIONAL, COLOR_WHITE), line = {0};
    for (int i = 0; i < 6000; i++)
        play(&position, POINT_PASS);
    EXPECT_FALSE(position.superko_banned[a]);
    send_two(&position, &d);
    EXPECT_OK(position_begin_line(&line, &position, err));
    line.unsettled = true; /* position_is_legal() then does not use superko_banned */
    for (Point p = 0; p < POINT_COUNT; p++) {
        EXPECT_INT(p == c, position.superko_banned[p]);
        EXPECT_INT(position_is_legal(&line, p), position_is_legal(&position, p));
    }
    play(&position, marked(&d, 't'));
    play(&position, marked(&d, 's'));
    EXPECT_INT(0, position.superko_banned[c]);
    position_clear(&position);
    position_clear(&line);
}

/* In S White was to move. After c Black is to move, so c repeats no situation. After Black's pass
 * the situation is S again, and a would repeat the situation after the first a. */
TEST(sending_two_returning_one_and_situational_superko) {
    Diagram d = sending_two();
    Position position = start(&d, KO_SITUATIONAL, COLOR_WHITE);
    send_two(&position, &d);
    EXPECT_TRUE(position_is_legal(&position, marked(&d, 'W')));
    play(&position, marked(&d, 'W'));
    EXPECT_TRUE(position_is_legal(&position, POINT_PASS));
    play(&position, POINT_PASS);
    EXPECT_FALSE(position_is_legal(&position, marked(&d, 'a')));
    EXPECT_INT(1, position.superko_banned[marked(&d, 'a')]);
    position_clear(&position);
}

/* Simple ko forbids none of these moves. But if a player passes twice in the same situation, the
 * game ends. Black does so here, although White never passes. */
TEST(sending_two_returning_one_and_simple_ko) {
    Diagram d = sending_two();
    Position position = start(&d, KO_SIMPLE, COLOR_WHITE);
    for (int round = 0; round < 2; round++) {
        send_two(&position, &d);
        play(&position, marked(&d, 'W'));
        EXPECT_FALSE(position.over);
        EXPECT_INT(round == 1, position_pass_would_end_game(&position));
        play(&position, POINT_PASS);
    }
    EXPECT_TRUE(position.over);
    EXPECT_FALSE(position.outcome.no_result);
    position_clear(&position);
}

/* Spight's superko is positional superko with two exceptions. Boards before a pass no longer count,
 * and two passes in a row do not end the game. */
TEST(passes_forget_boards_in_spights_superko) {
    Diagram d = sending_two();
    Point c = marked(&d, 'W');
    Position position = start(&d, KO_SPIGHT, COLOR_WHITE);
    send_two(&position, &d);
    EXPECT_FALSE(position_is_legal(&position, c));
    play(&position, POINT_PASS);
    play(&position, POINT_PASS);
    EXPECT_FALSE(position.over);
    EXPECT_TRUE(position_is_legal(&position, c));
    /* A pass would be White's second one in this situation. */
    EXPECT_TRUE(position_pass_would_end_game(&position));
    play(&position, POINT_PASS);
    EXPECT_TRUE(position.over);
    position_clear(&position);
}

/* With positional superko, boards before a pass still count. After a stone elsewhere, White's move
 * makes a new board and is legal. */
TEST(passes_forget_nothing_in_positional_superko) {
    Diagram d = sending_two();
    Position position = start(&d, KO_POSITIONAL, COLOR_BLACK);
    play(&position, POINT_PASS);
    send_two(&position, &d);
    EXPECT_FALSE(position_is_legal(&position, marked(&d, 'W')));
    play(&position, POINT_PASS);
    play(&position, marked(&d, 's'));
    EXPECT_TRUE(position_is_legal(&position, marked(&d, 'W')));
    position_clear(&position);
}

/* Black plays a, White passes, and Black's b is a suicide of both black stones, which makes the
 * board S again. In S Black was to move, but now White is, so only positional superko forbids b. */
TEST(suicide_may_repeat_a_board) {
    static const struct {
        KoRule ko;
        bool legal;
    } CASES[] = {{KO_SIMPLE, true}, {KO_POSITIONAL, false}, {KO_SITUATIONAL, true}};
    Diagram d = diagram("a b O . ."
                        "O O O . ."
                        ". . . . ."
                        ". . . . ."
                        ". . . . .");
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Position position = start(&d, CASES[i].ko, COLOR_BLACK);
        play(&position, marked(&d, 'a'));
        play(&position, POINT_PASS);
        EXPECT_INT(CASES[i].legal, position_is_legal(&position, marked(&d, 'b')));
        if (CASES[i].legal) {
            play(&position, marked(&d, 'b'));
            EXPECT_TRUE(board_equal_stones(&d.board, &position.board));
            EXPECT_INT(2, position.board.captured[COLOR_BLACK]);
        }
        position_clear(&position);
    }
}

/* Three kos: Black can capture by playing at a and at c, and White can capture by playing at b.
 * After the six moves
 *     Black a, White b, Black c, White retakes a, Black retakes b, White retakes c
 * the board is S again, and Black is to move as in S. */
static Diagram triple_ko(void) {
    return diagram_sized(". X O ."
                         "X W a O"
                         ". X O ."
                         ". X O ."
                         "X b B O"
                         ". X O ."
                         ". X O ."
                         "X O c O"
                         ". X O .",
                         4, 9);
}

static void triple_ko_moves(const Diagram *d, Point out[6]) {
    out[0] = marked(d, 'a');
    out[1] = marked(d, 'b');
    out[2] = marked(d, 'c');
    out[3] = marked(d, 'W');     /* beside a */
    out[4] = marked(d, 'B');     /* beside b */
    out[5] = marked(d, 'c') - 1; /* beside c */
}

TEST(superko_forbids_the_sixth_move_of_a_triple_ko) {
    static const KoRule SUPERKO[] = {KO_POSITIONAL, KO_SITUATIONAL, KO_SPIGHT};
    Diagram d = triple_ko();
    Point moves[6];
    triple_ko_moves(&d, moves);
    for (int i = 0; i < 3; i++) {
        Position position = start(&d, SUPERKO[i], COLOR_BLACK);
        for (int k = 0; k < 5; k++) {
            EXPECT_TRUE(position_is_legal(&position, moves[k]));
            play(&position, moves[k]);
        }
        EXPECT_FALSE(position_is_legal(&position, moves[5]));
        EXPECT_INT(1, position.superko_banned[moves[5]]);
        position_clear(&position);
    }
}

/* With simple ko, S occurs a second time after 6 moves, and a third time after 12. Then the game
 * ends without result. */
TEST(a_triple_ko_has_no_result_with_simple_ko) {
    Diagram d = triple_ko();
    Point moves[6];
    triple_ko_moves(&d, moves);
    Position position = start(&d, KO_SIMPLE, COLOR_BLACK);
    for (int k = 0; k < 12; k++) {
        EXPECT_FALSE(position.over);
        EXPECT_TRUE(position_is_legal(&position, moves[k % 6]));
        play(&position, moves[k % 6]);
        if (k == 5) EXPECT_TRUE(board_equal_stones(&d.board, &position.board));
    }
    EXPECT_TRUE(position.over);
    EXPECT_TRUE(position.outcome.no_result);
    EXPECT_INT(COLOR_EMPTY, position.outcome.winner);
    position_clear(&position);
}

/* Tolerant play also plays moves that ko or superko forbids. After such a move, `legal_turns` is
 * 0. */
TEST(tolerant_play_retakes_at_once) {
    Diagram d = one_ko();
    Position position = start(&d, KO_POSITIONAL, COLOR_BLACK);
    EXPECT_OK(position_play_tolerant(&position, (Move){marked(&d, 'a'), COLOR_BLACK}, err));
    EXPECT_FALSE(position_is_legal(&position, marked(&d, 'W')));
    EXPECT_OK(position_play_tolerant(&position, (Move){marked(&d, 'W'), COLOR_WHITE}, err));
    EXPECT_TRUE(board_equal_stones(&d.board, &position.board));
    EXPECT_INT(0, position.legal_turns);
    EXPECT_STATUS(ERR_ILLEGAL,
                  position_play_tolerant(&position, (Move){marked(&d, 'W'), COLOR_BLACK}, NULL));
    EXPECT_STATUS(ERR_ARGUMENT,
                  position_play_tolerant(&position, (Move){marked(&d, 's'), COLOR_EMPTY}, NULL));
    position_clear(&position);
}

/* Tries sixty random moves under each ko rule. Sometimes one player moves twice in a row. There are
 * captures, and kos that are retaken immediately. */
TEST(a_replay_ends_in_the_position_that_was_played) {
    for (int i = 0; i < 4; i++) {
        Rules rules = rules_tromp_taylor();
        Position played, replayed;
        Rng rng = rng_seeded(5);
        rules.ko = ALL[i];
        EXPECT_OK(position_init(&played, 3, 3, &rules, err));
        EXPECT_OK(position_init(&replayed, 3, 3, &rules, err));
        for (int turn = 0; turn < 60; turn++) {
            int cell = rng_below(&rng, 10);
            Color color = rng_below(&rng, 8) ? played.mover : color_other(played.mover);
            Move move = {cell == 9 ? POINT_PASS : point_at(cell % 3, cell / 3), color};
            Status status = position_play_tolerant(&played, move, NULL);
            EXPECT_STATUS(status, position_replay_on(&replayed, move, NULL));
            if (turn % 9) continue;
            position_end_replay(&replayed);
            EXPECT_TRUE(memcmp(played.superko_banned, replayed.superko_banned, POINT_COUNT) == 0);
            EXPECT_TRUE(position_path_hash(&played, false) == position_path_hash(&replayed, false));
            EXPECT_INT(played.legal_turns, replayed.legal_turns);
            EXPECT_INT(played.move_count, replayed.move_count);
        }
        position_clear(&played);
        position_clear(&replayed);
    }
}

TEST_MAIN(RUN(a_ko_may_not_be_retaken_at_once), RUN(a_threat_and_its_answer_open_the_ko),
          RUN(a_pass_opens_the_ko_too), RUN(sending_two_returning_one_and_positional_superko),
          RUN(superko_holds_in_a_long_game), RUN(sending_two_returning_one_and_situational_superko),
          RUN(sending_two_returning_one_and_simple_ko),
          RUN(passes_forget_boards_in_spights_superko),
          RUN(passes_forget_nothing_in_positional_superko), RUN(suicide_may_repeat_a_board),
          RUN(superko_forbids_the_sixth_move_of_a_triple_ko),
          RUN(a_triple_ko_has_no_result_with_simple_ko), RUN(tolerant_play_retakes_at_once),
          RUN(a_replay_ends_in_the_position_that_was_played))
