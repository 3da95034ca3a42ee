/* The answer to an action is its query, with the results as further members. */
#include "protocol/analysis/analysis_action.h"

#include <string.h>

typedef struct {
    AnalysisEngine *engine;
    AnalysisClient *client;
    json_t *line;
    const char *id;
    bool silent; /* carried out before its turn, without an answer; later analysis_act() carries it
                    out again and answers */
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

/* Says which tasks are to be terminated. */
typedef struct {
    const char *id;      /* NULL means every query */
    const json_t *turns; /* NULL means every turn */
} TerminateRequest;

static bool is_terminated(const void *context, const AnalysisTask *task) {
    const TerminateRequest *request = context;
    const json_t *turn;
    size_t index;
    if (request->id && strcmp(task->query->id, request->id) != 0) return false;
    if (!request->turns) return true;
    json_array_foreach(request->turns, index, turn) {
        if (json_integer_value(turn) == task->turn) return true;
    }
    return false;
}

/* Reads "turnNumbers" into `*out`, which is NULL if the query has none. If they are wrong, answers
 * with an error, except when action->silent, and returns false. */
static bool read_turns(const Action *action, const json_t **out) {
    const json_t *turn;
    size_t index;
    bool valid = true;
    *out = json_object_get(action->line, "turnNumbers");
    if (!*out) return true;
    valid = json_is_array(*out);
    json_array_foreach(*out, index, turn) valid &= json_is_integer(turn);
    if (!valid && !action->silent)
        analysis_write(action->engine, action->client,
                       analysis_error(action->id, "turnNumbers",
                                      "If provided, must be an array of integers indicating turns "
                                      "to terminate"));
    return valid;
}

static bool act_terminate(const Action *action, bool all) {
    TerminateRequest request = {0};
    Error err = {0};
    if (!all) {
        request.id = json_string_value(json_object_get(action->line, "terminateId"));
        if (!request.id && !action->silent)
            analysis_write(action->engine, action->client,
                           analysis_error(action->id, "terminateId",
                                          "Requests for a terminate action must have a string "
                                          "\"terminateId\" field"));
        if (!request.id) return false;
    }
    if (!read_turns(action, &request.turns)) return false;
    Status status =
        analysis_terminate(action->engine, action->client, is_terminated, &request, &err);
    if (status && !action->silent)
        analysis_write(action->engine, action->client,
                       analysis_error(action->id, NULL, err.message));
    return !status;
}

bool analysis_act_ahead(AnalysisEngine *engine, AnalysisClient *client, json_t *line) {
    const Action action = {engine, client, line, NULL, true};
    const char *name = json_string_value(json_object_get(line, "action"));
    if (!name || !json_is_string(json_object_get(line, "id"))) return false;
    bool all = strcmp(name, "terminate_all") == 0;
    return (all || strcmp(name, "terminate") == 0) && act_terminate(&action, all);
}

void analysis_act(AnalysisEngine *engine, AnalysisClient *client, const char *name, json_t *line) {
    const Action action = {engine, client, line, json_string_value(json_object_get(line, "id")),
                           false};
    bool done = true;
    if (strcmp(name, "query_version") == 0) {
        act_version(&action);
    } else if (strcmp(name, "query_models") == 0) {
        act_models(&action);
    } else if (strcmp(name, "clear_cache") == 0) {
        act_clear_cache(&action);
    } else if (strcmp(name, "terminate") == 0 || strcmp(name, "terminate_all") == 0) {
        done = act_terminate(&action, strcmp(name, "terminate_all") == 0);
    } else {
        analysis_write(engine, client,
                       analysis_error(NULL, NULL,
                                      "'action' field must be 'query_version' or 'query_models' or "
                                      "'clear_cache' or 'terminate' or 'terminate_all'"));
        return;
    }
    if (done) analysis_write(engine, client, json_incref(line));
}
