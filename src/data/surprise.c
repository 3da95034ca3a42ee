#include "data/surprise.h"

#include <math.h>

#include "data/value_ahead.h"

#define METHODS "KataGo, docs/KataGoMethods.md"

const SettingsField SURPRISE_FIELDS[] = {
    FIELD_DOUBLE(
        SurpriseSettings, policy_surprise_weight, 0.5, 0, 1,
        "fraction of a game's row weight that is distributed in proportion to policy surprise",
        .source = METHODS, .alias = "policySurpriseDataWeight"),
    FIELD_DOUBLE(
        SurpriseSettings, value_surprise_weight, 0.1, 0, 1,
        "fraction of a game's row weight that is distributed in proportion to value surprise",
        .source = METHODS, .alias = "valueSurpriseDataWeight"),
    {0},
};

/* Most turns with a cheap search have row weight 0. Of their policy surprise, only the part above
 * this multiple of the mean policy surprise counts. For row weights between 0 and 1, policy_part()
 * interpolates between this part and the whole policy surprise. */
static const double SHALLOW_THRESHOLD = 1.5;
/* If the mean value surprise of a game is smaller than this, value_surprise_weight is reduced in
 * proportion, so that noise is not amplified. */
static const double MIN_VALUE_SURPRISE = 0.01;

/* Returns the KL divergence of `to_come`, the mean of the later values (value_ahead.h), from the
 * net's raw value, clamped to 0..1. */
static double value_surprise(const TurnRecord *turn, const double to_come[VALUE_PARTS]) {
    double no_result = (double)turn->raw_no_result, win_loss = (double)turn->raw_white_win_loss;
    const double raw[3] = {(1 - no_result + win_loss) / 2, (1 - no_result - win_loss) / 2,
                           no_result};
    double surprise = 0;
    for (int i = 0; i < 3; i++) {
        if (to_come[i] > 1e-100) surprise += to_come[i] * log(to_come[i] / fmax(raw[i], 1e-9));
    }
    return fmin(1, fmax(0, surprise));
}

/* Sets value_surprise of each turn, from the last to the first. */
static void find_value_surprises(GameRecord *record) {
    int area = record->start.board.width * record->start.board.height;
    double rate = value_ahead_rate(HORIZON_SHORT, area), to_come[VALUE_PARTS];
    value_ahead_result(record, to_come);
    for (size_t t = record->turn_count; t-- > 0;) {
        TurnRecord *turn = &record->turns[t];
        value_ahead_add(turn, rate, to_come);
        if (turn->valued) turn->value_surprise = (float)value_surprise(turn, to_come);
    }
}

static double policy_part(const TurnRecord *turn, double mean) {
    double w = (double)turn->row_weight, s = (double)turn->policy_surprise;
    return w * s + fmax(0, 1 - w) * fmax(0, s - SHALLOW_THRESHOLD * mean);
}

static double value_part(const TurnRecord *turn) {
    return (double)turn->row_weight * (double)turn->value_surprise;
}

void surprise_apply(const SurpriseSettings *settings, GameRecord *record) {
    double weight = 0, policy = 0, value = 0, policy_sum = 0;
    double policy_fraction = settings->policy_surprise_weight;
    double value_fraction = settings->value_surprise_weight;
    if (record->weighed || (policy_fraction <= 0 && value_fraction <= 0)) return;
    record->weighed = true;
    find_value_surprises(record);
    for (size_t t = 0; t < record->turn_count; t++) {
        const TurnRecord *turn = &record->turns[t];
        weight += (double)turn->row_weight;
        policy += (double)turn->row_weight * (double)turn->policy_surprise;
        value += value_part(turn);
    }
    if (weight < 1) return;
    for (size_t t = 0; t < record->turn_count; t++)
        policy_sum += policy_part(&record->turns[t], policy / weight);
    value_fraction *= fmin(1, value / weight / MIN_VALUE_SURPRISE);
    if (policy_fraction + value_fraction > 1) value_fraction = 1 - policy_fraction;
    for (size_t t = 0; t < record->turn_count; t++) {
        TurnRecord *turn = &record->turns[t];
        /* If the sum of one kind of surprise is 0, this kind leaves the weights as they were. */
        double w = (double)turn->row_weight, by_policy = w, by_value = w;
        if (policy_sum > 0) by_policy = weight * policy_part(turn, policy / weight) / policy_sum;
        if (value > 0) by_value = weight * value_part(turn) / value;
        turn->row_weight = (float)((1 - policy_fraction - value_fraction) * w +
                                   policy_fraction * by_policy + value_fraction * by_value);
    }
}
