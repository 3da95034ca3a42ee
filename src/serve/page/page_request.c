#include "serve/page/page_request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { PAGE_JOBS_MAX = 100 }; /* requests of a page that wait for the thread of the jobs */

void page_send(PageSocket *socket, json_t *object) {
    static const char NO_MEMORY[] =
        "{\"id\":null,\"error\":{\"code\":\"no_memory\",\"message\":\"The server has no memory for "
        "an answer.\"}}";
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    const char *sent = text ? text : NO_MEMORY;
    /* If this returns false, the connection is closed anyway. */
    (void)socket->setup.send(socket->setup.connection, sent, strlen(sent));
    free(text);
    json_decref(object);
}

void page_refuse(PageSocket *socket, const char *id, const Fault *fault) {
    json_t *answer = json_pack("{s:o}", "error", fault_json(fault));
    if (answer) json_object_set_new(answer, "id", id ? json_string(id) : json_null());
    page_send(socket, answer);
}

json_t *page_ok(void) {
    return json_pack("{s:b}", "ok", true);
}

const char *page_request_text(PageRequest *request, const char *field) {
    const char *text = json_string_value(json_object_get(request->object, field));
    if (!text) fault_set(&request->fault, "bad_field", field, "The member must be a text.");
    return text;
}

bool page_request_integer(PageRequest *request, const char *field, bool wanted, int min, int max,
                          int *out) {
    const json_t *value = json_object_get(request->object, field);
    if (!value && !wanted) return true;
    json_int_t integer = json_integer_value(value);
    if (!json_is_integer(value) || integer < min || integer > max)
        return fault_set(&request->fault, "bad_field", field,
                         "The member must be an integer from %d to %d.", min, max);
    *out = (int)integer;
    return true;
}

Engine *page_request_engine(PageRequest *request, int width, int height) {
    const json_t *net = json_object_get(request->object, "net");
    const char *id = net && !json_is_null(net) ? page_request_text(request, "net") : NULL;
    if (request->fault.code) return NULL;
    if (id && !*id) {
        fault_set(&request->fault, "bad_field", "net",
                  "net is empty: give the id of a net, or leave net out for the one that fits the "
                  "board.");
        return NULL;
    }
    Engines *engines = request->socket->setup.engines;
    Engine *engine = id ? engines_find(engines, id) : engines_fitting(engines, width, height);
    if (!engine) fault_set(&request->fault, "no_net", "net", "This server has no net %.100s.", id);
    return engine;
}

static void run_job(void *argument) {
    PageJob *job = argument;
    job->answer = job->work(job, &job->fault);
}

/* Answers the request, if the page is still there. */
static void end_job(void *argument, bool done) {
    PageJob *job = argument;
    PageSocket *socket = job->socket;
    if (socket) {
        PageJob **at = &socket->jobs;
        while (*at != job)
            at = &(*at)->next;
        *at = job->next;
        socket->job_count--;
    }
    if (socket && done && job->fault.code) {
        page_refuse(socket, job->id, &job->fault);
    } else if (socket && done) {
        if (job->answer) json_object_set_new(job->answer, "id", json_string(job->id));
        page_send(socket, job->answer);
        job->answer = NULL;
    }
    json_decref(job->request);
    json_decref(job->answer);
    free(job);
}

json_t *page_request_defer(PageRequest *request, const Path *file,
                           json_t *(*work)(const PageJob *job, Fault *fault)) {
    PageSocket *socket = request->socket;
    PageJob *own;
    if (socket->job_count == PAGE_JOBS_MAX) {
        fault_set(&request->fault, "too_many_requests", NULL,
                  "The server has too many requests of this page that wait for the disk.");
        return NULL;
    }
    if (mem_new(1, sizeof *own, &own, NULL)) return NULL;
    *own = (PageJob){.socket = socket,
                     .file = file ? *file : (Path){""},
                     .request = json_deep_copy(request->object),
                     .runs = socket->setup.runs,
                     .work = work};
    snprintf(own->id, sizeof own->id, "%s", request->id);
    if (!own->request || jobs_put(socket->setup.jobs, &(Job){run_job, end_job, own}, NULL)) {
        json_decref(own->request);
        free(own);
        return NULL;
    }
    own->next = socket->jobs;
    socket->jobs = own;
    socket->job_count++;
    request->answers_later = true;
    return NULL;
}
