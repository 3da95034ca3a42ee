/* Positions of other programs' files become games again: the moves are found, and the rows are
 * those of the game. Single positions have rows with the same features. */
#include "data/foreign/foreign_games.h"
#include "data/foreign/foreign_pack.h"
#include "data/rows/row.h"
#include "data/rows/row_check.h"
#include "made_foreign.h"

enum { RECORDS_MAX = 128 };

/* Collects the records, packed. */
typedef struct {
    ForeignGames *games;
    StrBuf packed[RECORDS_MAX];
    int count;
    Rules rules;
} Joined;

static Status take(void *context, const GameRecord *record, Error *err) {
    Joined *joined = context;
    EXPECT_TRUE(joined->count < RECORDS_MAX);
    StrBuf *to = &joined->packed[joined->count++];
    foreign_pack(record, to);
    return strbuf_status(to, err);
}

static Joined *joined_new(void) {
    Joined *joined = calloc(1, sizeof *joined);
    joined->rules = rules_tromp_taylor();
    joined->rules.suicide = false;
    EXPECT_OK(foreign_games_new(&joined->rules, (ForeignSink){take, joined}, &joined->games, err));
    return joined;
}

static void joined_free(Joined *joined) {
    foreign_games_free(joined->games);
    for (int i = 0; i < joined->count; i++)
        strbuf_clear(&joined->packed[i]);
    free(joined);
}

static void add(Joined *joined, const ForeignPosition *position) {
    bool refused;
    EXPECT_OK(foreign_games_add(joined->games, position, &refused, err));
    EXPECT_FALSE(refused);
}

static void expect_refused(Joined *joined, const ForeignPosition *position, const char *why) {
    bool refused;
    Error fault = {0};
    EXPECT_STATUS(OK, foreign_games_add(joined->games, position, &refused, &fault));
    EXPECT_TRUE(refused);
    EXPECT_CONTAINS(fault.message, why);
}

static GameRecord record_of(const Joined *joined, int index) {
    GameRecord record;
    const StrBuf *packed = &joined->packed[index];
    EXPECT_OK(foreign_unpack(packed->text, packed->length, &joined->rules, &record, err));
    return record;
}

static Rows rows_of(const GameRecord *record) {
    Rows rows;
    Rng rng = rng_seeded(5);
    EXPECT_OK(rows_init(&rows, record->start.board.width, err));
    EXPECT_OK(rows_from_game(record, &rng, &rows, err));
    EXPECT_OK(rows_check(&rows, err));
    return rows;
}

/* Makes the record of a game directly, without the move of the last turn. */
static GameRecord direct_record(const MadeGame *game, const Rules *rules) {
    GameRecord record;
    Position start;
    EXPECT_OK(position_init(&start, game->side, game->side, rules, err));
    EXPECT_OK(game_record_init(&record, &start, err));
    position_clear(&start);
    for (int t = 0; t < game->turns; t++) {
        const ForeignPosition *now = &game->positions[t];
        Move move = {t + 1 < game->turns ? game->moves[t] : POINT_NONE, now->mover};
        EXPECT_OK(game_record_add(&record, move, NULL, 1, err));
        TurnRecord *turn = &record.turns[t];
        turn->targets = calloc(MOVES_MAX, sizeof *turn->targets);
        turn->policy_weight = 1;
        float largest = 0;
        for (int i = 0; i <= game->side * game->side; i++)
            largest = fmaxf(largest, now->policy[i]);
        for (int i = 0; i <= game->side * game->side; i++) {
            if (now->policy[i] > 0)
                turn->targets[turn->target_count++] = (PolicyTarget){
                    (int16_t)i, (int16_t)lround((double)now->policy[i] / (double)largest * 30000)};
        }
    }
    record.finished = record.score_unknown = record.owner_unknown = true;
    record.outcome.winner = game->winner;
    return record;
}

/* Expects rows with the same columns. The hashes of the games may differ. */
static void expect_same_rows(Rows *a, Rows *b) {
    StrBuf x = {0}, y = {0};
    Rows *const both[2] = {a, b};
    EXPECT_INT(a->count, b->count);
    for (int i = 0; i < 2; i++) {
        for (size_t n = 0; n < both[i]->count; n++)
            memset(both[i]->targets + n * ROW_GLOBAL_TARGETS + TARGET_HASH, 0, 6 * sizeof(float));
    }
    rows_to_bytes(a, &x);
    rows_to_bytes(b, &y);
    EXPECT_INT(x.length, y.length);
    EXPECT_TRUE(memcmp(x.text, y.text, x.length) == 0);
    strbuf_clear(&x);
    strbuf_clear(&y);
}

