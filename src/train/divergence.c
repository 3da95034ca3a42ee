#include "train/divergence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KATAGO "KataGo, python/train.py, watches for norms far above its cap"

const SettingsField DIVERGENCE_FIELDS[] = {
    FIELD_DOUBLE(
        DivergenceSettings, gradient, 10, 0, 1e9,
        "a batch is an outlier if its gradient norm is above this multiple of the median of the "
        "last 256 batches that were no outliers; 0: never",
        .source = KATAGO),
    FIELD_DOUBLE(DivergenceSettings, loss, 2, 0, 1e9,
                 "a batch is an outlier if its loss is above this multiple of the median of the "
                 "last 256 batches that were no outliers; 0: never"),
    FIELD_DOUBLE(
        DivergenceSettings, first_loss, 1.5, 0, 1e9,
        "a batch is an outlier if its loss is above this multiple of the first batch's loss; 0: "
        "never"),
    FIELD_INT(
        DivergenceSettings, batches, 4, 1, 1000,
        "training is suspect after this many outliers in a row, or after a longer time in which "
        "more than one batch in four is an outlier; then the last good weights are tried on the "
        "same rows, and training has diverged if their loss or gradient norm is clearly lower"),
    FIELD_DOUBLE(DivergenceSettings, setback_rate, 0.3, 0.01, 1,
                 "the learning rate is multiplied by this when training has diverged and returns "
                 "to its last good state"),
    FIELD_INT64(DivergenceSettings, setback_samples, 50000, 1, 1e15,
                "a lowered learning rate doubles after every k samples, until it has its full "
                "value again; k is this setting times the number of returns to a good state since "
                "the rate last had its full value"),
    {0},
};

enum {
    MIN_HISTORY = 16, /* batches before medians are trusted */
    OUTLIER_STEP = 3,
    NORMAL_STEP = 1 /* with it, suspicion grows if more than 1 batch in 4 is an outlier */
};
static const double MIN_RATE = 1e-3;
/* The last good weights are about as bad on a batch as the suspect weights if their loss is at
 * least SIMILAR_LOSS times the loss of the suspect weights, and their gradient norm at least
 * SIMILAR_NORM times that of the suspect weights. */
static const double SIMILAR_LOSS = 0.8, SIMILAR_NORM = 0.3;
/* Training has learned since its last good state if its loss is at most this multiple of the loss
 * of the last good weights. */
static const double LEARNED_LOSS = 0.9;

