/* tiny_run.h - a temporary folder and the settings of a run that takes seconds. A test defines
 * _GNU_SOURCE before it includes this file, because of nftw(). */
#pragma once
#include "run/cycle/cycle.h"
#include "test.h"
#include <ftw.h>
#include <unistd.h>

typedef struct {
    char text[64];
} Folder;

static inline Folder make_folder(void) {
    Folder folder;
    snprintf(folder.text, sizeof folder.text, "/tmp/aji-test-run-XXXXXX");
    if (!mkdtemp(folder.text)) fail_msg("no folder in /tmp");
    return folder;
}

static inline int remove_entry(const char *path, const struct stat *info, int kind,
                               struct FTW *where) {
    (void)info, (void)kind, (void)where;
    return remove(path);
}

static inline void remove_tree(const char *path) {
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static inline void remove_folder(const Folder *folder) {
    remove_tree(folder->text);
}

static inline Path path_in(const char *folder, const char *name) {
    Path path;
    EXPECT_OK(path_join(&path, folder, name, err));
    return path;
}

/* Returns the settings of a tiny run: 4x4, a tiny net, few visits, one thread. It ends after `nets`
 * nets. */
static inline RunConfig tiny(int nets) {
    static const char *const SETTINGS[] = {"selfplay.sizes=4:1",
                                           "selfplay.komi.mean=1",
                                           "selfplay.full.visits=8",
                                           "selfplay.cheap.visits=4",
                                           "selfplay.games_at_once=4",
                                           "selfplay.ramp.rows=0",
                                           "run.arch=b1c8-fixup-nodist",
                                           "run.threads=1",
                                           "run.rows_first=100",
                                           "run.rows_cycle=100",
                                           "run.samples_per_row=2",
                                           "run.cache_mb=1",
                                           "run.rate_games=4",
                                           "run.rate_every=2",
                                           "run.rate_visits=4",
                                           "run.gate_games=4",
                                           "run.gate_visits=4",
                                           "run.gate_score=0",
                                           "run.disk_reserve_mb=0",
                                           "loader.batch=32",
                                           "loader.memory_mb=16",
                                           "window.min=200",
                                           "averaging.period_samples=64",
                                           "search.tree_memory_mb=4"};
    RunConfig config;
    SettingsGroup groups[RUN_GROUPS];
    run_config_defaults(&config);
    run_config_groups(&config, groups);
    for (size_t i = 0; i < sizeof SETTINGS / sizeof *SETTINGS; i++)
        EXPECT_OK(settings_assign(groups, SETTINGS[i], err));
    config.run.nets = nets;
    return config;
}

/* Opens the run and works to its end. With `finish` it also writes the final report, as `aji learn`
 * does. */
static inline Status run_whole(const char *directory, const RunConfig *config, bool finish,
                               Error *err) {
    Cycle *cycle;
    StrBuf text = {0};
    Status status = cycle_open(directory, config, NULL, &cycle, err);
    if (status) return status;
    status = cycle_run(cycle, 0, err);
    if (!status && finish) status = cycle_finish(cycle, &text, err);
    strbuf_clear(&text);
    cycle_close(cycle);
    return status;
}
