#include "protocol/analysis/query/query_parse_search.h"

#include <string.h>

#include "base/memory.h"
#include "protocol/session/restriction.h"
#include "protocol/session/vertex.h"

/* Lists the settings that a query may change, with their tables. */
static void bind_settings(AnalysisQuery *query, SettingsGroup groups[4]) {
    groups[0] = (SettingsGroup){"search", SEARCH_FIELDS, &query->search};
    groups[1] = (SettingsGroup){"analysis", ANALYSIS_FIELDS, &query->analysis};
    groups[2] = (SettingsGroup){"limits", MOVE_LIMIT_FIELDS, &query->analysis.limits};
    groups[3] = (SettingsGroup){0};
}

static bool is_setting(const SettingsGroup *groups, const char *name) {
    StrBuf value = {0};
    bool known = !settings_get(groups, name, &value, NULL);
    strbuf_clear(&value);
    return known;
}

/* Sets one setting of "overrideSettings". Returns false if its value is wrong. */
static bool set_override(QueryReader *reader, const SettingsGroup *groups, const char *name,
                         const json_t *value) {
    StrBuf text = {0};
    Error err = {0};
    Status status =
        param_text(value, &text)
            ? strbuf_status(&text, &err)
            : fail(&err, ERR_ARGUMENT, "%.60s must be a number, a string, true or false", name);
    if (!status) status = settings_set(groups, name, strbuf_text(&text), &err);
    strbuf_clear(&text);
    return !status ||
           reader_fault(reader, "overrideSettings", "Could not set settings: %s", err.message);
}

static bool read_overrides(QueryReader *reader) {
    json_t *overrides = json_object_get(reader->object, "overrideSettings");
    AnalysisQuery *query = reader->query;
    SettingsGroup groups[4];
    StrBuf unknown = {0};
    const char *name;
    json_t *value;
    Error err = {0};
    if (!overrides) return true;
    if (!json_is_object(overrides))
        return reader_fault(reader, "overrideSettings", "Must be an object");
    if (json_object_size(overrides) > QUERY_MEMBERS_MAX)
        return reader_fault(reader, "overrideSettings",
                            "Must have at most %d members, but there are %zu", QUERY_MEMBERS_MAX,
                            json_object_size(overrides));
    bind_settings(query, groups);
    bool ok = true;
    json_object_foreach(overrides, name, value) {
        if (!is_setting(groups, name))
            strbuf_addf(&unknown, "%s%.100s", unknown.length ? "," : "", name);
        else
            ok = ok && set_override(reader, groups, name, value);
    }
    if (json_object_get(overrides, "rootPolicyTemperature") &&
        !json_object_get(overrides, "rootPolicyTemperatureEarly"))
        query->search.root_temperature_early = query->search.root_temperature;
    if (ok && search_settings_check(&query->search, &err))
        ok = reader_fault(reader, "overrideSettings", "Could not set settings: %s", err.message);
    if (ok && unknown.length)
        reader_warn(reader, "overrideSettings", "Unknown config params: %s", strbuf_text(&unknown));
    strbuf_clear(&unknown);
    return ok;
}

static bool read_integer(QueryReader *reader, const char *field, long long min, long long max,
                         const char *wanted, long long *out) {
    const json_t *value = json_object_get(reader->object, field);
    return !value || json_integer_within(value, min, max, out) ||
           reader_fault(reader, field, "%s", wanted);
}

/* Reads a number within min .. max. `*out` keeps its value if there is no such member. */
static bool read_number(QueryReader *reader, const char *field, double min, double max,
                        const char *wanted, double *out) {
    const json_t *value = json_object_get(reader->object, field);
    if (!value) return true;
    double number = json_number_value(value);
    if (!json_is_number(value) || !(number >= min) || !(number <= max))
        return reader_fault(reader, field, "%s", wanted);
    *out = number;
    return true;
}

static bool read_limits(QueryReader *reader) {
    AnalysisQuery *query = reader->query;
    SearchSettings *search = &query->search;
    long long visits = query->analysis.limits.max_visits, length = query->analysis.line_length;
    double reduction = search->fpu.root_reduction, temperature = -1;
    if (!read_integer(reader, "maxVisits", 1, 1LL << 50, "Must be an integer from 1 to 2^50",
                      &visits) ||
        !read_integer(reader, "analysisPVLen", 1, 1000, "Must be an integer from 1 to 1000",
                      &length) ||
        !read_number(reader, "rootFpuReductionMax", 0, 2, "Must be a number from 0.0 to 2.0",
                     &reduction) ||
        !read_number(reader, "rootPolicyTemperature", 0.01, 100,
                     "Must be a number from 0.01 to 100.0", &temperature))
        return false;
    query->analysis.limits.max_visits = visits;
    query->analysis.line_length = (int)length;
    search->fpu.root_reduction = reduction;
    if (temperature > 0) search->root_temperature = search->root_temperature_early = temperature;
    return true;
}

