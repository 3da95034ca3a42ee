/* Boards, rules and komi that each pair of games of a match draws. */
#include "play/match/match_board.h"

#include <math.h>

#include "base/scratch.h"
#include "play/match/tournament/tournament.h"
#include "sgf/sgf_game.h"

enum { DRAWS = 20000 };

static MatchDraw gonn(void) {
    static SelfplaySettings settings;
    static MatchDraw draw;
    settings_defaults(SELFPLAY_FIELDS, &settings);
    EXPECT_OK(match_draw_gonn(&settings, err));
    EXPECT_OK(match_draw_make(&settings, &draw, err));
    return draw;
}

/* The frequencies of GoNN's matches. Komi on 19x19 is 7.5 plus a random deviation. In one of ten
 * games the standard deviation is 8, in the others 2.5. Both distributions are cut at 3 standard
 * deviations, which lowers the variance to 0.973 of its value. */
TEST(draws_of_gonn_by_their_frequencies) {
    MatchDraw draw = gonn();
    int nineteen = 0, territory = 0, suicide = 0, whole = 0;
    double sum = 0, squares = 0;
    for (int i = 0; i < DRAWS; i++) {
        MatchBoard board = match_board_draw(&draw, (uint64_t)i);
        EXPECT_INT(board.width, board.height);
        EXPECT_TRUE(board.width == 19 || board.width == 13 || board.width == 9);
        territory += board.rules.scoring == SCORING_TERRITORY;
        suicide += board.rules.suicide;
        if (board.width < 19) continue;
        double komi = (double)board.rules.komi;
        nineteen++;
        whole += komi == floor(komi);
        sum += komi;
        squares += (komi - 7.5) * (komi - 7.5);
    }
    EXPECT_NEAR(0.9, (double)nineteen / DRAWS, 0.01);
    EXPECT_NEAR(0.5, (double)territory / DRAWS, 0.02);
    EXPECT_NEAR(0.5, (double)suicide / DRAWS, 0.02);
    /* In one of five games komi may be whole. Half of these games have a whole komi. */
    EXPECT_NEAR(0.1, (double)whole / nineteen, 0.01);
    EXPECT_NEAR(7.5, sum / nineteen, 0.12);
    EXPECT_NEAR(0.973 * (0.9 * 6.25 + 0.1 * 64), squares / nineteen, 0.8);
}

TEST(a_seed_has_one_board) {
    MatchDraw draw = gonn();
    int differ = 0;
    for (uint64_t seed = 0; seed < 50; seed++) {
        MatchBoard one = match_board_draw(&draw, seed), same = match_board_draw(&draw, seed),
                   next = match_board_draw(&draw, seed + 1);
        EXPECT_INT(one.width, same.width);
        EXPECT_TRUE(rules_equal(&one.rules, &same.rules));
        differ += !rules_equal(&one.rules, &next.rules);
    }
    EXPECT_TRUE(differ > 40);
}

TEST(the_largest_board_and_wrong_settings) {
    static SelfplaySettings settings;
    static MatchDraw draw;
    int width, height;
    Error err = {0};
    settings_defaults(SELFPLAY_FIELDS, &settings);
    snprintf(settings.sizes, sizeof settings.sizes, "7:1, 9x5:1, 4x11:1");
    EXPECT_STATUS(OK, match_draw_make(&settings, &draw, &err));
    match_draw_largest(&draw, &width, &height);
    EXPECT_INT(9, width);
    EXPECT_INT(11, height);
    uint64_t fingerprint = match_draw_fingerprint(&draw);
    settings.rectangle_probability = 0.1;
    EXPECT_STATUS(OK, match_draw_make(&settings, &draw, &err));
    EXPECT_TRUE(fingerprint != match_draw_fingerprint(&draw));
    match_draw_largest(&draw, &width, &height);
    EXPECT_INT(11, width);
    EXPECT_INT(11, height);
    settings.komi.auto_mean = true;
    EXPECT_STATUS(ERR_ARGUMENT, match_draw_make(&settings, &draw, &err));
    EXPECT_CONTAINS(err.message, "komi.auto_mean");
    settings.komi.auto_mean = false;
    snprintf(settings.ko_rules, sizeof settings.ko_rules, "HARD");
    EXPECT_TRUE(match_draw_make(&settings, &draw, &err) != OK);
}

static void load(const Scratch *scratch, int number, SgfGame *out) {
    char name[32];
    snprintf(name, sizeof name, "game-%05d.sgf", number);
    EXPECT_OK(sgf_game_load(scratch_path(scratch, name).text, NULL, out, err));
}