TEST(a_file_of_games_gives_the_games) {
    static MadeGame games[3];
    Joined *joined = joined_new();
    for (int g = 0; g < 3; g++) {
        made_game(&games[g], g == 1 ? 9 : 19, 40 + g, 10 + g);
        for (int t = 0; t < games[g].turns; t++)
            add(joined, &games[g].positions[t]);
    }
    EXPECT_OK(foreign_games_end(joined->games, err));
    EXPECT_INT(3, joined->count);
    for (int g = 0; g < 3; g++) {
        GameRecord found = record_of(joined, g), direct = direct_record(&games[g], &joined->rules);
        EXPECT_FALSE(found.end_unknown);
        EXPECT_INT(games[g].turns, found.turn_count);
        for (int t = 0; t < games[g].turns - 1; t++)
            EXPECT_INT(games[g].moves[t], found.turns[t].move.point);
        EXPECT_INT(POINT_NONE, found.turns[games[g].turns - 1].move.point);
        Rows a = rows_of(&found), b = rows_of(&direct);
        expect_same_rows(&a, &b);
        rows_clear(&a);
        rows_clear(&b);
        game_record_clear(&found);
        game_record_clear(&direct);
    }
    joined_free(joined);
}

/* Value, policy and reply are learned; lead, score, ownership and later searches are not. */
TEST(what_the_files_do_not_say_has_no_weight) {
    static MadeGame game;
    Joined *joined = joined_new();
    made_game(&game, 19, 50, 4);
    for (int t = 0; t < game.turns; t++)
        add(joined, &game.positions[t]);
    EXPECT_OK(foreign_games_end(joined->games, err));
    GameRecord record = record_of(joined, 0);
    Rows rows = rows_of(&record);
    EXPECT_INT(50, rows.count);
    for (size_t n = 0; n < rows.count; n++) {
        const float *targets = rows.targets + n * ROW_GLOBAL_TARGETS;
        bool wins = game.positions[n].mover == game.winner;
        EXPECT_NEAR(wins, targets[TARGET_FINAL], 0);
        EXPECT_NEAR(!wins, targets[TARGET_FINAL + 1], 0);
        EXPECT_NEAR(0, targets[TARGET_NO_VALUE], 0);
        EXPECT_NEAR(1, targets[TARGET_WEIGHT_POLICY], 0);
        EXPECT_NEAR(n < 49, targets[TARGET_WEIGHT_REPLY], 0);
        EXPECT_NEAR(1, targets[TARGET_WEIGHT_FUTURE], 0);
        EXPECT_NEAR(1, targets[TARGET_NO_TD], 0);
        EXPECT_NEAR(0, targets[TARGET_WEIGHT_BOARD], 0);
        EXPECT_NEAR(0, targets[TARGET_WEIGHT_LEAD], 0);
        EXPECT_NEAR(0, targets[TARGET_WEIGHT_SCORING], 0);
        EXPECT_NEAR(0, targets[TARGET_MOVES_LEFT], 0);
        EXPECT_NEAR(n % 2 ? 7.5 : -7.5, targets[TARGET_KOMI], 0);
        /* The last turn is 49, and its move is not known. So the last row that knows the move two
         * turns after its own turn is the row of turn 46. */
        float later = targets[TARGET_LATER_MOVES];
        EXPECT_NEAR(n + 2 >= 49                       ? 0
                    : game.moves[n + 2] == POINT_PASS ? LATER_MOVE_PASS
                                                      : 1 + move_index(game.moves[n + 2], 19, 19),
                    later, 0);
    }
    rows_clear(&rows);
    game_record_clear(&record);
    joined_free(joined);
}

/* Shuffled positions: each one becomes a record of its own. Its features are the same as in the
 * whole game, because features look back at most five moves. */
TEST(single_positions_have_their_history) {
    static MadeGame game;
    Joined *joined = joined_new(), *whole = joined_new();
    made_game(&game, 9, 50, 6);
    for (int t = 0; t < game.turns; t++)
        add(whole, &game.positions[t]);
    EXPECT_OK(foreign_games_end(whole->games, err));
    for (int t = game.turns - 1; t >= 0; t--)
        add(joined, &game.positions[t]);
    EXPECT_OK(foreign_games_end(joined->games, err));
    EXPECT_INT(game.turns, joined->count);
    GameRecord all = record_of(whole, 0);
    Rows want = rows_of(&all);
    for (int t = 0; t < game.turns; t++) {
        GameRecord one = record_of(joined, game.turns - 1 - t);
        Rows rows = rows_of(&one);
        size_t planes = FEATURE_PLANES * ((81 + 7) / 8), moves = 82;
        EXPECT_INT(1, rows.count);
        EXPECT_INT(t < 7 ? t : 7, one.start.move_count);
        EXPECT_TRUE(memcmp(rows.planes, want.planes + (size_t)t * planes, planes) == 0);
        EXPECT_TRUE(memcmp(rows.globals, want.globals + t * FEATURE_GLOBALS,
                           FEATURE_GLOBALS * sizeof *rows.globals) == 0);
        EXPECT_TRUE(memcmp(rows.policy, want.policy + (size_t)t * 2 * moves,
                           moves * sizeof *rows.policy) == 0);
        /* only the first one can be a whole game, of one turn */
        EXPECT_INT(t > 0, one.end_unknown);
        EXPECT_NEAR(t == 0, rows.targets[TARGET_WEIGHT_FUTURE], 0);
        rows_clear(&rows);
        game_record_clear(&one);
    }
    rows_clear(&want);
    game_record_clear(&all);
    joined_free(joined);
    joined_free(whole);
}

