#include "run/cycle/first_net.h"

#include <stdio.h>
#include <string.h>

#include "eval/arch/arch.h"
#include "eval/formats/net_file.h"
#include "nn/infer/infer_quantisation.h"
#include "run/cycle/run_check.h"
#include "run/store/index/net_index.h"
#include "run/store/run_directory.h"

/* Refuses a run that has row files, or nets other than `path`. The run may have the net `path`,
 * because an earlier call that was killed may have written this file. */
static Status check_empty(const RunDirectory *run, const Path *path, Error *err) {
    Arena arena = {0};
    char **nets, **rows;
    int *numbers, net_count = 0, row_count = 0;
    Status status = run_directory_nets(run, &arena, &nets, &numbers, &net_count, err);
    if (!status) status = run_directory_row_files(run, &arena, &rows, &row_count, err);
    bool own = net_count == 1 && strcmp(nets[0], path->text) == 0;
    if (!status && (row_count || (net_count && !own)))
        status =
            fail(err, ERR_ARGUMENT,
                 "%s: a run has begun there; only a new run can begin from a net", run->root.text);
    arena_clear(&arena);
    return status;
}

/* Adds the net to the index, which is created. */
static Status add_to_index(const RunDirectory *run, const Path *path, Error *err) {
    RunIndex *index;
    IndexedNet entry = {.number = 1};
    snprintf(entry.file, sizeof entry.file, "%s", path_name(path->text));
    Status status = run_index_open(run->database.text, &index, err);
    if (status) return status;
    status = run_index_add_net(index, &entry, err);
    run_index_close(index);
    return status;
}

/* Finds the path of this net as net 1 of the run. */
static Status path_of(const RunDirectory *run, const Net *net, Path *out, Error *err) {
    char name[96];
    NetHash hash = net_hash(net);
    if (!*hash.text) return fail(err, ERR_MEMORY, "no memory for the checksum of a net");
    snprintf(name, sizeof name, "%s-%.8s.aji", net_number(1).text, hash.text);
    return path_join(out, run->nets.text, name, err);
}

static Status write_net(const RunDirectory *run, Net *net, const char *file, Path *path,
                        Error *err) {
    quantisation_remove(net); /* it belongs to the weights before training */
    Status status = net_set_note(net, FIRST_NET_NOTE, path_name(file), err);
    if (!status) status = net_set_note(net, "samples", "0", err);
    if (!status) status = net_set_note(net, "rows", "0", err);
    if (!status) status = path_of(run, net, path, err);
    if (!status) status = check_empty(run, path, err);
    return status ? status : net_save(net, path->text, err);
}

static Status write_settings(const RunDirectory *run, RunConfig *config, Error *err) {
    StrBuf text = {0};
    run_config_write(config, &text);
    Status status = strbuf_status(&text, err);
    if (!status) status = file_write(run->config.text, text.text, text.length, err);
    strbuf_clear(&text);
    return status;
}

/* Sets run.arch to the architecture of the net. */
static Status take_arch(RunConfig *config, const Net *net, const char *file, Error *err) {
    ArchSettings arch;
    if (!net_note(net, "architecture"))
        return fail(err, ERR_UNSUPPORTED,
                    "%s: a run cannot begin with this net, because the net has no note of its "
                    "architecture, which becomes run.arch; only nets that Aji made have this note. "
                    "`aji train DATA --from NET` trains any net on fixed rows",
                    file);
    Status status = arch_of_net(net, &arch, err);
    if (status) return fail_within(err, status, "%s", file);
    const ArchText text = arch_text(&arch);
    size_t length = strlen(text.text);
    if (length >= sizeof config->run.arch)
        return fail(err, ERR_UNSUPPORTED, "%s: its architecture is too long for run.arch", file);
    memcpy(config->run.arch, text.text, length + 1);
    return OK;
}

Status first_net_begin(const char *directory, RunConfig *config, const char *file, Error *err) {
    RunDirectory run;
    Path path;
    Net *net;
    Status status = net_file_load(file, &net, err);
    if (status) return status;
    status = take_arch(config, net, file, err);
    if (!status) status = run_check_settings(config, err); /* before there is a folder */
    if (!status) status = run_directory_check_foreign(directory, err);
    if (!status) status = run_directory_open(directory, &run, err);
    if (!status) status = write_net(&run, net, file, &path, err);
    if (!status) status = add_to_index(&run, &path, err);
    if (!status) status = write_settings(&run, config, err);
    net_free(net);
    return status;
}

Status first_net_check(const char *directory, const char *file, Error *err) {
    RunDirectory run;
    Path path;
    Net *net;
    Status status = net_file_load(file, &net, err);
    if (status) return status;
    status = run_directory_name(directory, &run, err);
    if (!status) status = path_of(&run, net, &path, err);
    net_free(net);
    if (!status && !file_exists(path.text))
        status = fail(err, ERR_ARGUMENT,
                      "the run in %s did not begin with %s; leave out --from, or name another run "
                      "(--run DIR)",
                      directory, file);
    return status;
}
