#include "protocol/analysis/analysis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "protocol/analysis/analysis_action.h"
#include "protocol/analysis/analysis_engine.h"
#include "protocol/analysis/analysis_id.h"
#include "protocol/analysis/analysis_worker.h"
#include "protocol/analysis/query/query_parse.h"
#include "protocol/session/line_reader.h"
#include "protocol/session/line_writer.h"

enum { ECHO_MAX = 1000 };

struct Analysis {
    AnalysisEngine engine;
    AnalysisWorker **workers;
    int worker_count;
};

static void refuse_line(AnalysisEngine *engine, AnalysisClient *client, const char *text,
                        const char *line) {
    StrBuf whole = {0};
    strbuf_addf(&whole, "%s%.*s%s", text, ECHO_MAX, line, strlen(line) > ECHO_MAX ? "..." : "");
    analysis_write(engine, client, analysis_error(NULL, NULL, strbuf_text(&whole)));
    strbuf_clear(&whole);
}

static void refuse_long_line(AnalysisEngine *engine, AnalysisClient *client, const char *line) {
    char text[80];
    json_t *id = analysis_find_id(line);
    snprintf(text, sizeof text, "the line is longer than %d bytes and was not read",
             LINE_READER_MAX);
    analysis_write(engine, client, analysis_error(json_string_value(id), NULL, text));
    json_decref(id);
}

static void enqueue_query(AnalysisEngine *engine, AnalysisClient *client, json_t *object) {
    QueryFault fault;
    Error err = {0};
    json_t *warnings = json_array(), *warning;
    size_t index;
    const char *id = json_string_value(json_object_get(object, "id"));
    AnalysisQuery *query = query_parse(&engine->setup, object, warnings, &fault);
    json_array_foreach(warnings, index, warning)
        analysis_write(engine, client, json_incref(warning));
    json_decref(warnings);
    if (!query)
        analysis_write(engine, client,
                       analysis_error(id, fault.field, fault.text ? fault.text : "no memory"));
    free(fault.text);
    if (!query) return;
    query->client = client;
    if (analysis_enqueue(engine, query, &err))
        analysis_write(engine, client, analysis_error(id, "id", err.message));
    query_release(query);
}

void analysis_line(Analysis *analysis, AnalysisClient *client, const char *line) {
    AnalysisEngine *engine = &analysis->engine;
    json_t *object;
    Error err = {0};
    if (strlen(line) > LINE_READER_MAX) {
        refuse_long_line(engine, client, line);
        return;
    }
    while (*line == ' ' || *line == '\t' || *line == '\r')
        line++;
    if (!*line) return;
    if (json_parse(line, strlen(line), &object, &err)) {
        strncat(err.message, " - could not parse input line as json request: ",
                sizeof err.message - strlen(err.message) - 1);
        refuse_line(engine, client, err.message, line);
        return;
    }
    const char *action = json_string_value(json_object_get(object, "action"));
    if (!json_is_object(object))
        refuse_line(engine, client,
                    "Request line was valid json but was not an object, ignoring: ", line);
    else if (!json_is_string(json_object_get(object, "id")))
        refuse_line(engine, client, "Request must have a string \"id\" field", "");
    else if (action)
        analysis_act(engine, client, action, object);
    else
        enqueue_query(engine, client, object);
    json_decref(object);
}

Status analysis_new(const AnalysisSetup *setup, Analysis **out, Error *err) {
    Analysis *analysis;
    *out = NULL;
    if (setup->threads < 1 || setup->positions_at_once < 1)
        return fail(err, ERR_ARGUMENT,
                    "%d threads with %d positions each, expected at least 1 of both",
                    setup->threads, setup->positions_at_once);
    Status status = mem_new(1, sizeof *analysis, &analysis, err);
    if (status) return status;
    AnalysisEngine *engine = &analysis->engine;
    status = analysis_engine_init(engine, setup, err);
    size_t threads = (size_t)setup->threads;
    if (!status) status = mem_new(threads, sizeof *analysis->workers, &analysis->workers, err);
    for (int i = 0; i < setup->threads && !status; i++) {
        status = analysis_worker_new(
            engine, engine->active + (size_t)i * (size_t)analysis_setup_places(setup),
            &analysis->workers[i], err);
        analysis->worker_count += !status;
    }
    if (status)
        analysis_free(analysis);
    else
        *out = analysis;
    return status;
}

void analysis_free(Analysis *analysis) {
    if (!analysis) return;
    analysis_engine_close(&analysis->engine);
    for (int i = 0; i < analysis->worker_count; i++)
        analysis_worker_free(analysis->workers[i]);
    free(analysis->workers);
    analysis_engine_clear(&analysis->engine);
    free(analysis);
}