void divergence_init(Divergence *divergence, const DivergenceSettings *settings) {
    *divergence = (Divergence){.settings = *settings, .rate = 1};
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

double divergence_norm(const Divergence *divergence) {
    return divergence->batches < MIN_HISTORY ? 0
                                             : median_of(divergence->norms, divergence->batches);
}

static bool is_above(double value, double factor, double reference) {
    return factor > 0 && reference > 0 && value > factor * reference;
}

static bool is_outlier(const Divergence *divergence, double loss, double norm) {
    const DivergenceSettings *s = &divergence->settings;
    if (is_above(loss, s->first_loss, divergence->first_loss)) return true;
    if (divergence->batches < MIN_HISTORY) return false;
    return is_above(loss, s->loss, median_of(divergence->losses, divergence->batches)) ||
           is_above(norm, s->gradient, divergence_norm(divergence));
}

static void add_to_history(Divergence *divergence, double loss, double norm) {
    size_t place = (size_t)(divergence->batches++ % DIVERGENCE_HISTORY);
    divergence->losses[place] = loss;
    divergence->norms[place] = norm;
}

bool divergence_add_batch(Divergence *divergence, double loss, double gradient_norm) {
    if (!(divergence->first_loss > 0)) divergence->first_loss = loss;
    if (!is_outlier(divergence, loss, gradient_norm)) {
        if (divergence->suspicion > 0) divergence->suspicion -= NORMAL_STEP;
        add_to_history(divergence, loss, gradient_norm);
        return false;
    }
    divergence->outliers++;
    divergence->suspicion += OUTLIER_STEP;
    return divergence->suspicion >= OUTLIER_STEP * divergence->settings.batches;
}

bool divergence_may_go_on(Divergence *divergence, double loss, double gradient_norm,
                          double good_loss, double good_norm) {
    bool similar = good_loss >= SIMILAR_LOSS * loss && good_norm >= SIMILAR_NORM * gradient_norm;
    bool learned = loss <= LEARNED_LOSS * good_loss && isfinite(gradient_norm);
    if (!similar && !learned) return false; /* also if a loss or a norm is NaN */
    divergence->suspicion = 0;
    divergence->batches = 0;
    divergence->first_loss = fmax(divergence->first_loss, loss);
    add_to_history(divergence, loss, gradient_norm);
    return true;
}

void divergence_clear_history(Divergence *divergence) {
    divergence->suspicion = 0;
    divergence->batches = 0;
    divergence->first_loss = 0;
}

void divergence_set_back(Divergence *divergence, int64_t samples) {
    divergence->setbacks++;
    divergence->series++;
    divergence->suspicion = 0;
    divergence->rate = fmax(MIN_RATE, divergence->rate * divergence->settings.setback_rate);
    divergence->rate_from = samples;
}

double divergence_rate(Divergence *divergence, int64_t samples) {
    double samples_per_doubling =
        (double)divergence->settings.setback_samples * (double)divergence->series;
    while (divergence->rate < 1 &&
           (double)(samples - divergence->rate_from) >= samples_per_doubling) {
        divergence->rate = fmin(1, 2 * divergence->rate);
        divergence->rate_from += (int64_t)samples_per_doubling;
        if (divergence->rate >= 1) divergence->series = 0;
    }
    return divergence->rate;
}

#define TENSOR "divergence"
/* Indices in the tensor of a checkpoint. The two ring buffers follow these numbers. */
enum {
    FIELD_BATCHES,
    FIELD_FIRST_LOSS,
    FIELD_SUSPICION,
    FIELD_SETBACKS,
    FIELD_RATE,
    FIELD_RATE_FROM,
    FIELD_OUTLIERS,
    FIELD_SERIES,
    FIELDS
};
enum { NUMBERS = FIELDS + 2 * DIVERGENCE_HISTORY };

Status divergence_save(const Divergence *divergence, TensorFile *file, Error *err) {
    double numbers[NUMBERS] = {[FIELD_BATCHES] = (double)divergence->batches,
                               [FIELD_FIRST_LOSS] = divergence->first_loss,
                               [FIELD_SUSPICION] = divergence->suspicion,
                               [FIELD_SETBACKS] = (double)divergence->setbacks,
                               [FIELD_RATE] = divergence->rate,
                               [FIELD_RATE_FROM] = (double)divergence->rate_from,
                               [FIELD_OUTLIERS] = (double)divergence->outliers,
                               [FIELD_SERIES] = (double)divergence->series};
    memcpy(numbers + FIELDS, divergence->losses, sizeof divergence->losses);
    memcpy(numbers + FIELDS + DIVERGENCE_HISTORY, divergence->norms, sizeof divergence->norms);
    return tensor_file_add(file, TENSOR, "F64", NUMBERS, numbers, err);
}

Status divergence_restore(Divergence *divergence, const TensorFile *file, Error *err) {
    static const double MAX[FIELDS] = {1e15, HUGE_VAL, 1e6, 1e9, 1, 1e15, 1e15, 1e9};
    double numbers[NUMBERS];
    if (!tensor_file_has(file, TENSOR, "F64", NUMBERS)) return OK;
    Status status = tensor_file_read(file, TENSOR, "F64", NUMBERS, numbers, err);
    for (int i = 0; i < NUMBERS && !status; i++) {
        if (!(numbers[i] >= 0 && numbers[i] <= (i < FIELDS ? MAX[i] : HUGE_VAL)))
            status = fail(err, ERR_SYNTAX, "the state of the divergence check has a value of %g",
                          numbers[i]);
    }
    if (!status && !(numbers[FIELD_RATE] > 0))
        status =
            fail(err, ERR_SYNTAX, "the factor of the learning rate is %g", numbers[FIELD_RATE]);
    if (status) return status;
    divergence->batches = (int64_t)numbers[FIELD_BATCHES];
    divergence->first_loss = numbers[FIELD_FIRST_LOSS];
    divergence->suspicion = (int)numbers[FIELD_SUSPICION];
    divergence->setbacks = (int64_t)numbers[FIELD_SETBACKS];
    divergence->rate = numbers[FIELD_RATE];
    divergence->rate_from = (int64_t)numbers[FIELD_RATE_FROM];
    divergence->outliers = (int64_t)numbers[FIELD_OUTLIERS];
    divergence->series = (int64_t)numbers[FIELD_SERIES];
    memcpy(divergence->losses, numbers + FIELDS, sizeof divergence->losses);
    memcpy(divergence->norms, numbers + FIELDS + DIVERGENCE_HISTORY, sizeof divergence->norms);
    return OK;
}
