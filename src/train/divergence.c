#include "train/divergence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KATAGO "KataGo, python/train.py, watches for norms far above its cap"

const ConfigField DIVERGENCE_FIELDS[] = {
    FIELD_FLOAT(DivergenceSettings, gradient, 10, 0, 1e9,
                "a gradient longer than so many medians of the last 256 is an outlier; 0: none is",
                .source = KATAGO),
    FIELD_FLOAT(DivergenceSettings, loss, 2, 0, 1e9,
                "a loss above so many medians of the last 256 is an outlier; 0: none is"),
    FIELD_FLOAT(DivergenceSettings, first_loss, 1.5, 0, 1e9,
                "and one above so many times the loss of the first batch; 0: none is"),
    FIELD_INT(DivergenceSettings, batches, 4, 1, 1000,
              "outliers in a row, or so many more than a quarter of the batches, after which "
              "training has diverged, unless the last good weights do as badly on the same rows"),
    FIELD_FLOAT(DivergenceSettings, setback_rate, 0.3, 0.01, 1,
                "training then goes back to its last good state, and learning rates are "
                "multiplied by this"),
    FIELD_INT64(DivergenceSettings, setback_samples, 50000, 1, 1e15,
                "samples, times the setbacks so far, after which they double, until they are as "
                "set again"),
    {0},
};

enum {
    LEAST_HISTORY = 16, /* batches before medians are believed */
    OUTLIER_STEP = 3,
    FINE_STEP = 1 /* so that more than a quarter of outliers adds up */
};
/* A good state does as badly as the one that is suspect when its numbers reach these shares. */
static const double RATE_LEAST = 1e-3;
static const double ALIKE_LOSS = 0.8, ALIKE_NORM = 0.3;

