/* How the weights of the rows of a game follow surprise, with numbers worked out by hand. */
#include "data/surprise.h"
#include "test.h"

static GameRecord made_record(int turns, const float *row_weights, const float *surprises) {
    Position position;
    GameRecord record;
    Rules rules = rules_tromp_taylor();
    EXPECT_OK(position_init(&position, 5, 5, &rules, err));
    EXPECT_OK(game_record_init(&record, &position, err));
    for (int i = 0; i < turns; i++) {
        EXPECT_OK(
            game_record_add(&record, (Move){POINT_PASS, COLOR_BLACK}, NULL, row_weights[i], err));
        record.turns[i].policy_surprise = surprises[i];
    }
    record.outcome.winner = COLOR_WHITE;
    position_clear(&position);
    return record;
}

static double weight_sum(const GameRecord *record) {
    double sum = 0;
    for (size_t i = 0; i < record->turn_count; i++)
        sum += (double)record->turns[i].row_weight;
    return sum;
}

TEST(half_of_the_weight_follows_policy_surprise) {
    GameRecord record = made_record(3, (const float[]){1, 1, 1}, (const float[]){0.1f, 0.1f, 1.0f});
    surprise_apply(&(SurpriseSettings){0.5, 0}, &record);
    EXPECT_NEAR(0.625, record.turns[0].row_weight, 1e-5);
    EXPECT_NEAR(0.625, record.turns[1].row_weight, 1e-5);
    EXPECT_NEAR(1.75, record.turns[2].row_weight, 1e-5);
    game_record_clear(&record);
}

TEST(cheap_searches_count_above_a_threshold) {
    GameRecord record = made_record(3, (const float[]){1, 0, 0}, (const float[]){0.4f, 1.0f, 0.5f});
    surprise_apply(&(SurpriseSettings){0.5, 0}, &record);
    /* The mean surprise of full searches is 0.4. The surprise of a cheap search counts only above
     * 1.5 * 0.4 = 0.6. So the second turn counts with 1 - 0.6 = 0.4, and the third with 0. The
     * first two turns both count with 0.4. Half of the game's weight of 1 follows surprise, so each
     * of the two turns gets 0.25 of it. The other half stays with the first turn. */
    EXPECT_NEAR(0.5 + 0.25, record.turns[0].row_weight, 1e-5);
    EXPECT_NEAR(0.25, record.turns[1].row_weight, 1e-5);
    EXPECT_NEAR(0, record.turns[2].row_weight, 1e-6);
    game_record_clear(&record);
}

TEST(value_surprise_is_the_divergence_from_later_values) {
    GameRecord record = made_record(2, (const float[]){1, 1}, (const float[]){0.5f, 0.5f});
    for (int i = 0; i < 2; i++) {
        record.turns[i].valued = true;
        record.turns[i].white_win = 0.8f;
        record.turns[i].white_loss = 0.2f;
    }
    record.turns[0].raw_white_win_loss = 0.9f;
    record.turns[1].raw_white_win_loss = -0.4f;
    surprise_apply(&(SurpriseSettings){0, 0.1}, &record);
    double rate = 1 / (1 + 0.016 * 25), last = 1 + rate * (0.8 - 1),
           first = last + rate * (0.8 - last);
    double surprise[2] = {first * log(first / 0.95) + (1 - first) * log((1 - first) / 0.05),
                          last * log(last / 0.3) + (1 - last) * log((1 - last) / 0.7)};
    EXPECT_NEAR(surprise[0], record.turns[0].value_surprise, 1e-5);
    EXPECT_NEAR(surprise[1], record.turns[1].value_surprise, 1e-5);
    EXPECT_NEAR(0.9 + 0.1 * 2 * surprise[0] / (surprise[0] + surprise[1]),
                record.turns[0].row_weight, 1e-5);
    EXPECT_NEAR(2, weight_sum(&record), 1e-5);
    game_record_clear(&record);
}

TEST(little_value_surprise_has_little_weight) {
    GameRecord record = made_record(2, (const float[]){1, 1}, (const float[]){0.5f, 0.5f});
    record.turns[0].valued = record.turns[1].valued = true;
    record.turns[0].white_win = record.turns[1].white_win = 1;
    record.turns[0].raw_white_win_loss = 1;
    record.turns[1].raw_white_win_loss =
        2 * expf(-0.002f) - 1; /* surprise 0.002; the mean 0.001 is a tenth of MIN_VALUE_SURPRISE */
    surprise_apply(&(SurpriseSettings){0, 0.1}, &record);
    EXPECT_NEAR(0.99, record.turns[0].row_weight, 1e-3);
    EXPECT_NEAR(1.01, record.turns[1].row_weight, 1e-3);
    game_record_clear(&record);
}

TEST(a_game_is_weighed_once) {
    GameRecord record = made_record(3, (const float[]){1, 1, 1}, (const float[]){0.1f, 0.1f, 1.0f});
    for (int i = 0; i < 3; i++)
        surprise_apply(&(SurpriseSettings){0.5, 0}, &record);
    EXPECT_NEAR(1.75, record.turns[2].row_weight, 1e-5);
    game_record_clear(&record);
}

TEST(without_surprise_or_weight_nothing_changes) {
    GameRecord calm = made_record(2, (const float[]){1, 0.25f}, (const float[]){0, 0});
    GameRecord light = made_record(2, (const float[]){0.5f, 0}, (const float[]){1, 2});
    surprise_apply(&(SurpriseSettings){0.5, 0.1}, &calm);
    surprise_apply(&(SurpriseSettings){0.5, 0.1}, &light);
    EXPECT_NEAR(1, calm.turns[0].row_weight, 1e-6);
    EXPECT_NEAR(0.25, calm.turns[1].row_weight, 1e-6);
    EXPECT_NEAR(0.5, light.turns[0].row_weight, 0);
    EXPECT_NEAR(0, light.turns[1].row_weight, 0);
    game_record_clear(&calm);
    game_record_clear(&light);
}

TEST_MAIN(RUN(a_game_is_weighed_once), RUN(half_of_the_weight_follows_policy_surprise),
          RUN(cheap_searches_count_above_a_threshold),
          RUN(value_surprise_is_the_divergence_from_later_values),
          RUN(little_value_surprise_has_little_weight),
          RUN(without_surprise_or_weight_nothing_changes))
