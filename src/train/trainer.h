/* trainer.h - turns batches into a better net: forward, losses, backward on T executors that share the net, one optimiser step, averaging,
 * checkpoints. NaN or overflow anywhere leaves the last good state and is told. Threading: confined (threads inside). */
#pragma once
#include "nn/learn.h"
#include "nn/optimiser.h"
#include "nn/schedule.h"
#include "train/averaging.h"
#include "train/objective.h"

typedef struct {
    int threads;
    int precision;  /* f32 | bf16 */
} TrainerConfig;
extern const ConfigField TRAINER_FIELDS[];

typedef struct {
    TrainerConfig trainer;
    ObjectiveConfig objective;
    OptimiserConfig optimiser;
    ScheduleConfig schedule;
    AveragingConfig averaging;
    int batch, length;
} TrainerSetup;

typedef struct Trainer Trainer;
MUST_USE Status trainer_new(const TrainerSetup *setup, Net *net /* taken */, Trainer **out, Error *err);
void trainer_free(Trainer *trainer);
MUST_USE Status trainer_step(Trainer *trainer, const Batch *batch, Metrics *out, Error *err); /* *out: means of this batch */
MUST_USE Status trainer_measure(Trainer *trainer, const Batch *batch, Metrics *out, Error *err); /* no step; for validation */
int64_t trainer_samples(const Trainer *trainer);
const Net *trainer_net(const Trainer *trainer);
/* The averaged weights as a net of its own. */
MUST_USE Status trainer_averaged_net(const Trainer *trainer, Net **out, Error *err);
/* Weights, momentum, averages, counters, checksum; atomic. Loading gives a trainer that goes on with the same numbers. */
MUST_USE Status trainer_save(const Trainer *trainer, const char *path, Error *err);
MUST_USE Status trainer_load(Trainer *trainer, const char *path, Error *err);
