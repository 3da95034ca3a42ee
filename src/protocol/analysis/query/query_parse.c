#include "protocol/analysis/query/query_parse.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "protocol/analysis/query/query_parse_position.h"
#include "protocol/analysis/query/query_parse_search.h"

/* Replaces rules that the net does not know by the nearest rules that it knows, with a warning. */
static void adapt_rules(QueryReader *reader) {
    Rules *rules = &reader->query->rules;
    if (!reader->setup->model_format) return;
    Rules known = model_format_rules(reader->setup->model_format, rules);
    if (rules_equal(&known, rules)) return;
    reader_warn(
        reader, "rules", "Rules %skomi%g not supported by neural net, using %skomi%g instead",
        rules_text(rules).text, (double)rules->komi, rules_text(&known).text, (double)known.komi);
    *rules = known;
}

static bool is_field(const char *name) {
    static const char *const FIELDS[] = {"action",
                                         "allowMoves",
                                         "analysisPVLen",
                                         "analyzeTurns",
                                         "avoidMoves",
                                         "boardXSize",
                                         "boardYSize",
                                         "firstReportDuringSearchAfter",
                                         "id",
                                         "includeMovesOwnership",
                                         "includeMovesOwnershipStdev",
                                         "includeNoResultValue",
                                         "includeOwnership",
                                         "includeOwnershipStdev",
                                         "includePVVisits",
                                         "includePolicy",
                                         "initialPlayer",
                                         "initialStones",
                                         "komi",
                                         "maxVisits",
                                         "moves",
                                         "overrideSettings",
                                         "priorities",
                                         "priority",
                                         "reportDuringSearchEvery",
                                         "rootFpuReductionMax",
                                         "rootPolicyTemperature",
                                         "rules",
                                         "whiteHandicapBonus"};
    return bsearch(&name, FIELDS, sizeof FIELDS / sizeof *FIELDS, sizeof *FIELDS, texts_in_order);
}

/* Warns of unknown members in alphabetical order, whatever their order in the object. */
static void warn_unused(QueryReader *reader) {
    const char **names, *name;
    json_t *value;
    size_t count = 0;
    if (!reader->setup->warn_unused ||
        mem_new(json_object_size(reader->object) + 1, sizeof *names, &names, NULL))
        return;
    json_object_foreach(reader->object, name, value) {
        if (!is_field(name)) names[count++] = name;
    }
    qsort(names, count, sizeof *names, texts_in_order);
    for (size_t i = 0; i < count; i++)
        reader_warn(reader, names[i],
                    "Unexpected or unused field, do you have a typo? (set "
                    "warnUnusedFields=false "
                    "in the config to disable this warning)");
    free(names);
}

static bool check_size(QueryReader *reader) {
    size_t members = json_object_size(reader->object), length = strlen(reader->query->id);
    if (members > QUERY_MEMBERS_MAX)
        return reader_fault(reader, "id", "A query must have at most %d members, but there are %zu",
                            QUERY_MEMBERS_MAX, members);
    return length <= QUERY_ID_MAX ||
           reader_fault(reader, "id", "Must be at most %d bytes, but there are %zu", QUERY_ID_MAX,
                        length);
}

AnalysisQuery *query_parse(const AnalysisSetup *setup, json_t *object, json_t *warnings,
                           QueryFault *fault) {
    QueryReader reader = {.setup = setup, .object = object, .warnings = warnings, .fault = fault};
    const char *id = json_string_value(json_object_get(object, "id"));
    *fault = (QueryFault){0};
    if (query_new(&reader.query, NULL)) return NULL;
    AnalysisQuery *query = reader.query;
    query->search = setup->search;
    query->analysis = setup->analysis;
    query->id = id ? strdup(id) : NULL;
    if (query->id && check_size(&reader) && query_parse_position(&reader) &&
        query_parse_search(&reader)) {
        adapt_rules(&reader);
        warn_unused(&reader);
        return query;
    }
    query_release(query);
    return NULL;
}