/* Where a position of a game is missing, one piece of the game ends and the next one begins. */
TEST(a_gap_makes_two_pieces) {
    static MadeGame game;
    Joined *joined = joined_new();
    made_game(&game, 19, 60, 8);
    for (int t = 0; t < game.turns; t++) {
        if (t != 40) add(joined, &game.positions[t]);
    }
    EXPECT_OK(foreign_games_end(joined->games, err));
    EXPECT_INT(2, joined->count);
    GameRecord first = record_of(joined, 0), second = record_of(joined, 1);
    EXPECT_INT(40, first.turn_count);
    EXPECT_INT(19, second.turn_count);
    EXPECT_TRUE(first.end_unknown && second.end_unknown);
    Rows rows = rows_of(&first);
    /* the stones 32 turns later are known only if that turn is in the same piece */
    for (size_t n = 0; n < rows.count; n++)
        EXPECT_NEAR(n + 32 < 40, rows.targets[n * ROW_GLOBAL_TARGETS + TARGET_WEIGHT_FUTURE], 0);
    rows_clear(&rows);
    game_record_clear(&first);
    game_record_clear(&second);
    joined_free(joined);
}

TEST(the_result_must_stay_the_same_in_a_game) {
    static MadeGame game;
    Joined *joined = joined_new();
    made_game(&game, 9, 20, 8);
    for (int t = 10; t < 20; t++)
        game.positions[t].winner = color_other(game.winner);
    for (int t = 0; t < 20; t++)
        add(joined, &game.positions[t]);
    EXPECT_OK(foreign_games_end(joined->games, err));
    EXPECT_INT(2, joined->count);
    joined_free(joined);
}

TEST(handicap_stones_are_set_up) {
    ForeignPosition position = {
        .width = 9, .height = 9, .mover = COLOR_WHITE, .winner = COLOR_WHITE};
    Joined *joined = joined_new();
    position.boards[0][2 * 9 + 2] = position.boards[0][6 * 9 + 6] = COLOR_BLACK;
    position.policy[81] = 1;
    add(joined, &position);
    EXPECT_OK(foreign_games_end(joined->games, err));
    GameRecord record = record_of(joined, 0);
    EXPECT_INT(0, record.start.move_count);
    EXPECT_INT(2, record.start.board.stones);
    EXPECT_INT(GAME_HANDICAP, record.mode);
    game_record_clear(&record);
    joined_free(joined);
}

TEST(impossible_positions_are_refused) {
    static MadeGame game;
    Joined *joined = joined_new();
    made_game(&game, 9, 30, 12);
    for (int t = 0; t < 20; t++)
        add(joined, &game.positions[t]);
    ForeignPosition bad = game.positions[20];
    for (int i = 0; i <= 81; i++)
        bad.policy[i] = 0;
    expect_refused(joined, &bad, "the policy has no move");
    EXPECT_INT(1, joined->count); /* the game before the refused position ends */
    bad = game.positions[20];
    int stone = 0;
    while (bad.boards[0][stone] == COLOR_EMPTY)
        stone++;
    bad.policy[stone] = 0.1f;
    expect_refused(joined, &bad, "the policy has the illegal move");
    bad = game.positions[20];
    bad.boards[4][stone] = (uint8_t)(COLOR_BLACK + COLOR_WHITE - bad.boards[0][stone]);
    expect_refused(joined, &bad, "no legal move leads from the board of");
    bad = game.positions[20];
    memset(bad.boards[7], COLOR_BLACK, 81);
    expect_refused(joined, &bad, "stones without liberty");
    bad = game.positions[20]; /* its boards show two passes */
    memcpy(bad.boards[1], bad.boards[0], 81);
    memcpy(bad.boards[2], bad.boards[0], 81);
    for (int k = 3; k < 8; k++)
        memset(bad.boards[k], COLOR_EMPTY, 81);
    expect_refused(joined, &bad, "the game is over");
    EXPECT_INT(1, joined->count);
    add(joined, &game.positions[20]); /* the next good position begins a new game */
    EXPECT_OK(foreign_games_end(joined->games, err));
    EXPECT_INT(2, joined->count);
    joined_free(joined);
}

