/* uniform_games.h - a table of games in a folder of this process. The engine rates all moves as
 * equal. */
#pragma once
#include "base/clock.h"
#include "base/file.h"
#include "eval/evaluators/evaluator.h"
#include "search/tree/search_presets.h"
#include "serve/games.h"
#include "test.h"
#include "test_path.h"

typedef struct {
    Analysis *analysis;
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

static inline void count_wake(void *context) {
    atomic_fetch_add(&((UniformGames *)context)->wakes, 1);
}

/* Begins with the files that are in the folder. */
static inline void games_open(UniformGames *all) {
    all->analysis = uniform_analysis();
    EXPECT_OK(games_new(&(GamesSetup){.analysis = all->analysis,
                                      .search = &all->search,
                                      .resign = &all->resign,
                                      .folder = all->folder,
                                      .engine = "uniform",
                                      .wake = count_wake,
                                      .context = all},
                        &all->games, err));
}

/* Ends as the server does. */
static inline void games_close(UniformGames *all) {
    games_free(all->games);
    analysis_free(all->analysis);
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

/* Waits until the game waits for the engine no longer. */
static inline void wait_for_engine(UniformGames *all, GameEntry *entry) {
    for (int i = 0; i < 20000 && game_is_waiting(games_game(entry)); i++) {
        clock_sleep_ms(1);
        games_tend(all->games);
    }
    EXPECT_FALSE(game_is_waiting(games_game(entry)));
}
