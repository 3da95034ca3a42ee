#include "nn/learn/schedule.h"

#include <math.h>
#include <string.h>

enum { WARMUP_LINEAR, WARMUP_STEPS };
enum {
    SCHEDULE_CONSTANT,
    SCHEDULE_COSINE,
    SCHEDULE_STEPS,
    SCHEDULE_BY_KNOTS,
    SCHEDULE_LOGLINEAR,
    SCHEDULE_POWER
};

#define SOURCES "KataGo, python/train.py; GoNN, train.py; lczero-training, lr_values; p3achygo"

const SettingsField SCHEDULE_FIELDS[] = {
    FIELD_DOUBLE(ScheduleSettings, rate, 0, 0, 1,
                 "learning rate per sample (see schedule.by_rows); 0: 6e-5 for SGD, 12e-6 for "
                 "the other kinds, less for nets larger than b5c48",
                 .source = "Wu 2019, appendix C"),
    FIELD_CHOICE(ScheduleSettings, by_rows, BY_ROWS_AUTO, "auto|linear|root",
                 "factor of the rate for a step of n rows; linear: n; root: sqrt(256 n); auto: "
                 "linear for SGD, root for the other kinds",
                 .source = "KataGo, python/train.py"),
    FIELD_INT64(ScheduleSettings, warmup_samples, 0, 0, 1e15,
                "samples during which the learning rate rises to its full value"),
    FIELD_CHOICE(ScheduleSettings, warmup, WARMUP_LINEAR, "linear|steps",
                 "how the rate rises; linear: linearly from 0; steps: in eight steps of equal "
                 "length, in which the rate is 1/20, 1/14, 1/10, 1/7, 1/5, 1/3, 1/2 and 1/1.4 of "
                 "the full rate",
                 .source = "lczero-training; KataGo, python/train.py (2000000 samples)"),
    FIELD_CHOICE(ScheduleSettings, kind, SCHEDULE_CONSTANT,
                 "constant|cosine|steps|knots|loglinear|power",
                 "course of the learning rate; cosine and steps begin after the warm-up, knots, "
                 "loglinear and power with the first sample",
                 .source = SOURCES),
    FIELD_INT64(ScheduleSettings, total_samples, 10000000, 1, 1e15,
                "cosine: samples after the warm-up at which the rate is final"),
    FIELD_DOUBLE(ScheduleSettings, final_factor, 0.1, 0, 1,
                 "cosine: final rate as a fraction of schedule.rate; power: minimum fraction"),
    FIELD_DOUBLE(ScheduleSettings, drop_factor, 0.5, 0.001, 1,
                 "steps: factor of the rate at each drop"),
    FIELD_INT64(ScheduleSettings, drop_samples, 1000000, 1, 1e15, "steps: samples between drops"),
    FIELD_TEXT(ScheduleSettings, knots, "",
               "knots, loglinear: list of SAMPLES:FACTOR such as \"0:8,550e6:6\"; knots keeps each "
               "factor until the next entry, loglinear interpolates between the entries",
               .source = SOURCES),
    FIELD_INT64(ScheduleSettings, blend_samples, 0, 0, 1e15,
                "knots: samples before each knot during which the rate moves to the new factor "
                "along a cosine",
                .source = "p3achygo"),
    FIELD_INT64(ScheduleSettings, power_samples, 10000000, 1, 1e15,
                "power: tau in the factor (samples / tau + 1)^-power",
                .source = "Wu 2019, first version"),
    FIELD_DOUBLE(ScheduleSettings, power, 4.0 / 3, 0, 10,
                 "power: exponent in the factor (samples / tau + 1)^-power",
                 .source = "Wu 2019, first version; GoNN, train.py (2)"),
    FIELD_INT64(ScheduleSettings, update_samples, 0, 0, 1e15,
                "loglinear, power: samples between changes of the rate; 0: change it at each batch",
                .source = "GoNN, train.py (2 epochs)"),
    {0},
};

/* Reads "SAMPLES:FACTOR", which has `length` characters. */
static Status read_knot(const char *text, size_t length, ScheduleKnot *out, Error *err) {
    char word[64];
    if (length < sizeof word) {
        memcpy(word, text, length);
        word[length] = 0;
        char *colon = strchr(word, ':');
        if (colon) {
            *colon = 0;
            Status status = parse_double(word, "schedule.knots", 0, 1e15, &out->samples, err);
            return status ? status
                          : parse_double(colon + 1, "schedule.knots", 1e-9, 1e6, &out->factor, err);
        }
    }
    return fail(err, ERR_SYNTAX, "schedule.knots: \"%.*s\" is not SAMPLES:FACTOR",
                length < 60 ? (int)length : 60, text);
}

