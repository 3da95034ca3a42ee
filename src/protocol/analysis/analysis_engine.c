#include "protocol/analysis/analysis_engine.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/timed_wait.h"
#include "protocol/analysis/analysis_reply.h"

Status analysis_engine_init(AnalysisEngine *engine, const AnalysisSetup *setup, Error *err) {
    pthread_condattr_t attributes;
    *engine = (AnalysisEngine){.setup = *setup};
    pthread_mutex_init(&engine->lock, NULL);
    pthread_mutex_init(&engine->write_lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&engine->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    size_t count = (size_t)setup->threads * (size_t)analysis_setup_places(setup);
    Status status = mem_new(count, sizeof *engine->active, &engine->active, err);
    engine->active_count = status ? 0 : (int)count;
    return status;
}

void analysis_engine_close(AnalysisEngine *engine) {
    pthread_mutex_lock(&engine->lock);
    atomic_store_explicit(&engine->closing, true, memory_order_release);
    for (int i = 0; i < engine->active_count; i++)
        atomic_store_explicit(&engine->active[i].terminated, true, memory_order_relaxed);
    pthread_cond_broadcast(&engine->changed);
    pthread_mutex_unlock(&engine->lock);
}

/* A worker that sees true also sees what the closing thread has written to queries before, such as
 * that their clients have left. */
bool analysis_engine_is_closing(const AnalysisEngine *engine) {
    return atomic_load_explicit(&engine->closing, memory_order_acquire);
}

static void drop_heap(TaskHeap *heap) {
    for (size_t i = 0; i < heap->count; i++)
        query_release(heap->tasks[i].query);
    free(heap->tasks);
}

void analysis_engine_clear(AnalysisEngine *engine) {
    for (size_t i = 0; i < engine->client_count; i++)
        drop_heap(&engine->clients[i].heap);
    free(engine->clients);
    free(engine->active);
    pthread_cond_destroy(&engine->changed);
    pthread_mutex_destroy(&engine->write_lock);
    pthread_mutex_destroy(&engine->lock);
}

/* Publishes the number of waiting tasks to threads that do not hold the lock. Called after each
 * change of a heap, with the lock held. */
static void note_waiting(AnalysisEngine *engine) {
    size_t count = 0;
    for (size_t i = 0; i < engine->client_count; i++)
        count += engine->clients[i].heap.count;
    atomic_store_explicit(&engine->waiting_count, (int)count, memory_order_relaxed);
}

/* Returns NULL if the client has sent no query. The caller holds the lock. */
static ClientTasks *find_client(AnalysisEngine *engine, const AnalysisClient *client) {
    for (size_t i = 0; i < engine->client_count; i++) {
        if (engine->clients[i].client == client) return &engine->clients[i];
    }
    return NULL;
}

static Status add_client(AnalysisEngine *engine, AnalysisClient *client, ClientTasks **out,
                         Error *err) {
    *out = find_client(engine, client);
    if (*out) return OK;
    Status status = mem_grow(&engine->clients, &engine->client_capacity, engine->client_count + 1,
                             sizeof *engine->clients, err);
    if (status) return status;
    *out = &engine->clients[engine->client_count++];
    **out = (ClientTasks){.client = client};
    return OK;
}

/* Returns how much memory a query takes until its last answer. The answers that its tasks give
 * when they are terminated count too, since they are all written together. */
static size_t count_bytes(const AnalysisQuery *query, size_t wanted) {
    enum { ANSWER_BYTES = 128 };
    return sizeof *query + (query->avoid ? sizeof *query->avoid : 0) +
           (size_t)(query->stone_count + query->move_count) * sizeof(Move) +
           (size_t)query->move_count * (sizeof(bool) + sizeof(int64_t)) +
           wanted * (sizeof(AnalysisTask) + ANSWER_BYTES + strlen(query->id));
}

Status analysis_enqueue(AnalysisEngine *engine, AnalysisQuery *query, Error *err) {
    size_t wanted = 0;
    ClientTasks *tasks;
    for (int turn = 0; turn <= query->move_count; turn++)
        wanted += query->wanted_turns[turn];
    pthread_mutex_lock(&engine->lock);
    Status status = add_client(engine, query->client, &tasks, err);
    if (!status) status = task_heap_reserve(&tasks->heap, wanted, err);
    for (int turn = 0; turn <= query->move_count && !status; turn++) {
        if (!query->wanted_turns[turn]) continue;
        task_heap_push(&tasks->heap, (AnalysisTask){query_hold(query), turn,
                                                    query->priorities[turn], engine->sequence++});
        query->client->pending++;
    }
    if (!status && wanted) {
        query->unfinished = (int)wanted;
        query->bytes = count_bytes(query, wanted);
        query->client->query_bytes += query->bytes;
    }
    note_waiting(engine);
    pthread_cond_broadcast(&engine->changed);
    pthread_mutex_unlock(&engine->lock);
    return status;
}

/* Returns the client whose turn it is. Among the clients with a task that can be searched, this is
 * the client from which no task has been taken for the longest time. If `single` is true, only
 * clients with a single unanswered task count. Returns NULL if there is no such client. The caller
 * holds the lock. */
static ClientTasks *next_client(AnalysisEngine *engine, bool single) {
    ClientTasks *next = NULL;
    for (size_t i = 0; i < engine->client_count; i++) {
        ClientTasks *tasks = &engine->clients[i];
        if (!tasks->heap.count || analysis_client_is_behind(tasks->client)) continue;
        if (single && tasks->client->pending > 1) continue;
        if (!next || tasks->last_taken < next->last_taken) next = tasks;
    }
    return next;
}

void analysis_wait_for_change(AnalysisEngine *engine) {
    enum { WAIT_MS = 50 };
    timed_wait(&engine->changed, &engine->lock, CLOCK_MONOTONIC, WAIT_MS);
}

void analysis_wait_for_task(AnalysisEngine *engine) {
    pthread_mutex_lock(&engine->lock);
    while (!next_client(engine, false) && !analysis_engine_is_closing(engine)) {
        if (atomic_load_explicit(&engine->waiting_count, memory_order_relaxed))
            analysis_wait_for_change(engine); /* all tasks are of clients that do not read */
        else
            pthread_cond_wait(&engine->changed, &engine->lock);
    }
    pthread_mutex_unlock(&engine->lock);
}

bool analysis_take_task(AnalysisEngine *engine, ActiveTask *active_task, bool extra) {
    pthread_mutex_lock(&engine->lock);
    ClientTasks *tasks = analysis_engine_is_closing(engine) ? NULL : next_client(engine, extra);
    bool found = tasks && task_heap_pop(&tasks->heap, &active_task->task);
    if (found) tasks->last_taken = ++engine->taken_count;
    note_waiting(engine);
    if (found) atomic_store_explicit(&active_task->terminated, false, memory_order_relaxed);
    pthread_mutex_unlock(&engine->lock);
    return found;
}

/* Marks the client's tasks that workers are searching and for which matches(context, task) is true.
 * The caller holds the lock. */
static void terminate_active(AnalysisEngine *engine, const AnalysisClient *client,
                             bool (*matches)(const void *context, const AnalysisTask *task),
                             const void *context) {
    for (int i = 0; i < engine->active_count; i++) {
        ActiveTask *active_task = &engine->active[i];
        const AnalysisQuery *query = active_task->task.query;
        if (query && query->client == client && matches(context, &active_task->task))
            atomic_store_explicit(&active_task->terminated, true, memory_order_relaxed);
    }
}

Status analysis_terminate(AnalysisEngine *engine, const AnalysisClient *client,
                          bool (*matches)(const void *context, const AnalysisTask *task),
                          const void *context, Error *err) {
    AnalysisTask *taken = NULL;
    size_t count = 0;
    Status status = OK;
    pthread_mutex_lock(&engine->lock);
    ClientTasks *tasks = find_client(engine, client);
    if (tasks) status = task_heap_take(&tasks->heap, matches, context, &taken, &count, err);
    note_waiting(engine);
    terminate_active(engine, client, matches, context);
    pthread_mutex_unlock(&engine->lock);
    for (size_t i = 0; i < count; i++)
        analysis_finish_task(engine, &taken[i],
                             reply_without_results(taken[i].query, taken[i].turn));
    free(taken);
    return status;
}

static bool is_any(const void *context, const AnalysisTask *task) {
    (void)context, (void)task;
    return true;
}

/* This function must not fail, since no task may outlive its client. So it allocates no memory. */
void analysis_drop_client(AnalysisEngine *engine, AnalysisClient *client) {
    TaskHeap dropped = {0};
    pthread_mutex_lock(&engine->write_lock); /* now no answer is written to the client */
    pthread_mutex_lock(&engine->lock);
    ClientTasks *tasks = find_client(engine, client);
    if (tasks) {
        dropped = tasks->heap;
        *tasks = engine->clients[--engine->client_count];
    }
    note_waiting(engine);
    terminate_active(engine, client, is_any, NULL);
    for (int i = 0; i < engine->active_count; i++) {
        AnalysisQuery *query = engine->active[i].task.query;
        if (query && query->client == client) query->client = NULL;
    }
    client->pending = 0;
    client->query_bytes = 0;
    pthread_mutex_unlock(&engine->lock);
    pthread_mutex_unlock(&engine->write_lock);
    drop_heap(&dropped);
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

bool analysis_wants_report(AnalysisEngine *engine, const AnalysisQuery *query) {
    pthread_mutex_lock(&engine->lock);
    bool wants = query->client && !analysis_client_is_behind(query->client);
    pthread_mutex_unlock(&engine->lock);
    return wants;
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
    query->unfinished--;
    if (query->client) {
        if (!query->unfinished) query->client->query_bytes -= query->bytes;
        if (--query->client->pending == 0) pthread_cond_broadcast(&engine->changed);
    }
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
    AnalysisTask *tasks = NULL;
    size_t count = 0;
    pthread_mutex_lock(&engine->lock);
    bool first = !query->refused;
    query->refused = true;
    ClientTasks *of_client = find_client(engine, query->client);
    /* If there is no memory for the list of tasks, the tasks stay in the heap. A worker that takes
     * one of them later drops it. */
    if (of_client)
        (void)!task_heap_take(&of_client->heap, is_of_query, query, &tasks, &count, NULL);
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