enum { GAMES = 24 };

/* A match between a net and random play, whose games are drawn by `settings`. */
typedef struct {
    SelfplaySettings settings;
    MatchDraw draw;
    PlayerSpec players[2];
    TournamentPairing pairing;
    TournamentSetup setup;
} DrawnMatch;

static void drawn_match(const Scratch *scratch, DrawnMatch *out) {
    *out = (DrawnMatch){.pairing = {0, 1, GAMES}};
    settings_defaults(SELFPLAY_FIELDS, &out->settings);
    snprintf(out->settings.sizes, sizeof out->settings.sizes, "4:1, 5:1");
    snprintf(out->settings.scoring_rules, sizeof out->settings.scoring_rules, "AREA, TERRITORY");
    EXPECT_OK(match_draw_make(&out->settings, &out->draw, err));
    EXPECT_OK(player_parse("net=uniform,visits=3,name=a", &out->players[0], err));
    EXPECT_OK(player_parse("random", &out->players[1], err));
    out->setup = (TournamentSetup){.players = out->players,
                                   .player_count = 2,
                                   .pairings = &out->pairing,
                                   .pairing_count = 1,
                                   .is_match = true,
                                   .width = 5,
                                   .height = 5,
                                   .draw = &out->draw,
                                   .opening_moves = 2,
                                   .threads = 2,
                                   .seed = 3,
                                   .out_directory = scratch->path};
}

/* Both games of a pair have the same board, rules, komi and opening, with colors exchanged. */
TEST(pairs_of_games_are_fair) {
    static DrawnMatch match;
    MatchResult result;
    Scratch scratch = scratch_new();
    SgfGame first, second;
    Rules before = {0};
    int sizes[2] = {0}, rules_differ = 0;
    drawn_match(&scratch, &match);
    EXPECT_OK(tournament_run(&match.setup, &result, err));
    EXPECT_INT(GAMES, result.games);
    for (int k = 0; k < GAMES; k += 2) {
        load(&scratch, k, &first);
        load(&scratch, k + 1, &second);
        EXPECT_TEXT(first.black, second.white);
        EXPECT_INT(first.width, second.width);
        EXPECT_TRUE(rules_equal(&first.rules, &second.rules));
        EXPECT_TRUE(first.rules.komi == second.rules.komi);
        for (int i = 0; i < 2; i++)
            EXPECT_INT(first.moves[i].move.point, second.moves[i].move.point);
        sizes[first.width - 4]++;
        rules_differ += k > 0 && !rules_equal(&before, &first.rules);
        before = first.rules;
        sgf_game_clear(&first);
        sgf_game_clear(&second);
    }
    EXPECT_TRUE(sizes[0] > 1 && sizes[1] > 1 && rules_differ > 4);
    scratch_remove(&scratch);
}

/* Games that exist are not played again, and games are the same on any number of threads. Games
 * that were drawn by other settings are refused. */
TEST(drawn_games_are_found_again) {
    static DrawnMatch match;
    MatchResult result, again;
    Scratch scratch = scratch_new();
    Error error = {0};
    drawn_match(&scratch, &match);
    EXPECT_OK(tournament_run(&match.setup, &result, err));
    match.setup.threads = 1;
    EXPECT_OK(tournament_run(&match.setup, &again, err));
    EXPECT_INT(0, again.evaluations);
    EXPECT_INT(result.wins[0], again.wins[0]);
    match.setup.out_directory = NULL;
    EXPECT_OK(tournament_run(&match.setup, &again, err));
    EXPECT_TRUE(again.evaluations > 0);
    EXPECT_INT(result.wins[0], again.wins[0]);
    EXPECT_NEAR(result.mean_moves, again.mean_moves, 1e-9);
    match.setup.out_directory = scratch.path;
    snprintf(match.settings.suicide_rules, sizeof match.settings.suicide_rules, "true");
    EXPECT_OK(match_draw_make(&match.settings, &match.draw, err));
    EXPECT_STATUS(ERR_ARGUMENT, tournament_run(&match.setup, &again, &error));
    scratch_remove(&scratch);
}

TEST_MAIN(RUN(draws_of_gonn_by_their_frequencies), RUN(a_seed_has_one_board),
          RUN(the_largest_board_and_wrong_settings), RUN(pairs_of_games_are_fair),
          RUN(drawn_games_are_found_again))
