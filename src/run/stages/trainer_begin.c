#include "run/stages/trainer_begin.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "eval/arch/arch.h"
#include "run/store/run_directory.h"

/* The count of samples with which a trainer begins, and the count at which its weights were random.
 * A larger net begins with the count of the run's trainer, and with random weights, so both are the
 * same for it. For the run's own net `origin` is 0. */
typedef struct {
    int64_t samples, origin;
} Count;

static Status make_of(const RunPlan *plan, Net *net /* taken */, Count count, Trainer **out,
                      Error *err) {
    TrainerSetup setup = {.training = plan->config.training,
                          .samples = count.samples,
                          .origin = count.origin,
                          .seed = (uint64_t)plan->config.run.seed,
                          .batch = plan->config.loader.batch,
                          .length = plan->edge};
    if (!setup.training.trainer.threads) setup.training.trainer.threads = plan->threads;
    return trainer_new(&setup, net, out, err);
}

static Status build(const RunPlan *plan, const char *arch, Net **out, Error *err) {
    Rng rng = rng_seeded((uint64_t)plan->config.run.seed);
    return arch_build_text(arch, &rng, out, err);
}

Status trainer_begin_random(const RunPlan *plan, const char *arch, int64_t samples, Trainer **out,
                            Error *err) {
    Net *net;
    *out = NULL;
    Status status = build(plan, arch, &net, err);
    return status ? status : make_of(plan, net, (Count){samples, samples}, out, err);
}

/* Returns whether `net` has this architecture, and parameters of the same names and sizes as
 * `made`. */
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

Status trainer_begin_anew(const TrainerBeginSetup *setup, Trainer **out, Error *err) {
    const RunPlan *plan = setup->plan;
    const char *arch = setup->arch, *folder = setup->folder;
    Net *newest, *made = NULL;
    int number = 0;
    int64_t samples = 0;
    *out = NULL;
    Status status = run_directory_read_newest(setup->run, &number, &newest, err);
    if (!status) status = build(plan, arch, &made, err);
    if (!status && newest && is_of(newest, arch, made)) {
        const char *from = net_note(newest, FIRST_NET_NOTE);
        net_copy_values(made, newest);
        samples = net_note_count(newest, "samples");
        if (from && !samples)
            log_info("training begins with the weights of net %d, a copy of %s", number, from);
        else
            log_warning(
                "%s has no checkpoint, although the run has net %d: training continues from "
                "the weights of that net, at %lld samples; the optimiser's state is lost",
                folder, number, (long long)samples);
    } else if (!status && newest) {
        log_warning("%s has no checkpoint, and net %d does not have the architecture %s: training "
                    "begins anew, with random weights",
                    folder, number, arch);
    }
    net_free(newest);
    return status ? status : make_of(plan, made, (Count){samples, 0}, out, err);
}

Status trainer_begin_net(const RunPlan *plan, const Trainer *trainer, const RunDirectory *newest,
                         Net **out, Error *err) {
    ArchSettings arch;
    Net *accepted = NULL;
    int number = 0;
    *out = NULL;
    Status status = arch_of_net(trainer_net(trainer), &arch, err);
    if (status) return status;
    const ArchText text = arch_text(&arch);
    status = build(plan, text.text, out, err);
    if (!status && newest) status = run_directory_read_newest(newest, &number, &accepted, err);
    if (!status && accepted && is_of(accepted, text.text, *out)) net_copy_values(*out, accepted);
    net_free(accepted);
    return status;
}
