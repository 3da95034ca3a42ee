#include "data/value_ahead.h"

#include <math.h>
#include <string.h>

#include "data/rows/row.h"

/* The constants k of value_ahead_rate(). */
static const double RATES[VALUE_HORIZONS] = {0.176, 0.056, 0.016, 0};
static const double SCORE_LIMIT = BOARD_POINTS_MAX + ROW_SCORE_PAD;

double value_ahead_score(double score) {
    return fmin(fmax(score, -SCORE_LIMIT), SCORE_LIMIT);
}

/* If the score is a whole number, it is shifted by what a draw is worth to White: by half a point
 * towards White if a draw counts as a win for White, and by half a point towards Black if a draw
 * counts as a loss for White. */
void value_ahead_result(const GameRecord *record, double out[VALUE_PARTS]) {
    double draw = (double)record->draw_equivalent_wins_for_white;
    double score = (double)record->white_score;
    memset(out, 0, VALUE_PARTS * sizeof *out);
    if (record->outcome.no_result) {
        out[2] = 1;
        return;
    }
    Color winner = record->outcome.winner;
    out[0] = winner == COLOR_WHITE ? 1 : winner == COLOR_BLACK ? 0 : draw;
    out[1] = 1 - out[0];
    out[3] = value_ahead_score(score == floor(score) ? score + draw - 0.5 : score);
}

double value_ahead_rate(int horizon, int area) {
    return 1 / (1 + RATES[horizon] * area);
}

void value_ahead_add(const TurnRecord *turn, double rate, double mean[VALUE_PARTS]) {
    const double now[VALUE_PARTS] = {(double)turn->white_win, (double)turn->white_loss,
                                     (double)turn->white_no_result,
                                     value_ahead_score((double)turn->white_score)};
    for (int k = 0; turn->valued && k < VALUE_PARTS; k++)
        mean[k] = rate * now[k] + (1 - rate) * mean[k];
}
