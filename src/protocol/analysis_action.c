/* What a line can ask for besides positions: {"id", "action", ...}. The answer is the line with
 * more in it. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "protocol/analysis_parse.h"
#include "protocol/analysis_private.h"

typedef struct {
    Analysis *analysis;
    AnalysisClient *client;
    json_t *line;
    const char *id;
} Action;

static void act_version(const Action *action) {
    const AnalysisSetup *setup = &action->analysis->setup;
    json_object_set_new(action->line, "version", json_string(setup->version));
    json_object_set_new(action->line, "git_hash", json_string(setup->revision));
}

static void act_models(const Action *action) {
    const AnalysisSetup *setup = &action->analysis->setup;
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
    EvaluationCache *cache = action->analysis->setup.cache;
    if (cache) evaluation_cache_clear(cache);
}

/* What is to be given up. */
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

/* Those that wait are answered at once; those that are searched are told to end. */
static void give_up(Analysis *analysis, const GivenUp *what) {
    AnalysisTask *tasks;
    pthread_mutex_lock(&analysis->lock);
    size_t count = task_heap_take(&analysis->heap, is_given_up, what, &tasks);
    atomic_store_explicit(&analysis->waiting, (int)analysis->heap.count, memory_order_relaxed);
    for (int i = 0; i < analysis->worker_count * analysis->setup.positions_at_once; i++) {
        int at_once = analysis->setup.positions_at_once;
        AnalysisSlot *slot = analysis_worker_slot(analysis->workers[i / at_once], i % at_once);
        if (slot->task.query && is_given_up(what, &slot->task))
            atomic_store_explicit(&slot->given_up, true, memory_order_relaxed);
    }
    pthread_mutex_unlock(&analysis->lock);
    for (size_t i = 0; i < count; i++)
        analysis_end(analysis, &tasks[i], reply_without_results(tasks[i].query, tasks[i].turn));
    free(tasks);
}

/* false: answered with an error. */
static bool read_turns(const Action *action, const json_t **out) {
    const json_t *turn;
    size_t index;
    bool good = true;
    *out = json_object_get(action->line, "turnNumbers");
    if (!*out) return true;
    good = json_is_array(*out);
    json_array_foreach(*out, index, turn) good &= json_is_integer(turn);
    if (!good)
        analysis_write(action->analysis, action->client,
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
            analysis_write(action->analysis, action->client,
                           analysis_error(action->id, "terminateId",
                                          "Requests for a terminate action must have a string "
                                          "\"terminateId\" field"));
        if (!what.id) return false;
    }
    if (!read_turns(action, &what.turns)) return false;
    give_up(action->analysis, &what);
    return true;
}

void analysis_act(Analysis *analysis, AnalysisClient *client, const char *name, json_t *line) {
    const Action action = {analysis, client, line, json_string_value(json_object_get(line, "id"))};
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
        analysis_write(analysis, client,
                       analysis_error(NULL, NULL,
                                      "'action' field must be 'query_version' or 'query_models' or "
                                      "'clear_cache' or 'terminate' or 'terminate_all'"));
        return;
    }
    if (good) analysis_write(analysis, client, json_incref(line));
}