void divergence_init(Divergence *watch, const DivergenceSettings *settings) {
    *watch = (Divergence){.settings = *settings, .rate = 1};
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(const double *ring, int64_t batches) {
    double sorted[DIVERGENCE_HISTORY];
    size_t count = batches < DIVERGENCE_HISTORY ? (size_t)batches : DIVERGENCE_HISTORY;
    memcpy(sorted, ring, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_doubles);
    return sorted[count / 2];
}

double divergence_norm(const Divergence *watch) {
    return watch->batches < LEAST_HISTORY ? 0 : median_of(watch->norms, watch->batches);
}

static bool is_above(double value, float times, double usual) {
    return times > 0 && usual > 0 && value > (double)times * usual;
}

static bool is_outlier(const Divergence *watch, double loss, double norm) {
    const DivergenceSettings *s = &watch->settings;
    if (is_above(loss, s->first_loss, watch->first_loss)) return true;
    if (watch->batches < LEAST_HISTORY) return false;
    return is_above(loss, s->loss, median_of(watch->losses, watch->batches)) ||
           is_above(norm, s->gradient, divergence_norm(watch));
}

static void remember(Divergence *watch, double loss, double norm) {
    size_t place = (size_t)(watch->batches++ % DIVERGENCE_HISTORY);
    watch->losses[place] = loss;
    watch->norms[place] = norm;
}

bool divergence_add_batch(Divergence *watch, double loss, double gradient_norm) {
    if (!(watch->first_loss > 0)) watch->first_loss = loss;
    if (!is_outlier(watch, loss, gradient_norm)) {
        if (watch->suspects > 0) watch->suspects -= FINE_STEP;
        remember(watch, loss, gradient_norm);
        return false;
    }
    watch->outliers++;
    watch->suspects += OUTLIER_STEP;
    return watch->suspects >= OUTLIER_STEP * watch->settings.batches;
}

bool divergence_is_data(Divergence *watch, double loss, double gradient_norm, double good_loss,
                        double good_norm) {
    bool alike = good_loss >= ALIKE_LOSS * loss && good_norm >= ALIKE_NORM * gradient_norm;
    if (!alike) return false; /* also where one of them is not a number */
    watch->suspects = 0;
    watch->batches = 0;
    watch->first_loss = fmax(watch->first_loss, loss);
    remember(watch, loss, gradient_norm);
    return true;
}

void divergence_clear_history(Divergence *watch) {
    watch->suspects = 0;
    watch->batches = 0;
    watch->first_loss = 0;
}

void divergence_set_back(Divergence *watch, int64_t samples) {
    watch->setbacks++;
    watch->series++;
    watch->suspects = 0;
    watch->rate = fmax(RATE_LEAST, watch->rate * (double)watch->settings.setback_rate);
    watch->rate_from = samples;
}

double divergence_rate(Divergence *watch, int64_t samples) {
    double wait = (double)watch->settings.setback_samples * (double)watch->series;
    while (watch->rate < 1 && (double)(samples - watch->rate_from) >= wait) {
        watch->rate = fmin(1, 2 * watch->rate);
        watch->rate_from += (int64_t)wait;
        if (watch->rate >= 1) watch->series = 0;
    }
    return watch->rate;
}

#define TENSOR "divergence"
/* What a checkpoint keeps beside the two rings. */
enum {
    FACT_BATCHES,
    FACT_FIRST_LOSS,
    FACT_SUSPECTS,
    FACT_SETBACKS,
    FACT_RATE,
    FACT_FROM,
    FACT_OUTLIERS,
    FACT_SERIES,
    FACTS
};
enum { NUMBERS = FACTS + 2 * DIVERGENCE_HISTORY };

Status divergence_save(const Divergence *watch, TensorFile *file, Error *err) {
    double numbers[NUMBERS] = {[FACT_BATCHES] = (double)watch->batches,
                               [FACT_FIRST_LOSS] = watch->first_loss,
                               [FACT_SUSPECTS] = watch->suspects,
                               [FACT_SETBACKS] = (double)watch->setbacks,
                               [FACT_RATE] = watch->rate,
                               [FACT_FROM] = (double)watch->rate_from,
                               [FACT_OUTLIERS] = (double)watch->outliers,
                               [FACT_SERIES] = (double)watch->series};
    memcpy(numbers + FACTS, watch->losses, sizeof watch->losses);
    memcpy(numbers + FACTS + DIVERGENCE_HISTORY, watch->norms, sizeof watch->norms);
    return tensor_file_add(file, TENSOR, "F64", NUMBERS, numbers, err);
}

Status divergence_restore(Divergence *watch, const TensorFile *file, Error *err) {
    static const double MOST[FACTS] = {1e15, HUGE_VAL, 1e6, 1e9, 1, 1e15, 1e15, 1e9};
    double numbers[NUMBERS];
    if (!tensor_file_has(file, TENSOR, "F64", NUMBERS)) return OK;
    Status status = tensor_file_read(file, TENSOR, "F64", NUMBERS, numbers, err);
    for (int i = 0; i < NUMBERS && !status; i++) {
        if (!(numbers[i] >= 0 && numbers[i] <= (i < FACTS ? MOST[i] : HUGE_VAL)))
            status = fail(err, ERR_SYNTAX, "the watch for divergence holds %g", numbers[i]);
    }
    if (!status && !(numbers[FACT_RATE] > 0))
        status = fail(err, ERR_SYNTAX, "a factor of the learning rate of %g", numbers[FACT_RATE]);
    if (status) return status;
    watch->batches = (int64_t)numbers[FACT_BATCHES];
    watch->first_loss = numbers[FACT_FIRST_LOSS];
    watch->suspects = (int)numbers[FACT_SUSPECTS];
    watch->setbacks = (int64_t)numbers[FACT_SETBACKS];
    watch->rate = numbers[FACT_RATE];
    watch->rate_from = (int64_t)numbers[FACT_FROM];
    watch->outliers = (int64_t)numbers[FACT_OUTLIERS];
    watch->series = (int64_t)numbers[FACT_SERIES];
    memcpy(watch->losses, numbers + FACTS, sizeof watch->losses);
    memcpy(watch->norms, numbers + FACTS + DIVERGENCE_HISTORY, sizeof watch->norms);
    return OK;
}
