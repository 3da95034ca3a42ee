/* The answer to an action is the line that asked for it, with more members. */
#include "protocol/analysis/analysis_action.h"

#include <stdlib.h>
#include <string.h>

#include "protocol/analysis/analysis_reply.h"

typedef struct {
    AnalysisEngine *engine;
    AnalysisClient *client;
    json_t *line;
    const char *id;
} Action;

static void act_version(const Action *action) {
    const AnalysisSetup *setup = &action->engine->setup;
    json_object_set_new(action->line, "version", json_string(setup->version));
    json_object_set_new(action->line, "git_hash", json_string(setup->revision));
}

static void act_models(const Action *action) {
    const AnalysisSetup *setup = &action->engine->setup;
    json_t *models = json_array();
    for (int i = 0; i < setup->model_count; i++) {
        const AnalysisModel *model = &setup->models[i];
        json_t *one = json_object();
        json_object_set_new(one, "name", json_string(model->path));
        json_object_set_new(one, "internalName", json_string(model->name));
        json_object_set_new(one, "maxBatchSize",
                            json_integer(search_settings_batch(setup->positions_at_once)));
        json_object_set_new(one, "usesHumanSLProfile", json_boolean(model->human));
        json_object_set_new(one, "version", json_integer(model->version));
        json_object_set_new(one, "usingFP16", json_string(model->half_precision));
        json_array_append_new(models, one);
    }
    json_object_set_new(action->line, "models", models);
}

static void act_clear_cache(const Action *action) {
    EvaluationCache *cache = action->engine->setup.cache;
    if (cache) evaluation_cache_clear(cache);
}

/* The tasks that are to be given up. */
typedef struct {
    const AnalysisClient *client;
    const char *id;      /* NULL: every query */
    const json_t *turns; /* NULL: every turn */
} GivenUp;

static bool is_given_up(const void *what, const AnalysisTask *task) {
    const GivenUp *given_up = what;
    const json_t *turn;
    size_t index;
    if (task->query->client != given_up->client) return false;
    if (given_up->id && strcmp(task->query->id, given_up->id) != 0) return false;
    if (!given_up->turns) return true;
    json_array_foreach(given_up->turns, index, turn) {
        if (json_integer_value(turn) == task->turn) return true;
    }
    return false;
}

/* Tasks that wait are answered at once. Those that are searched are told to end. */
static void give_up(AnalysisEngine *engine, const GivenUp *what) {
    AnalysisTask *tasks;
    pthread_mutex_lock(&engine->lock);
    size_t count = analysis_give_up(engine, is_given_up, what, &tasks);
    pthread_mutex_unlock(&engine->lock);
    for (size_t i = 0; i < count; i++)
        analysis_end(engine, &tasks[i], reply_without_results(tasks[i].query, tasks[i].turn));
    free(tasks);
}

/* false: an error was answered. */
static bool read_turns(const Action *action, const json_t **out) {
    const json_t *turn;
    size_t index;
    bool good = true;
    *out = json_object_get(action->line, "turnNumbers");
    if (!*out) return true;
    good = json_is_array(*out);
    json_array_foreach(*out, index, turn) good &= json_is_integer(turn);
    if (!good)
        analysis_write(action->engine, action->client,
                       analysis_error(action->id, "turnNumbers",
                                      "If provided, must be an array of integers indicating turns "
                                      "to terminate"));
    return good;
}

static bool act_terminate(const Action *action, bool all) {
    GivenUp what = {.client = action->client};
    if (!all) {
        what.id = json_string_value(json_object_get(action->line, "terminateId"));
        if (!what.id)
            analysis_write(action->engine, action->client,
                           analysis_error(action->id, "terminateId",
                                          "Requests for a terminate action must have a string "
                                          "\"terminateId\" field"));
        if (!what.id) return false;
    }
    if (!read_turns(action, &what.turns)) return false;
    give_up(action->engine, &what);
    return true;
}

void analysis_act(AnalysisEngine *engine, AnalysisClient *client, const char *name, json_t *line) {
    const Action action = {engine, client, line, json_string_value(json_object_get(line, "id"))};
    bool good = true;
    if (strcmp(name, "query_version") == 0) {
        act_version(&action);
    } else if (strcmp(name, "query_models") == 0) {
        act_models(&action);
    } else if (strcmp(name, "clear_cache") == 0) {
        act_clear_cache(&action);
    } else if (strcmp(name, "terminate") == 0 || strcmp(name, "terminate_all") == 0) {
        good = act_terminate(&action, strcmp(name, "terminate_all") == 0);
    } else {
        analysis_write(engine, client,
                       analysis_error(NULL, NULL,
                                      "'action' field must be 'query_version' or 'query_models' or "
                                      "'clear_cache' or 'terminate' or 'terminate_all'"));
        return;
    }
    if (good) analysis_write(engine, client, json_incref(line));
}
