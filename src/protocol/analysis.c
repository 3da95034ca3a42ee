#include "protocol/analysis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "protocol/analysis_private.h"
#include "protocol/line_reader.h"
#include "protocol/line_writer.h"

enum { ECHO_MOST = 1000, WAIT_MS = 50 };

/* Takes `answer`; NULL: no memory. */
static char *text_of(json_t *answer) {
    char *text =
        answer ? json_dumps(answer, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(answer);
    return text ? text : strdup("{\"error\":\"no memory for an answer\"}");
}

static bool is_broken(const AnalysisClient *client) {
    return atomic_load_explicit(&client->broken, memory_order_relaxed);
}

/* While `writing` is held. */
static void put(AnalysisClient *client, const char *text) {
    if (is_broken(client)) return;
    if (!text || !client->write(client->context, text, strlen(text)))
        atomic_store_explicit(&client->broken, true, memory_order_relaxed);
}

void analysis_write(Analysis *analysis, AnalysisClient *client, json_t *answer) {
    char *text = text_of(answer);
    pthread_mutex_lock(&analysis->writing);
    put(client, text);
    pthread_mutex_unlock(&analysis->writing);
    free(text);
}

void analysis_answer(Analysis *analysis, const AnalysisQuery *query, json_t *answer) {
    char *text = text_of(answer);
    pthread_mutex_lock(&analysis->writing); /* the client stays until it is written */
    pthread_mutex_lock(&analysis->lock);
    AnalysisClient *client = query->client;
    pthread_mutex_unlock(&analysis->lock);
    if (client) put(client, text);
    pthread_mutex_unlock(&analysis->writing);
    free(text);
}

void analysis_end(Analysis *analysis, AnalysisTask *task, json_t *answer) {
    AnalysisQuery *query = task->query;
    analysis_answer(analysis, query, answer);
    pthread_mutex_lock(&analysis->lock);
    *task = (AnalysisTask){0};
    if (query->client && --query->client->pending == 0) pthread_cond_broadcast(&analysis->changed);
    pthread_mutex_unlock(&analysis->lock);
    query_release(query);
}

/* The text as far as it is UTF-8; other bytes become '?'. */
static json_t *text_value(const char *text) {
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
    json_object_set_new(error, "error", text_value(text));
    if (field) json_object_set_new(error, "field", json_string(field));
    if (id) json_object_set_new(error, "id", json_string(id));
    return error;
}

static void refuse(Analysis *analysis, AnalysisClient *client, const char *text, const char *line) {
    StrBuf whole = {0};
    strbuf_addf(&whole, "%s%.*s%s", text, ECHO_MOST, line, strlen(line) > ECHO_MOST ? "..." : "");
    analysis_write(analysis, client, analysis_error(NULL, NULL, strbuf_text(&whole)));
    strbuf_clear(&whole);
}

static void refuse_long(Analysis *analysis, AnalysisClient *client, const char *line) {
    char text[80];
    json_t *id = analysis_find_id(line);
    snprintf(text, sizeof text, "the line is longer than %d bytes, and is not read",
             LINE_READER_MOST);
    analysis_write(analysis, client, analysis_error(json_string_value(id), NULL, text));
    json_decref(id);
}

/* All wanted turns of a query, or none. */
static Status enqueue(Analysis *analysis, AnalysisQuery *query, Error *err) {
    size_t wanted = 0;
    for (int turn = 0; turn <= query->move_count; turn++)
        wanted += query->wanted_turns[turn];
    pthread_mutex_lock(&analysis->lock);
    Status status = task_heap_reserve(&analysis->heap, wanted, err);
    for (int turn = 0; turn <= query->move_count && !status; turn++) {
        if (!query->wanted_turns[turn]) continue;
        task_heap_push(
            &analysis->heap,
            (AnalysisTask){query_hold(query), turn, query->priorities[turn], analysis->sequence++});
        query->client->pending++;
    }
    atomic_store_explicit(&analysis->waiting, (int)analysis->heap.count, memory_order_relaxed);
    pthread_cond_broadcast(&analysis->changed);
    pthread_mutex_unlock(&analysis->lock);
    return status;
}

static void take_query(Analysis *analysis, AnalysisClient *client, json_t *object) {
    QueryFault fault;
    Error err = {0};
    json_t *warnings = json_array(), *warning;
    size_t index;
    const char *id = json_string_value(json_object_get(object, "id"));
    AnalysisQuery *query = query_parse(&analysis->setup, object, warnings, &fault);
    json_array_foreach(warnings, index, warning)
        analysis_write(analysis, client, json_incref(warning));
    json_decref(warnings);
    if (!query)
        analysis_write(analysis, client,
                       analysis_error(id, fault.field, fault.text ? fault.text : "no memory"));
    free(fault.text);
    if (!query) return;
    query->client = client;
    if (enqueue(analysis, query, &err))
        analysis_write(analysis, client, analysis_error(id, "id", err.message));
    query_release(query);
}

void analysis_line(Analysis *analysis, AnalysisClient *client, const char *line) {
    json_t *object;
    Error err = {0};
    if (strlen(line) > LINE_READER_MOST) {
        refuse_long(analysis, client, line);
        return;
    }
    while (*line == ' ' || *line == '\t' || *line == '\r')
        line++;
    if (!*line) return;
    if (json_parse(line, strlen(line), &object, &err)) {
        strncat(err.message, " - could not parse input line as json request: ",
                sizeof err.message - strlen(err.message) - 1);
        refuse(analysis, client, err.message, line);
        return;
    }
    const char *action = json_string_value(json_object_get(object, "action"));
    if (!json_is_object(object))
        refuse(analysis, client,
               "Request line was valid json but was not an object, ignoring: ", line);
    else if (!json_is_string(json_object_get(object, "id")))
        refuse(analysis, client, "Request must have a string \"id\" field", "");
    else if (action)
        analysis_act(analysis, client, action, object);
    else
        take_query(analysis, client, object);
    json_decref(object);
}

Status analysis_new(const AnalysisSetup *setup, Analysis **out, Error *err) {
    Analysis *analysis;
    *out = NULL;
    if (setup->threads < 1 || setup->positions_at_once < 1)
        return fail(err, ERR_ARGUMENT, "%d threads with %d positions each", setup->threads,
                    setup->positions_at_once);
    Status status = mem_new(1, sizeof *analysis, &analysis, err);
    if (status) return status;
    analysis->setup = *setup;
    pthread_mutex_init(&analysis->lock, NULL);
    pthread_mutex_init(&analysis->writing, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&analysis->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    status = mem_new((size_t)setup->threads, sizeof *analysis->workers, &analysis->workers, err);
    pthread_mutex_lock(&analysis->lock); /* nobody looks at the workers yet */
    for (int i = 0; i < setup->threads && !status; i++) {
        status = analysis_worker_new(analysis, &analysis->workers[i], err);
        analysis->worker_count += !status;
    }
    pthread_mutex_unlock(&analysis->lock);
    if (status)
        analysis_free(analysis);
    else
        *out = analysis;
    return status;
}

void analysis_free(Analysis *analysis) {
    if (!analysis) return;
    pthread_mutex_lock(&analysis->lock);
    atomic_store_explicit(&analysis->closing, true, memory_order_relaxed);
    pthread_cond_broadcast(&analysis->changed);
    pthread_mutex_unlock(&analysis->lock);
    for (int i = 0; i < analysis->worker_count; i++)
        analysis_worker_free(analysis->workers[i]);
    for (size_t i = 0; i < analysis->heap.count; i++)
        query_release(analysis->heap.tasks[i].query);
    free(analysis->heap.tasks);
    free(analysis->workers);
    pthread_cond_destroy(&analysis->changed);
    pthread_mutex_destroy(&analysis->writing);
    pthread_mutex_destroy(&analysis->lock);
    free(analysis);
}

/* A while at most: a signal wakes nobody. */
static void wait_a_while(Analysis *analysis) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += WAIT_MS * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000L;
    }
    pthread_cond_timedwait(&analysis->changed, &analysis->lock, &until);
}