/* A position after the second pass is refused. The game ends before it and is complete. */
TEST(a_game_ends_with_two_passes) {
    static MadeGame game;
    Joined *joined = joined_new();
    made_game(&game, 9, 10, 12);
    for (int t = 0; t < 10; t++)
        add(joined, &game.positions[t]);
    ForeignPosition next = game.positions[9];
    for (int i = 0; i < 2; i++) {
        memmove(next.boards[1], next.boards[0], 7 * sizeof next.boards[0]);
        next.mover = color_other(next.mover);
        memset(next.policy, 0, sizeof next.policy);
        next.policy[81] = 1;
        if (i == 0)
            add(joined, &next);
        else
            expect_refused(joined, &next, "the game is over");
    }
    EXPECT_INT(1, joined->count);
    GameRecord record = record_of(joined, 0);
    EXPECT_FALSE(record.end_unknown);
    EXPECT_INT(11, record.turn_count);
    EXPECT_INT(POINT_PASS, record.turns[10].move.point);
    game_record_clear(&record);
    joined_free(joined);
}

/* What the search found is kept in the record. Values are the mover's in files, and White's in
 * records. */
TEST(values_of_the_search_are_kept) {
    static MadeGame game;
    Joined *joined = joined_new();
    made_game(&game, 9, 2, 12);
    for (int t = 0; t < 2; t++) {
        game.positions[t].searched = true;
        game.positions[t].win_loss = 0.5f;
        game.positions[t].raw_win_loss = -0.25f;
        game.positions[t].visits = 800;
        game.positions[t].policy_change = 0.125f;
        game.positions[t].komi_known = true;
        game.positions[t].komi = 6.5f;
        add(joined, &game.positions[t]);
    }
    EXPECT_OK(foreign_games_end(joined->games, err));
    GameRecord record = record_of(joined, 0);
    EXPECT_NEAR(0.25, record.turns[0].white_win, 0);
    EXPECT_NEAR(0.75, record.turns[1].white_win, 0);
    EXPECT_NEAR(0.25, record.turns[1].white_loss, 0);
    Rows rows = rows_of(&record);
    EXPECT_NEAR(0.75, rows.targets[TARGET_SEARCH], 0);
    EXPECT_NEAR(0.75, rows.targets[ROW_GLOBAL_TARGETS + TARGET_SEARCH], 0);
    EXPECT_NEAR(-0.25, rows.targets[TARGET_NET_WIN_LOSS], 0);
    EXPECT_NEAR(800, rows.targets[TARGET_VISITS], 0);
    EXPECT_NEAR(0.125, rows.targets[TARGET_SURPRISE], 0);
    EXPECT_NEAR(1, rows.targets[TARGET_NO_TD], 0); /* the score is not known */
    EXPECT_NEAR(1, row_search_weight(rows.targets), 0);
    EXPECT_NEAR(-6.5, rows.targets[TARGET_KOMI], 0);
    rows_clear(&rows);
    game_record_clear(&record);
    joined_free(joined);
}

TEST(damaged_packed_games_are_refused) {
    static MadeGame game;
    Joined *joined = joined_new();
    GameRecord record;
    Rng rng = rng_seeded(3);
    made_game(&game, 9, 20, 12);
    for (int t = 5; t < 20; t++)
        add(joined, &game.positions[t]);
    EXPECT_OK(foreign_games_end(joined->games, err));
    StrBuf *packed = &joined->packed[0];
    for (size_t keep = 0; keep < packed->length; keep++)
        EXPECT_STATUS(ERR_SYNTAX,
                      foreign_unpack(packed->text, keep, &joined->rules, &record, NULL));
    /* If another byte is changed, the record is refused, or rows without a fault can be made of
     * it. */
    for (int i = 0; i < 2000; i++) {
        size_t at = (size_t)rng_below(&rng, (int)packed->length);
        char kept = packed->text[at];
        packed->text[at] ^= (char)(1 << rng_below(&rng, 8));
        if (!foreign_unpack(packed->text, packed->length, &joined->rules, &record, NULL)) {
            Rows rows = rows_of(&record);
            rows_clear(&rows);
            game_record_clear(&record);
        }
        packed->text[at] = kept;
    }
    joined_free(joined);
}

TEST_MAIN(RUN(a_file_of_games_gives_the_games), RUN(what_the_files_do_not_say_has_no_weight),
          RUN(single_positions_have_their_history), RUN(a_gap_makes_two_pieces),
          RUN(the_result_must_stay_the_same_in_a_game), RUN(handicap_stones_are_set_up),
          RUN(impossible_positions_are_refused), RUN(a_game_ends_with_two_passes),
          RUN(values_of_the_search_are_kept), RUN(damaged_packed_games_are_refused))
