#include "data/surprise.h"
#include <math.h>

const ConfigField SURPRISE_FIELDS[] = {
    FIELD_FLOAT(SurpriseConfig, policy_surprise_weight, 0.5, 0, 1, "share of a game's row weight that follows policy surprise", .source = "KataGo, docs/KataGoMethods.md", .alias = "policySurpriseDataWeight"),
    FIELD_FLOAT(SurpriseConfig, value_surprise_weight, 0.1, 0, 1, "share that follows value surprise", .source = "KataGo, docs/KataGoMethods.md", .alias = "valueSurpriseDataWeight"),
    {0},
};

/* KL(value to come | raw net's value), at most 1; the value to come is a mean of later searches and the result. */
static double value_surprise(const TurnRecord *turn, const double to_come[3]) {
    double raw_win = (1 + (double)turn->raw_white_win_loss) / 2, surprise = 0;
    const double raw[2] = {raw_win, 1 - raw_win};
    for (int i = 0; i < 2; i++) {
        if (to_come[i] > 1e-9) surprise += to_come[i] * log(to_come[i] / fmax(raw[i], 1e-6));
    }
    return fmin(1, fmax(0, surprise));
}

void surprise_apply(const SurpriseConfig *config, GameRecord *record) {
    double weight = 0, policy = 0, value = 0, ewma[3] = {0, 0, 0};
    int turns = (int)record->turn_count, area = record->start.board.width * record->start.board.height;
    double rate = 1 / (1 + 0.016 * area), win = record->outcome.winner == COLOR_WHITE ? 1 : record->outcome.winner == COLOR_BLACK ? 0 : 0.5;
    if (config->policy_surprise_weight <= 0 && config->value_surprise_weight <= 0) return;
    ewma[0] = win;
    ewma[1] = 1 - win;
    for (int t = turns - 1; t >= 0; t--) {
        TurnRecord *turn = &record->turns[t];
        ewma[0] += rate * ((double)turn->white_win - ewma[0]);
        ewma[1] += rate * ((double)turn->white_loss - ewma[1]);
        turn->value_surprise = (float)value_surprise(turn, ewma);
        weight += (double)turn->row_weight;
        policy += (double)(turn->row_weight * turn->policy_surprise);
        value += (double)(turn->row_weight * turn->value_surprise);
    }
    if (weight < 1) return;
    double mean = policy / weight, ps = (double)config->policy_surprise_weight, vs = (double)config->value_surprise_weight * fmin(1, value / weight / 0.01), sum_a = 0, sum_b = 0;
    for (int t = 0; t < turns; t++) {
        const TurnRecord *turn = &record->turns[t];
        double w = (double)turn->row_weight, s = (double)turn->policy_surprise;
        sum_a += w * s + (1 - w) * fmax(0, s - 1.5 * mean);
        sum_b += w * (double)turn->value_surprise;
    }
    for (int t = 0; t < turns; t++) {
        TurnRecord *turn = &record->turns[t];
        double w = (double)turn->row_weight, s = (double)turn->policy_surprise;
        double a = w * s + (1 - w) * fmax(0, s - 1.5 * mean), b = w * (double)turn->value_surprise;
        double share_a = sum_a > 0 ? weight * a / sum_a : w, share_b = sum_b > 0 ? weight * b / sum_b : w;
        turn->row_weight = (float)((1 - ps - vs) * w + ps * share_a + vs * share_b);
    }
}
