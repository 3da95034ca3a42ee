#include "protocol/analysis/analysis_engine.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"

Status analysis_engine_init(AnalysisEngine *engine, const AnalysisSetup *setup, Error *err) {
    pthread_condattr_t attributes;
    *engine = (AnalysisEngine){.setup = *setup};
    pthread_mutex_init(&engine->lock, NULL);
    pthread_mutex_init(&engine->write_lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&engine->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    size_t count = (size_t)setup->threads * (size_t)setup->positions_at_once;
    Status status = mem_new(count, sizeof *engine->active, &engine->active, err);
    engine->active_count = status ? 0 : (int)count;
    return status;
}

void analysis_engine_close(AnalysisEngine *engine) {
    pthread_mutex_lock(&engine->lock);
    atomic_store_explicit(&engine->closing, true, memory_order_relaxed);
    for (int i = 0; i < engine->active_count; i++)
        atomic_store_explicit(&engine->active[i].terminated, true, memory_order_relaxed);
    pthread_cond_broadcast(&engine->changed);
    pthread_mutex_unlock(&engine->lock);
}

bool analysis_engine_is_closing(const AnalysisEngine *engine) {
    return atomic_load_explicit(&engine->closing, memory_order_relaxed);
}

void analysis_engine_clear(AnalysisEngine *engine) {
    for (size_t i = 0; i < engine->heap.count; i++)
        query_release(engine->heap.tasks[i].query);
    free(engine->heap.tasks);
    free(engine->active);
    pthread_cond_destroy(&engine->changed);
    pthread_mutex_destroy(&engine->write_lock);
    pthread_mutex_destroy(&engine->lock);
}

/* Publishes the size of the heap to threads that do not hold the lock. Called after each change of
 * the heap, with the lock held. */
static void note_waiting(AnalysisEngine *engine) {
    atomic_store_explicit(&engine->waiting_count, (int)engine->heap.count, memory_order_relaxed);
}

Status analysis_enqueue(AnalysisEngine *engine, AnalysisQuery *query, Error *err) {
    size_t wanted = 0;
    for (int turn = 0; turn <= query->move_count; turn++)
        wanted += query->wanted_turns[turn];
    pthread_mutex_lock(&engine->lock);
    Status status = task_heap_reserve(&engine->heap, wanted, err);
    for (int turn = 0; turn <= query->move_count && !status; turn++) {
        if (!query->wanted_turns[turn]) continue;
        task_heap_push(&engine->heap, (AnalysisTask){query_hold(query), turn,
                                                     query->priorities[turn], engine->sequence++});
        query->client->pending++;
    }
    note_waiting(engine);
    pthread_cond_broadcast(&engine->changed);
    pthread_mutex_unlock(&engine->lock);
    return status;
}

void analysis_wait_for_task(AnalysisEngine *engine) {
    pthread_mutex_lock(&engine->lock);
    while (!engine->heap.count && !analysis_engine_is_closing(engine))
        pthread_cond_wait(&engine->changed, &engine->lock);
    pthread_mutex_unlock(&engine->lock);
}

bool analysis_take_task(AnalysisEngine *engine, ActiveTask *active_task) {
    pthread_mutex_lock(&engine->lock);
    bool found =
        !analysis_engine_is_closing(engine) && task_heap_pop(&engine->heap, &active_task->task);
    note_waiting(engine);
    atomic_store_explicit(&active_task->terminated, false, memory_order_relaxed);
    pthread_mutex_unlock(&engine->lock);
    return found;
}

size_t analysis_terminate(AnalysisEngine *engine,
                          bool (*matches)(const void *context, const AnalysisTask *task),
                          const void *context, AnalysisTask **out) {
    size_t count = task_heap_take(&engine->heap, matches, context, out);
    note_waiting(engine);
    for (int i = 0; i < engine->active_count; i++) {
        ActiveTask *active_task = &engine->active[i];
        if (active_task->task.query && matches(context, &active_task->task))
            atomic_store_explicit(&active_task->terminated, true, memory_order_relaxed);
    }
    return count;
}

/* Frees `answer` and returns its text, which the caller frees. If `answer` is NULL, because there
 * was no memory for it, the text is an error. */
static char *dump_answer(json_t *answer) {
    char *text =
        answer ? json_dumps(answer, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(answer);
    return text ? text : strdup("{\"error\":\"no memory for an answer\"}");
}

void analysis_write(AnalysisEngine *engine, AnalysisClient *client, json_t *answer) {
    char *text = dump_answer(answer);
    pthread_mutex_lock(&engine->write_lock);
    analysis_client_put(client, text);
    pthread_mutex_unlock(&engine->write_lock);
    free(text);
}

void analysis_answer(AnalysisEngine *engine, const AnalysisQuery *query, json_t *answer) {
    char *text = dump_answer(answer);
    pthread_mutex_lock(&engine->write_lock); /* no client can leave while this is held */
    pthread_mutex_lock(&engine->lock);
    AnalysisClient *client = query->client;
    pthread_mutex_unlock(&engine->lock);
    if (client) analysis_client_put(client, text);
    pthread_mutex_unlock(&engine->write_lock);
    free(text);
}

void analysis_drop_task(AnalysisEngine *engine, AnalysisTask *task) {
    AnalysisQuery *query = task->query;
    pthread_mutex_lock(&engine->lock);
    *task = (AnalysisTask){0};
    if (query->client && --query->client->pending == 0) pthread_cond_broadcast(&engine->changed);
    pthread_mutex_unlock(&engine->lock);
    query_release(query);
}

void analysis_finish_task(AnalysisEngine *engine, AnalysisTask *task, json_t *answer) {
    analysis_answer(engine, task->query, answer);
    analysis_drop_task(engine, task);
}

static bool is_of_query(const void *context, const AnalysisTask *task) {
    return task->query == context;
}

void analysis_refuse_query(AnalysisEngine *engine, AnalysisQuery *query, const char *field,
                           const char *text) {
    AnalysisTask *tasks;
    pthread_mutex_lock(&engine->lock);
    bool first = !query->refused;
    query->refused = true;
    size_t count = task_heap_take(&engine->heap, is_of_query, query, &tasks);
    note_waiting(engine);
    pthread_mutex_unlock(&engine->lock);
    if (first) analysis_answer(engine, query, analysis_error(query->id, field, text));
    for (size_t i = 0; i < count; i++)
        analysis_drop_task(engine, &tasks[i]);
    free(tasks);
}

/* Returns the text as a JSON string. If it is not UTF-8, every byte above 127 becomes '?'. */
static json_t *json_text(const char *text) {
    json_t *value = json_string(text);
    if (value) return value;
    char *plain = strdup(text);
    for (char *at = plain; at && *at; at++) {
        if ((unsigned char)*at >= 128) *at = '?';
    }
    value = plain ? json_string(plain) : NULL;
    free(plain);
    return value;
}

json_t *analysis_error(const char *id, const char *field, const char *text) {
    json_t *error = json_object();
    json_object_set_new(error, "error", json_text(text));
    if (field) json_object_set_new(error, "field", json_string(field));
    if (id) json_object_set_new(error, "id", json_string(id));
    return error;
}
