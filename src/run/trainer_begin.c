/* What training begins from where no checkpoint is there, or is of use: the weights of a new run,
 * or of the newest net of one whose train/ was lost or whose net has learned nothing. */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "eval/arch.h"
#include "run/cycle_private.h"
#include "run/trainers.h"

/* Where the count of its samples stands, and where it stood when the weights were random. */
typedef struct {
    int64_t samples, origin;
} Count;

static Status make_of(const Cycle *cycle, Net *net /* taken */, Count count, Trainer **out,
                      Error *err) {
    TrainerSetup setup = {.trainer = cycle->config.trainer,
                          .objective = cycle->config.objective,
                          .optimiser = cycle->config.optimiser,
                          .schedule = cycle->config.schedule,
                          .averaging = cycle->config.averaging,
                          .divergence = cycle->config.divergence,
                          .samples = count.samples,
                          .origin = count.origin,
                          .batch = cycle->config.loader.batch,
                          .length = cycle->length};
    if (!setup.trainer.threads) setup.trainer.threads = cycle->threads;
    return trainer_new(&setup, net, out, err);
}

static Status build(const Cycle *cycle, const char *arch, Net **out, Error *err) {
    Rng rng = rng_seeded((uint64_t)cycle->config.run.seed);
    return arch_build_text(arch, &rng, out, err);
}

Status trainer_make(const Cycle *cycle, const char *arch, int64_t samples, Trainer **out,
                    Error *err) {
    Net *net;
    *out = NULL;
    Status status = build(cycle, arch, &net, err);
    return status ? status : make_of(cycle, net, (Count){samples, samples}, out, err);
}

/* Whether `net` is of this architecture, and all its numbers have their place. */
static bool is_of(const Net *net, const char *arch, const Net *made) {
    ArchSettings its, wanted;
    const Program *from = net_program(net), *to = net_program(made);
    if (arch_of_net(net, &its, NULL) || arch_parse(arch, &wanted, NULL) ||
        strcmp(arch_text(&its).text, arch_text(&wanted).text) != 0)
        return false;
    bool same = program_parameter_count(from) == program_parameter_count(to);
    for (int i = 0; same && i < program_parameter_count(to); i++) {
        const ParameterSpec *a = program_parameter(from, i), *b = program_parameter(to, i);
        same = a->count == b->count && strcmp(a->name, b->name) == 0;
    }
    return same;
}

Status trainer_begin(const Cycle *cycle, const char *arch, const char *folder, Trainer **out,
                     Error *err) {
    Net *newest, *made = NULL;
    int number = 0;
    int64_t samples = 0;
    *out = NULL;
    Status status = run_directory_read_newest(&cycle->directory, &number, &newest, err);
    if (!status) status = build(cycle, arch, &made, err);
    if (!status && newest && is_of(newest, arch, made)) {
        net_copy_values(made, newest);
        samples = net_note_count(newest, "samples");
        log_warning("%s has no checkpoint, though the run has net %d: training goes on from the "
                    "weights of that net, at %lld samples; the optimiser's state is lost",
                    folder, number, (long long)samples);
    } else if (!status && newest) {
        log_warning("%s has no checkpoint, and net %d is not a net %s: training begins anew, with "
                    "random weights",
                    folder, number, arch);
    }
    net_free(newest);
    return status ? status : make_of(cycle, made, (Count){samples, 0}, out, err);
}

Status trainers_first_net(const Cycle *cycle, bool newest, Net **out, Error *err) {
    ArchSettings arch;
    Net *accepted = NULL;
    int number = 0;
    *out = NULL;
    Status status = arch_of_net(trainer_net(cycle->trainer), &arch, err);
    if (status) return status;
    const ArchText text = arch_text(&arch);
    status = build(cycle, text.text, out, err);
    if (!status && newest)
        status = run_directory_read_newest(&cycle->directory, &number, &accepted, err);
    if (!status && accepted && is_of(accepted, text.text, *out)) net_copy_values(*out, accepted);
    net_free(accepted);
    return status;
}
