#include "serve/page/page_analysis.h"

#include <stdlib.h>

#include "base/memory.h"

enum { UNSENT_BYTES_MAX = 1 << 20 }; /* above it, a page gets no reports and no new searches */

/* AnalysisClient.write. */
static bool write_answer(void *context, const char *line, size_t length) {
    PageSocket *socket = context;
    StrBuf text = {0};
    strbuf_add(&text, "{\"answer\":");
    strbuf_add_bytes(&text, line, length);
    strbuf_add(&text, "}");
    bool accepted = !strbuf_status(&text, NULL) &&
                    socket->setup.send(socket->setup.connection, text.text, text.length);
    strbuf_clear(&text);
    return accepted;
}

static size_t unread_bytes(const void *context) {
    const PageSocket *socket = context;
    return socket->setup.unsent(socket->setup.connection);
}

/* Finds the page among the clients of the engine, or makes it one. NULL: no memory. */
static EngineClient *get_client(PageSocket *socket, const Engine *engine) {
    PageEngine *used;
    for (used = socket->engines; used; used = used->next) {
        if (used->engine == engine) return &used->client;
    }
    if (mem_new(1, sizeof *used, &used, NULL)) return NULL;
    used->engine = engine;
    used->client.client = (AnalysisClient){.write = write_answer,
                                           .unread_bytes = unread_bytes,
                                           .unread_bytes_max = UNSENT_BYTES_MAX,
                                           .context = socket};
    used->next = socket->engines;
    socket->engines = used;
    return &used->client;
}

/* A side of the board of a query; 0: the query has none that makes sense. */
static int query_side(const json_t *query, const char *key) {
    json_int_t side = json_integer_value(json_object_get(query, key));
    return side > 0 && side <= BOARD_SIDE_MAX ? (int)side : 0;
}

static json_t *op_analysis(PageRequest *request) {
    PageSocket *socket = request->socket;
    json_t *query = json_object_get(request->object, "query");
    Engine *engine = page_request_engine(request, query_side(query, "boardXSize"),
                                         query_side(query, "boardYSize"));
    if (!engine) return NULL;
    if (!json_is_object(query)) {
        fault_set(&request->fault, "bad_field", "query",
                  "The member must be a query of KataGo's analysis engine, without id.");
        return NULL;
    }
    EngineClient *client = get_client(socket, engine);
    json_object_set_new(query, "id", json_string(request->id));
    char *line = client ? json_dumps(query, JSON_COMPACT) : NULL;
    LineAnswer answer = line ? engine_line(engine, client, line, &request->fault) : LINE_REFUSED;
    request->has_no_room = answer == LINE_WAITS;
    request->answers_later = answer == LINE_TAKEN;
    free(line);
    return NULL;
}

static json_t *op_analysis_stop(PageRequest *request) {
    PageSocket *socket = request->socket;
    const char *target = page_request_text(request, "target");
    if (!target) return NULL;
    json_t *action =
        json_pack("{s:s,s:s,s:s}", "id", "", "action", "terminate", "terminateId", target);
    char *line = action ? json_dumps(action, JSON_COMPACT) : NULL;
    /* The line ends the searches as the action "terminate" of the protocol does, but the engine
     * does not answer the line. */
    for (PageEngine *used = socket->engines; used && line; used = used->next)
        engine_stop(&used->client, line);
    free(line);
    json_decref(action);
    return page_ok();
}

const PageOp PAGE_ANALYSIS_OPS[] = {
    {"analysis", op_analysis}, {"analysis.stop", op_analysis_stop}, {0}};

void page_analysis_leave(PageSocket *socket) {
    for (PageEngine *used = socket->engines, *next; used; used = next) {
        next = used->next;
        engine_leave(&used->client);
        free(used);
    }
    socket->engines = NULL;
}
