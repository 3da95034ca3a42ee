#include "search/select/utility.h"

#include <math.h>
#include <pthread.h>

enum { MEAN_MAX = 421, DEVIATION_MAX = 420, ATAN_STEPS = 16, T3_CELLS = 2000 };
#define TABLE_BOARD_SIZE 19.0
#define TWO_OVER_PI 0.63661977236758134

/* Both tables are filled once. The utility of the score is an odd function of the mean, so half of
 * the table is enough. */
static float score_table[MEAN_MAX + 1][DEVIATION_MAX + 1];
static double t3_table[T3_CELLS + 1];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Fills both tables. An entry of the table of scores is the average of the arctangent over a normal
 * distribution, from -5 to 5 deviations, with 10 steps for each deviation. The other table is that
 * of Student's t distribution. */
static void fill_tables(void) {
    static float curve[ATAN_STEPS * (MEAN_MAX + 5 * DEVIATION_MAX + 2) + 2];
    int curve_count = (int)(sizeof curve / sizeof *curve);
    double weights[101], total = 0;
    for (int i = 0; i < curve_count; i++)
        curve[i] = (float)(TWO_OVER_PI * atan((double)i / ATAN_STEPS / TABLE_BOARD_SIZE));
    for (int k = 0; k <= 100; k++)
        total += weights[k] = exp(-0.5 * (k - 50) * (k - 50) / 100.0);
    for (int m = 0; m <= MEAN_MAX; m++) {
        for (int d = 0; d <= DEVIATION_MAX; d++) {
            double sum = 0;
            for (int k = 0; k <= 100; k++) {
                double x = m + (k - 50) * 0.1 * d, at = fabs(x) * ATAN_STEPS;
                int i = (int)at;
                double value = (double)curve[i] + (at - i) * (double)(curve[i + 1] - curve[i]);
                sum += weights[k] * (x < 0 ? -value : value);
            }
            score_table[m][d] = (float)(sum / total);
        }
    }
    for (int i = 0; i <= T3_CELLS; i++) {
        double z = (i - T3_CELLS / 2) * 100.0 / T3_CELLS, r = z / sqrt(3);
        t3_table[i] = 0.5 + (r / (1 + r * r) + atan(r)) / 3.14159265358979323846;
    }
}

void utility_prepare(void) {
    pthread_once(&once, fill_tables);
}

double utility_score(double mean, double deviation, double center, double scale,
                     double board_scale) {
    pthread_once(&once, fill_tables);
    double factor = TABLE_BOARD_SIZE / (scale * board_scale), m = (mean - center) * factor,
           d = fmax(0, deviation) * factor;
    double sign = m < 0 ? -1 : 1;
    m = fmin(fabs(m), MEAN_MAX - 1e-6);
    d = fmin(d, DEVIATION_MAX - 1e-6);
    int i = (int)m, k = (int)d;
    double a = m - i, b = d - k;
    double low = (double)score_table[i][k] * (1 - b) + (double)score_table[i][k + 1] * b;
    double high = (double)score_table[i + 1][k] * (1 - b) + (double)score_table[i + 1][k + 1] * b;
    return sign * (low * (1 - a) + high * a);
}

double utility_score_slope(double x, double center, double scale, double board_scale) {
    double k = scale * board_scale, d = x - center;
    return TWO_OVER_PI * k / (k * k + d * d);
}

double utility_of(const SearchSettings *settings, const ValueForWhite *value, double center,
                  double board_scale) {
    double variance = value->score_mean_sq - value->score_mean * value->score_mean;
    double deviation = variance > 0 ? sqrt(variance) : 0, utility;
    utility = settings->win_loss_factor * value->win_loss +
              settings->no_result_utility_for_white * value->no_result;
    if (settings->static_score_factor > 0)
        utility += settings->static_score_factor *
                   utility_score(value->score_mean, deviation, 0, 2, board_scale);
    if (settings->dynamic_score_factor > 0)
        utility += settings->dynamic_score_factor *
                   utility_score(value->score_mean, deviation, center, settings->score_center_scale,
                                 board_scale);
    return utility;
}

static double t3_at(double z) {
    double at = (z + 50) * T3_CELLS / 100;
    if (at <= 0) return t3_table[0];
    if (at >= T3_CELLS) return t3_table[T3_CELLS];
    int i = (int)at;
    return t3_table[i] + (at - i) * (t3_table[i + 1] - t3_table[i]);
}

double utility_t3(double z) {
    pthread_once(&once, fill_tables);
    return t3_at(z);
}

void utility_t3_all(double *values, int count) {
    pthread_once(&once, fill_tables);
    for (int i = 0; i < count; i++)
        values[i] = t3_at(values[i]);
}
