#include "nn/schedule.h"

#include <math.h>

enum { WARMUP_LINEAR, WARMUP_STEPS };
enum { SCHEDULE_CONSTANT, SCHEDULE_COSINE, SCHEDULE_STEPS };

const ConfigField SCHEDULE_FIELDS[] = {
    FIELD_FLOAT(ScheduleConfig, rate, 0, 0, 1,
                "learning rate a sample (the step of a batch is that times its rows); 0: 6e-5 for "
                "SGD, 8e-6 for AdamW and Muon",
                .source = "Wu 2019, appendix C"),
    FIELD_INT64(ScheduleConfig, warmup_samples, 0, 0, 1e15, "samples over which the rate rises"),
    FIELD_CHOICE(ScheduleConfig, warmup, WARMUP_LINEAR, "linear|steps",
                 "from 0, or in eight steps 1/20, 1/14, 1/10, 1/7, 1/5, 1/3, 1/2, 1/1.4",
                 .source = "lczero-training; KataGo, python/train.py (2000000 samples)"),
    FIELD_CHOICE(ScheduleConfig, kind, SCHEDULE_CONSTANT, "constant|cosine|steps",
                 "course of the rate after the warm-up"),
    FIELD_INT64(ScheduleConfig, total_samples, 10000000, 1, 1e15,
                "cosine: samples until the final rate"),
    FIELD_FLOAT(ScheduleConfig, final_factor, 0.1, 0, 1,
                "cosine: final rate as a share of the first"),
    FIELD_FLOAT(ScheduleConfig, drop_factor, 0.5, 0.001, 1,
                "steps: what the rate is multiplied with"),
    FIELD_INT64(ScheduleConfig, drop_samples, 1000000, 1, 1e15, "steps: samples between drops"),
    {0},
};

double schedule_rate(const ScheduleConfig *config, int64_t samples) {
    double rate = (double)config->rate;
    if (samples < config->warmup_samples) {
        static const double PARTS[8] = {20, 14, 10, 7, 5, 3, 2, 1.4};
        double share = (double)samples / (double)config->warmup_samples;
        if (config->warmup == WARMUP_STEPS) return rate / PARTS[(int)(8 * share)];
        return rate * (double)(samples + 1) / (double)config->warmup_samples;
    }
    double after = (double)(samples - config->warmup_samples);
    switch (config->kind) {
    case SCHEDULE_COSINE: {
        double share = fmin(1, after / (double)config->total_samples),
               low = (double)config->final_factor;
        return rate * (low + (1 - low) * 0.5 * (1 + cos(3.14159265358979323846 * share)));
    }
    case SCHEDULE_STEPS:
        return rate * pow((double)config->drop_factor, floor(after / (double)config->drop_samples));
    default:
        return rate;
    }
}
