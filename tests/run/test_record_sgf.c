/* Self-play games as SGF. */
#include "random_move.h"
#include "run/stages/record_sgf.h"
#include "sgf/sgf_game.h"
#include "test.h"

/* Plays a random game that begins in this phase of the encore (0: before the encore). Adds the
 * number of its passes for ko to `*lifted`. */
static void play(GameRecord *record, Position *position, int phase, Rng *rng, int *lifted) {
    Rules rules = {.ko = KO_SIMPLE, .scoring = SCORING_TERRITORY};
    EXPECT_OK(position_init(position, 4, 4, &rules, err));
    EXPECT_OK(position_restart_phase(position, COLOR_BLACK, phase, err));
    EXPECT_OK(game_record_init(record, position, err));
    for (int i = 0; i < 60 && !position->over; i++) {
        Move move = {random_move_of_encore(rng, position), position->mover};
        *lifted += position_is_pass_for_ko(position, move.point);
        EXPECT_OK(game_record_add(record, move, NULL, 0, err));
        EXPECT_OK(position_play(position, move.point, err));
    }
    if (!position->over) position_end_and_score(position);
    EXPECT_OK(game_record_finish(record, position, false, err));
}

TEST(games_through_the_encore_can_be_read) {
    Rng rng = rng_seeded(1);
    int lifted = 0;
    for (int round = 0; round < 300; round++) {
        GameRecord record;
        Position position, replayed;
        SgfGame game;
        StrBuf text = {0};
        int phase = round % 3;
        play(&record, &position, phase, &rng, &lifted);
        EXPECT_OK(record_sgf_write(&record, &text, err));
        EXPECT_OK(sgf_game_parse(text.text, text.length, NULL, &game, err));
        EXPECT_INT(record.turn_count, game.move_count);
        EXPECT_OK(sgf_game_position(&game, -1, &replayed, err));
        EXPECT_TRUE(board_equal_stones(&position.board, &replayed.board));
        EXPECT_TEXT(sgf_result_text(&record.outcome, false).text, game.result);
        const char *began = strstr(game.comment, "beganInEncorePhase=");
        EXPECT_INT(phase > 0, began != NULL);
        if (began) EXPECT_INT('0' + phase, began[strlen("beganInEncorePhase=")]);
        position_clear(&position);
        position_clear(&replayed);
        sgf_game_clear(&game);
        strbuf_clear(&text);
        game_record_clear(&record);
    }
    EXPECT_TRUE(lifted > 50);
}

TEST(the_sgf_has_the_playout_doubling_advantage) {
    Rng rng = rng_seeded(2);
    GameRecord record;
    Position position;
    StrBuf text = {0};
    int lifted = 0;
    play(&record, &position, 0, &rng, &lifted);
    record.mode = GAME_ASYMMETRIC;
    EXPECT_OK(record_sgf_write(&record, &text, err));
    EXPECT_FALSE(strstr(text.text, "pdaWhite"));
    record.playout_doubling_advantage[COLOR_WHITE] = 1.5f;
    EXPECT_OK(record_sgf_write(&record, &text, err));
    EXPECT_CONTAINS(text.text, "gtype=asym,pdaWhite=1.5000");
    position_clear(&position);
    strbuf_clear(&text);
    game_record_clear(&record);
}

TEST(the_sgf_has_newer_nets_with_their_turns) {
    Rng rng = rng_seeded(3);
    Rules rules = rules_tromp_taylor();
    GameRecord record;
    Position position;
    SgfGame game;
    StrBuf text = {0};
    EXPECT_OK(position_init(&position, 5, 5, &rules, err));
    for (int i = 0; i < 9; i++) { /* the record begins after the first three of nine moves */
        Point point = random_move_of_encore(&rng, &position);
        if (i == 3) EXPECT_OK(game_record_init(&record, &position, err));
        if (i >= 3) {
            EXPECT_OK(game_record_use_net(&record, i < 5 ? "one" : i < 8 ? "two" : "three", err));
            EXPECT_OK(game_record_add(&record, (Move){point, position.mover}, NULL, 0, err));
        }
        EXPECT_OK(position_play(&position, point, err));
    }
    position_end_and_score(&position);
    EXPECT_OK(game_record_finish(&record, &position, true, err));
    EXPECT_OK(record_sgf_write(&record, &text, err));
    EXPECT_OK(sgf_game_parse(text.text, text.length, NULL, &game, err));
    EXPECT_TEXT("one", game.black);
    EXPECT_TEXT("one", game.white);
    EXPECT_CONTAINS(game.comment, "startTurnIdx=3,");
    EXPECT_CONTAINS(game.comment, "gtype=normal,newNeuralNetTurn5=two,newNeuralNetTurn8=three");
    position_clear(&position);
    sgf_game_clear(&game);
    strbuf_clear(&text);
    game_record_clear(&record);
}

TEST_MAIN(RUN(games_through_the_encore_can_be_read),
          RUN(the_sgf_has_the_playout_doubling_advantage),
          RUN(the_sgf_has_newer_nets_with_their_turns))
