/* uniform_games.h - a table of games in a folder of this process. The engine rates all moves as
 * equal. */
#pragma once
#include "base/clock.h"
#include "base/file.h"
#include "eval/evaluators/evaluator.h"
#include "search/tree/search_presets.h"
#include "serve/games/games.h"
#include "test.h"
#include "test_path.h"

typedef struct {
    Jobs *jobs;
    Engines *engines;
    Games *games;
    SearchSettings search;
    ResignSettings resign;
    char folder[200];
    atomic_int wakes;
} UniformGames;

static inline Status uniform_evaluator(void *context, const EvaluatorSpec *spec, Evaluator **out,
                                       Error *err) {
    (void)context, (void)spec;
    return evaluator_uniform_new(8, out, err);
}

static inline Analysis *uniform_analysis(void) {
    AnalysisSetup setup = {.make_evaluator = uniform_evaluator,
                           .version = "1.2",
                           .revision = "abc",
                           .threads = 1,
                           .positions_at_once = 2};
    Analysis *analysis;
    settings_defaults(ANALYSIS_FIELDS, &setup.analysis);
    move_limits_set(&setup.analysis.limits, 4, 0);
    search_preset_begin(SEARCH_PRESET_ANALYSIS, &setup.search);
    EXPECT_OK(analysis_new(&setup, &analysis, err));
    return analysis;
}

/* EngineSource.open: a file whose name has "bad" cannot be loaded. */
static inline Status uniform_open(void *context, const char *file, EngineParts *out, Error *err) {
    (void)context;
    *out = (EngineParts){0};
    if (strstr(file, "bad")) return (fail)(err, ERR_SYNTAX, "%s is no net", file);
    out->analysis = uniform_analysis();
    return OK;
}

static inline void uniform_close(void *context, EngineParts *parts) {
    (void)context;
    analysis_free(parts->analysis);
}

static const ServedNet UNIFORM_NETS[] = {
    {.id = "first", .title = "First", .file = {"uniform"}},
    {.id = "second", .title = "Second", .file = {"uniform"}},
    {.id = "third", .title = "Third", .file = {"uniform"}, .width = 7, .height = 7},
    {.id = "bad", .title = "Bad", .file = {"bad.aji"}}};

static inline void count_wake(void *context) {
    atomic_fetch_add(&((UniformGames *)context)->wakes, 1);
}

/* Begins with the files that are in the folder. */
static inline void games_open(UniformGames *all) {
    EXPECT_OK(jobs_new(&(JobsSetup){count_wake, all}, &all->jobs, err));
    EXPECT_OK(engines_new(&(EnginesSetup){.nets = UNIFORM_NETS,
                                          .net_count = 4,
                                          .loaded_max = 2,
                                          .source = {uniform_open, uniform_close, NULL},
                                          .jobs = all->jobs},
                          &all->engines, err));
    EXPECT_OK(engine_load(engines_find(all->engines, NULL), err));
    EXPECT_OK(games_new(&(GamesSetup){.engines = all->engines,
                                      .search = &all->search,
                                      .resign = &all->resign,
                                      .folder = all->folder,
                                      .wake = count_wake,
                                      .context = all},
                        &all->games, err));
}

/* Ends as the server does. */
static inline void games_close(UniformGames *all) {
    jobs_free(all->jobs);
    games_free(all->games);
    engines_free(all->engines);
}

/* Does what the server does after another thread has woken it. */
static inline void all_tend(UniformGames *all) {
    jobs_tend(all->jobs);
    games_tend(all->games);
}

/* Begins with the folder of this name, which does not exist yet. */
static inline void games_setup(UniformGames *all, const char *name) {
    *all = (UniformGames){0};
    snprintf(all->folder, sizeof all->folder, "%s", test_path(name).text);
    settings_defaults(RESIGN_FIELDS, &all->resign);
    search_preset_begin(SEARCH_PRESET_PEOPLE, &all->search);
    games_open(all);
}

static inline void games_teardown(UniformGames *all) {
    games_close(all);
    EXPECT_OK(directory_remove(all->folder, err));
}

static inline GameSetup small_game(Color person) {
    return (GameSetup){.width = 5,
                       .height = 5,
                       .rules = "chinese",
                       .komi = (double)NAN,
                       .person = person,
                       .visits = 4};
}

/* Waits until the game no longer waits for the engine. */
static inline void wait_for_engine(UniformGames *all, GameEntry *entry) {
    for (int i = 0; i < 20000 && game_is_waiting(games_game(entry)); i++) {
        clock_sleep_ms(1);
        all_tend(all);
    }
    EXPECT_FALSE(game_is_waiting(games_game(entry)));
}