static bool read_flags(QueryReader *reader) {
    AnalysisQuery *query = reader->query;
    const struct {
        const char *field;
        bool *place;
    } FLAGS[] = {{"includeMovesOwnership", &query->moves_ownership},
                 {"includeMovesOwnershipStdev", &query->moves_ownership_stdev},
                 {"includeOwnership", &query->ownership},
                 {"includeOwnershipStdev", &query->ownership_stdev},
                 {"includePolicy", &query->policy},
                 {"includePVVisits", &query->line_visits},
                 {"includeNoResultValue", &query->no_result}};
    for (size_t i = 0; i < sizeof FLAGS / sizeof *FLAGS; i++) {
        const json_t *value = json_object_get(reader->object, FLAGS[i].field);
        if (value && !json_is_boolean(value))
            return reader_fault(reader, FLAGS[i].field, "Must be a boolean");
        *FLAGS[i].place = json_is_true(value);
    }
    return true;
}

static bool read_report_times(QueryReader *reader) {
    AnalysisQuery *query = reader->query;
    static const char WANTED[] = "Must be number of seconds from 0.001 to 1000000.0";
    if (!read_number(reader, "reportDuringSearchEvery", 0.001, 1e6, WANTED, &query->reports.every))
        return false;
    query->reports.first = query->reports.every;
    return read_number(reader, "firstReportDuringSearchAfter", 0.001, 1e6, WANTED,
                       &query->reports.first);
}

static bool read_priority(QueryReader *reader) {
    AnalysisQuery *query = reader->query;
    long long priority = 0, max = 1LL << 62;
    if (!json_object_get(reader->object, "priority")) return true;
    if (json_object_get(reader->object, "priorities"))
        return reader_fault(reader, "priority", "Cannot specify both priority and priorities");
    if (!read_integer(reader, "priority", -max, max, "Must be a number between -2^62 and 2^62",
                      &priority))
        return false;
    for (int i = 0; i <= query->move_count; i++)
        query->priorities[i] = priority;
    return true;
}

/* Reads one object {"player", "moves", "untilDepth"}. */
static bool read_restriction(QueryReader *reader, const char *field, const json_t *value,
                             Restriction *restriction) {
    const AnalysisQuery *query = reader->query;
    const json_t *player = json_object_get(value, "player"),
                 *moves = json_object_get(value, "moves"),
                 *depth = json_object_get(value, "untilDepth"), *move;
    int move_count = query->width * query->height + 1;
    bool marks[MOVES_MAX] = {0}, allow = strcmp(field, "allowMoves") == 0;
    long long until;
    Color color;
    Point point;
    size_t index;
    if (!player || !moves || !depth)
        return reader_fault(reader, field,
                            "Must be a list of dicts with subfields 'player', 'moves', "
                            "'untilDepth'");
    if (!json_is_string(player) || !color_parse(json_string_value(player), &color))
        return reader_fault(reader, "player", "Must be \"b\" or \"w\"");
    if (!json_is_array(moves))
        return reader_fault(reader, "moves", "Must be an array of GTP board vertices");
    json_array_foreach(moves, index, move) {
        const char *text = json_string_value(move);
        if (!text) return reader_fault(reader, "moves", "Must be an array of GTP board vertices");
        if (!vertex_parse(text, query->width, query->height, &point))
            return reader_fault(reader, "moves", "Could not parse board location: %s", text);
        marks[move_index(point, query->width, query->height)] = true;
    }
    if (!json_integer_within(depth, 1, 1000000000, &until))
        return reader_fault(reader, "untilDepth", "Must be a positive integer");
    return restriction_add(restriction, color, marks, move_count, allow, until) ||
           reader_fault(reader, field,
                        "Cannot specify allowMoves more than once for the same player");
}

static bool read_restrictions(QueryReader *reader) {
    const json_t *avoid = json_object_get(reader->object, "avoidMoves"),
                 *allow = json_object_get(reader->object, "allowMoves"), *value;
    const char *field = allow ? "allowMoves" : "avoidMoves";
    Restriction restriction = {0};
    size_t index;
    if (avoid && allow)
        return reader_fault(reader, field, "Cannot specify both allowMoves and avoidMoves");
    if (!avoid && !allow) return true;
    if (!json_is_array(avoid ? avoid : allow))
        return reader_fault(reader, field,
                            "Must be a list of dicts with subfields 'player', 'moves', "
                            "'untilDepth'");
    json_array_foreach(avoid ? avoid : allow, index, value) {
        if (!read_restriction(reader, field, value, &restriction)) return false;
    }
    if (mem_new(1, sizeof *reader->query->avoid, &reader->query->avoid, NULL))
        return reader_fault(reader, "id", "no memory for this query");
    *reader->query->avoid = restriction.avoid;
    return true;
}

/* Keeps the visits below the bound of the engine. */
static void bound_visits(QueryReader *reader) {
    MoveLimits *limits = &reader->query->analysis.limits;
    int64_t max = reader->setup->visits_max, visits = move_limits_visits(limits);
    if (!max || (visits && visits <= max)) return;
    limits->max_visits = max;
    if (json_object_get(reader->object, "maxVisits"))
        reader_warn(reader, "maxVisits", "A search has at most %lld visits here", (long long)max);
}

bool query_parse_search(QueryReader *reader) {
    bool good = read_overrides(reader) && read_limits(reader) && read_flags(reader) &&
                read_report_times(reader) && read_priority(reader) && read_restrictions(reader);
    if (good) bound_visits(reader);
    return good;
}