Status analysis_wait(Analysis *analysis, const AnalysisClient *client, Error *err) {
    AnalysisEngine *engine = &analysis->engine;
    pthread_mutex_lock(&engine->lock);
    while (client->pending && !stop_requested() && !analysis_client_is_broken(client))
        analysis_wait_for_change(engine);
    pthread_mutex_unlock(&engine->lock);
    /* After a request to stop, `write` fails, and the client counts as broken. So test first for
     * the request. */
    if (stop_requested()) return fail(err, ERR_STOPPED, "stopped");
    if (analysis_client_is_broken(client))
        return fail(err, ERR_IO, "the client does not read its answers any more");
    return OK;
}

void analysis_leave(Analysis *analysis, AnalysisClient *client) {
    analysis_drop_client(&analysis->engine, client);
}

bool analysis_has_room(Analysis *analysis, const AnalysisClient *client) {
    AnalysisEngine *engine = &analysis->engine;
    pthread_mutex_lock(&engine->lock);
    bool has_room = client->query_bytes <= CLIENT_QUERY_BYTES_MAX;
    pthread_mutex_unlock(&engine->lock);
    return has_room && !analysis_client_is_far_behind(client);
}

int analysis_pending(Analysis *analysis, const AnalysisClient *client) {
    AnalysisEngine *engine = &analysis->engine;
    pthread_mutex_lock(&engine->lock);
    int pending = client->pending;
    pthread_mutex_unlock(&engine->lock);
    return pending;
}

AnalysisWork analysis_work(Analysis *analysis) {
    AnalysisEngine *engine = &analysis->engine;
    pthread_mutex_lock(&engine->lock);
    AnalysisWork work = {.waiting =
                             atomic_load_explicit(&engine->waiting_count, memory_order_relaxed),
                         .searches = (int64_t)engine->taken_count};
    pthread_mutex_unlock(&engine->lock);
    return work;
}

bool analysis_line_ahead(Analysis *analysis, AnalysisClient *client, const char *line) {
    json_t *object;
    if (!strstr(line, "\"terminate") || strlen(line) > LINE_READER_MAX ||
        json_parse(line, strlen(line), &object, NULL))
        return false;
    bool terminates = analysis_act_ahead(&analysis->engine, client, object);
    json_decref(object);
    return terminates;
}

static bool write_line(void *context, const char *line, size_t length) {
    return line_writer_put(context, line, length);
}

static size_t unread_bytes(const void *context) {
    return line_writer_unread(context);
}

typedef struct {
    Analysis *analysis;
    AnalysisClient *client;
    int terminations; /* terminate actions that line_reader_look_ahead() has carried out */
} Service;

static bool look_ahead(void *context, const char *line) {
    enum { TERMINATIONS_MAX = 64 }; /* each walks through all positions that wait */
    Service *service = context;
    if (service->terminations >= TERMINATIONS_MAX) return true;
    bool terminates = analysis_line_ahead(service->analysis, service->client, line);
    service->terminations += terminates;
    return terminates;
}

/* Waits until more of the client's lines can be read. Returns false if it must not wait longer. */
static bool wait_for_room(Analysis *analysis, AnalysisClient *client, LineReader *reader) {
    AnalysisEngine *engine = &analysis->engine;
    while (!stop_requested() && !analysis_client_is_broken(client)) {
        if (analysis_has_room(analysis, client)) return true;
        Service service = {analysis, client, 0};
        line_reader_look_ahead(reader, look_ahead, &service);
        pthread_mutex_lock(&engine->lock);
        analysis_wait_for_change(engine);
        pthread_mutex_unlock(&engine->lock);
    }
    return false;
}

/* Handles lines until the end of the input. If `waits`, it then waits for all answers. */
static Status serve_lines(Analysis *analysis, AnalysisClient *client, LineReader *reader,
                          bool waits, Error *err) {
    Status status = OK;
    for (char *line;
         wait_for_room(analysis, client, reader) && (line = line_reader_next(reader));) {
        analysis_line(analysis, client, line);
        free(line);
    }
    if (waits || analysis_client_is_broken(client)) status = analysis_wait(analysis, client, err);
    if (!status && stop_requested()) status = fail(err, ERR_STOPPED, "stopped");
    analysis_leave(analysis, client);
    return status;
}

Status analysis_serve(Analysis *analysis, int input, int output, bool waits, Error *err) {
    LineReader *reader;
    LineWriter *writer;
    Status status = line_writer_new(output, &writer, err);
    if (status) return status;
    AnalysisClient client = {.write = write_line, .unread_bytes = unread_bytes, .context = writer};
    status = line_reader_new(input, NULL, &reader, err);
    if (!status) status = serve_lines(analysis, &client, reader, waits, err);
    Status written = line_writer_finish(writer, status ? NULL : err);
    line_writer_free(writer);
    line_reader_free(reader);
    return status ? status : written;
}