static Status read_knots(RateSchedule *schedule, Error *err) {
    _Static_assert(SCHEDULE_KNOTS * sizeof "0:1" >= SETTINGS_TEXT_SIZE,
                   "a setting cannot hold more knots than the array");
    const char *at = schedule->config.knots;
    Status status = OK;
    while (!status) {
        ScheduleKnot *knot = &schedule->knots[schedule->count];
        size_t length = strcspn(at, ",");
        status = read_knot(at, length, knot, err);
        if (!status && schedule->count && knot->samples <= knot[-1].samples)
            return fail(err, ERR_ARGUMENT, "schedule.knots: %s samples come after %s",
                        number_text(knot->samples).text, number_text(knot[-1].samples).text);
        schedule->count++;
        if (!at[length]) break;
        at += length + 1;
    }
    return status;
}

Status schedule_init(RateSchedule *schedule, const ScheduleSettings *config, Error *err) {
    bool uses_knots = config->kind == SCHEDULE_BY_KNOTS || config->kind == SCHEDULE_LOGLINEAR;
    *schedule = (RateSchedule){.config = *config};
    if (!uses_knots && !*config->knots) return OK;
    if (!uses_knots)
        return fail(err, ERR_ARGUMENT,
                    "schedule.knots is \"%.60s\", but only schedule.kind knots and loglinear use "
                    "it",
                    config->knots);
    if (!*config->knots)
        return fail(err, ERR_ARGUMENT,
                    "schedule.kind knots and loglinear need schedule.knots, such as "
                    "\"0:1,1e6:0.3\"");
    return read_knots(schedule, err);
}

/* Returns a value that rises from 0 to 1 along a cosine while `fraction` goes from 0 to 1. */
static double cosine_rise(double fraction) {
    return 0.5 * (1 - cos(3.14159265358979323846 * fraction));
}

/* Returns the factor at a number of samples.
 *   - With the kind knots, it is the factor of the last knot that was passed. In the blend_samples
 *     before the next knot it moves to the factor of the next knot.
 *   - With loglinear, the logarithm of the factor is interpolated between the last knot and the
 *     next knot.
 * Before the first knot it is the factor of the first knot. After the last knot it is the factor of
 * the last knot. */
static double knot_factor(const RateSchedule *schedule, double samples) {
    const ScheduleKnot *knot = schedule->knots, *end = knot + schedule->count - 1;
    while (knot < end && samples >= knot[1].samples)
        knot++;
    if (knot == end || samples < knot->samples) return knot->factor;
    double between = knot[1].samples - knot->samples;
    if (schedule->config.kind == SCHEDULE_LOGLINEAR)
        return knot->factor *
               pow(knot[1].factor / knot->factor, (samples - knot->samples) / between);
    double blend = fmin((double)schedule->config.blend_samples, between),
           into = samples - (knot[1].samples - blend);
    if (!(into > 0)) return knot->factor;
    return knot->factor + (knot[1].factor - knot->factor) * cosine_rise(into / blend);
}

/* Returns the factor of the kinds that begin with the first sample. During the warm-up the rate is
 * also multiplied by the factor of the warm-up. */
static double factor_from_start(const RateSchedule *schedule, int64_t samples) {
    const ScheduleSettings *config = &schedule->config;
    if (config->update_samples && config->kind != SCHEDULE_BY_KNOTS)
        samples -= samples % config->update_samples;
    if (config->kind == SCHEDULE_POWER)
        return fmax(config->final_factor,
                    pow((double)samples / (double)config->power_samples + 1, -config->power));
    return schedule->count ? knot_factor(schedule, (double)samples) : 1;
}

/* Returns the factor of the kinds that begin after the warm-up; `samples` counts from its end. */
static double factor_after_warmup(const ScheduleSettings *config, double samples) {
    if (config->kind == SCHEDULE_COSINE) {
        double fraction = fmin(1, samples / (double)config->total_samples),
               low = config->final_factor;
        return low + (1 - low) * 0.5 * (1 + cos(3.14159265358979323846 * fraction));
    }
    if (config->kind == SCHEDULE_STEPS)
        return pow(config->drop_factor, floor(samples / (double)config->drop_samples));
    return 1;
}

double schedule_rate(const RateSchedule *schedule, int64_t samples) {
    static const double DIVISORS[8] = {20, 14, 10, 7, 5, 3, 2, 1.4}; /* of a warm-up in steps */
    const ScheduleSettings *config = &schedule->config;
    double rate = config->rate;
    if (config->kind >= SCHEDULE_BY_KNOTS) rate *= factor_from_start(schedule, samples);
    if (samples >= config->warmup_samples)
        return rate * factor_after_warmup(config, (double)(samples - config->warmup_samples));
    double fraction = (double)samples / (double)config->warmup_samples;
    if (config->warmup == WARMUP_STEPS) return rate / DIVISORS[(int)(8 * fraction)];
    return rate * (double)(samples + 1) / (double)config->warmup_samples;
}

double schedule_batch_factor(const RateSchedule *schedule, int rows, bool scale_free) {
    const double USUAL_ROWS = 256;
    int by = schedule->config.by_rows;
    bool root = by == BY_ROWS_ROOT || (by == BY_ROWS_AUTO && scale_free);
    return root ? USUAL_ROWS * sqrt(rows / USUAL_ROWS) : rows;
}
