/* Games that play the end of other games again: how many, and how they begin. */
#include "play/setup/seki_fork.h"
#include "test.h"

enum { GAMES = 2000, MOVES = 13 };

/* Makes a game with a button, which the first of its three passes takes. Black owns the two columns
 * on the left and White the two on the right. The column between them is neutral. */
static void make_game(GameRecord *record, Position *end) {
    Rules rules = rules_tromp_taylor();
    rules.button = true;
    EXPECT_OK(position_init(end, 5, 5, &rules, err));
    EXPECT_OK(game_record_init(record, end, err));
    for (int i = 0; i < MOVES; i++) {
        Point point = i < 10 ? point_at(i % 2 ? 3 : 1, i / 2) : POINT_PASS;
        Move move = {point, end->mover};
        EXPECT_OK(game_record_add(record, move, NULL, 0, err));
        EXPECT_OK(position_play(end, point, err));
    }
    EXPECT_TRUE(end->over);
    EXPECT_OK(game_record_finish(record, end, false, err));
}

static GameChoices choices_of(const char *scoring, const char *tax, const char *button) {
    SelfplaySettings settings;
    GameChoices choices;
    settings_defaults(SELFPLAY_FIELDS, &settings);
    snprintf(settings.scoring_rules, sizeof settings.scoring_rules, "%s", scoring);
    snprintf(settings.tax_rules, sizeof settings.tax_rules, "%s", tax);
    snprintf(settings.button_rules, sizeof settings.button_rules, "%s", button);
    EXPECT_OK(game_choices_read(&settings, &choices, err));
    return choices;
}

TEST(a_tenth_of_the_game_is_played_again_on_average) {
    EXPECT_INT(89, seki_fork_moves(100, 1));
    EXPECT_INT(99, seki_fork_moves(100, 0));
    EXPECT_INT(83, seki_fork_moves(101, 1.65)); /* 84.335 - 1, rounded down */
    EXPECT_INT(0, seki_fork_moves(10, 20));
    EXPECT_INT(0, seki_fork_moves(0, 1));
}

TEST(scoring_tax_and_button_are_drawn_anew) {
    GameChoices choices = choices_of("AREA, TERRITORY", "NONE, SEKI, ALL", "false, false, true");
    GameRecord record;
    Position end = {0}, again = {0};
    ExploitArchive archive;
    PositionSeed seed;
    Rng rng = rng_seeded(1);
    int territory = 0, taxes[3] = {0}, buttons = 0, last = 0, count = 0;
    make_game(&record, &end);
    EXPECT_OK(exploit_archive_init(&archive, SEKI_FORKS_PER_GAME * GAMES, err));
    for (int i = 0; i < GAMES; i++)
        EXPECT_OK(seki_fork_keep(&record, &end, &choices, &archive, &rng, err));
    EXPECT_INT(SEKI_FORKS_PER_GAME * GAMES, archive.count);
    for (; exploit_archive_take(&archive, &rng, &seed); count++) {
        EXPECT_OK(position_seed_restore(&seed, NULL, &again, err));
        EXPECT_TRUE(!again.over && again.move_count < MOVES);
        territory += again.rules.scoring == SCORING_TERRITORY;
        taxes[again.rules.tax]++;
        buttons += again.rules.button;
        Rules read = {0};
        /* rules_parse() refuses territory scoring with a button */
        EXPECT_OK(rules_parse(rules_text(&again.rules).text, &read, err));
        EXPECT_INT(again.rules.scoring, read.scoring);
        last += again.move_count == MOVES - 2; /* floor(12 - 1.3 e) = 11: e is at most 1 / 1.3 */
        position_seed_clear(&seed);
    }
    EXPECT_INT(SEKI_FORKS_PER_GAME * GAMES, count);
    EXPECT_NEAR(0.5, (double)territory / count, 0.04);
    EXPECT_NEAR(1 / 3.0, (double)buttons / (count - territory), 0.04);
    for (int i = 0; i < 3; i++)
        EXPECT_NEAR(1 / 3.0, (double)taxes[i] / count, 0.04);
    EXPECT_NEAR(1 - exp(-1 / 1.3), (double)last / count, 0.04);
    exploit_archive_clear(&archive);
    game_record_clear(&record);
    position_clear(&end);
    position_clear(&again);
}

TEST(only_scored_games_with_neutral_points_are_kept) {
    GameChoices choices = choices_of("AREA", "NONE", "true");
    GameRecord record;
    Position end = {0};
    ExploitArchive archive;
    Rng rng = rng_seeded(1);
    make_game(&record, &end);
    EXPECT_OK(exploit_archive_init(&archive, 8, err));
    GameRecord others[4] = {record, record, record, record};
    others[0].finished = false;
    others[1].hit_move_limit = true;
    others[2].outcome.no_result = true;
    for (int y = 0; y < 5; y++)
        others[3].owner[point_at(2, y)] = COLOR_WHITE;
    for (int i = 0; i < 4; i++)
        EXPECT_OK(seki_fork_keep(&others[i], &end, &choices, &archive, &rng, err));
    EXPECT_INT(0, archive.count);
    EXPECT_OK(seki_fork_keep(&record, &end, &choices, &archive, &rng, err));
    EXPECT_INT(SEKI_FORKS_PER_GAME, archive.count);
    exploit_archive_clear(&archive);
    game_record_clear(&record);
    position_clear(&end);
}

TEST_MAIN(RUN(a_tenth_of_the_game_is_played_again_on_average),
          RUN(scoring_tax_and_button_are_drawn_anew),
          RUN(only_scored_games_with_neutral_points_are_kept))