Status analysis_wait(Analysis *analysis, const AnalysisClient *client, Error *err) {
    pthread_mutex_lock(&analysis->lock);
    while (client->pending && !stop_requested() && !is_broken(client))
        wait_a_while(analysis);
    pthread_mutex_unlock(&analysis->lock);
    if (is_broken(client)) return fail(err, ERR_IO, "the client takes no more answers");
    return stop_requested() ? fail(err, ERR_STOPPED, "told to stop") : OK;
}

static bool is_of_client(const void *client, const AnalysisTask *task) {
    return task->query->client == client;
}

void analysis_leave(Analysis *analysis, AnalysisClient *client) {
    AnalysisTask *dropped;
    pthread_mutex_lock(&analysis->writing); /* no answer is on its way to the client */
    pthread_mutex_lock(&analysis->lock);
    size_t count = task_heap_take(&analysis->heap, is_of_client, client, &dropped);
    atomic_store_explicit(&analysis->waiting, (int)analysis->heap.count, memory_order_relaxed);
    for (size_t i = 0; i < count; i++)
        query_release(dropped[i].query);
    for (int i = 0; i < analysis->worker_count * analysis->setup.positions_at_once; i++) {
        int at_once = analysis->setup.positions_at_once;
        AnalysisSlot *slot = analysis_worker_slot(analysis->workers[i / at_once], i % at_once);
        if (!slot->task.query || slot->task.query->client != client) continue;
        slot->task.query->client = NULL;
        atomic_store_explicit(&slot->given_up, true, memory_order_relaxed);
    }
    client->pending = 0;
    pthread_mutex_unlock(&analysis->lock);
    pthread_mutex_unlock(&analysis->writing);
    free(dropped);
}

static bool write_line(void *context, const char *line, size_t length) {
    return line_writer_put(context, line, length);
}

/* Lines to the end of the input, and what is pending then. */
static Status serve_lines(Analysis *analysis, AnalysisClient *client, LineReader *reader,
                          bool waits, Error *err) {
    Status status = OK;
    for (char *line; !is_broken(client) && (line = line_reader_next(reader));) {
        analysis_line(analysis, client, line);
        free(line);
    }
    if (waits || is_broken(client)) status = analysis_wait(analysis, client, err);
    if (!status && stop_requested()) status = fail(err, ERR_STOPPED, "told to stop");
    analysis_leave(analysis, client);
    return status;
}

Status analysis_serve(Analysis *analysis, int input, int output, bool waits, Error *err) {
    LineReader *reader;
    LineWriter *writer;
    Status status = line_writer_new(output, &writer, err);
    if (status) return status;
    AnalysisClient client = {.write = write_line, .context = writer};
    status = line_reader_new(input, NULL, &reader, err);
    if (!status) status = serve_lines(analysis, &client, reader, waits, err);
    Status written = line_writer_finish(writer, status ? NULL : err);
    line_writer_free(writer);
    line_reader_free(reader);
    return status ? status : written;
}
