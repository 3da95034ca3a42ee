#include "protocol/session/param.h"

#include <math.h>
#include <stdlib.h>

#include "search/core/search.h"

#define GTP "KataGo, docs/GTP_Extensions.md"
#define TIME_UNLIMITED 1e20

const SettingsField MOVE_LIMIT_FIELDS[] = {
    FIELD_INT64(MoveLimits, max_visits, PARAM_UNLIMITED, 1, PARAM_UNLIMITED,
                "maximum visits of the root in the search for a move", .source = GTP,
                .alias = "maxVisits"),
    FIELD_INT64(MoveLimits, max_playouts, PARAM_UNLIMITED, 1, PARAM_UNLIMITED,
                "maximum playouts (visits that the search adds) for a move", .source = GTP,
                .alias = "maxPlayouts"),
    FIELD_DOUBLE(MoveLimits, max_time, TIME_UNLIMITED, 0, TIME_UNLIMITED,
                 "maximum time of the search for a move, seconds; 0: no limit", .source = GTP,
                 .alias = "maxTime"),
    {0},
};

const SettingsField PLAY_THREADS_FIELDS[] = {
    FIELD_INT(PlayThreads, threads, 1, 1, SEARCH_THREADS_MAX, "threads that search the tree",
              .source = GTP, .alias = "numSearchThreads"),
    {0},
};

int64_t param_limit(int64_t count) {
    return (double)count >= PARAM_UNLIMITED ? 0 : count;
}

void move_limits_set(MoveLimits *limits, int64_t visits, double seconds) {
    limits->max_visits = visits ? visits : (int64_t)PARAM_UNLIMITED;
    if (!limits->max_playouts) limits->max_playouts = (int64_t)PARAM_UNLIMITED;
    limits->max_time = seconds > 0 ? seconds : TIME_UNLIMITED;
}

int64_t move_limits_visits(const MoveLimits *limits) {
    return param_limit(limits->max_visits);
}

double move_limits_seconds(const MoveLimits *limits) {
    double seconds = (double)limits->max_time;
    return seconds >= TIME_UNLIMITED / 10 ? 0 : seconds;
}

bool param_text(const json_t *value, StrBuf *out) {
    if (json_is_string(value)) {
        strbuf_add(out, json_string_value(value));
        return true;
    }
    if (!json_is_number(value) && !json_is_boolean(value)) return false;
    if (json_is_real(value) && json_real_value(value) == floor(json_real_value(value))) {
        strbuf_add(out,
                   number_text(json_real_value(value)).text); /* integer settings accept 400.0 */
        return true;
    }
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
    if (text) strbuf_add(out, text);
    free(text);
    return text != NULL;
}
