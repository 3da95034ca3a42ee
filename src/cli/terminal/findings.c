#include "cli/terminal/findings.h"

#include <stdio.h>
#include <string.h>

#include "base/options/help_text.h"

static const struct {
    const char *word, *mark, *color;
} STATES[] = {[FINDING_FINE] = {"fine", "ok", "\033[32m"},
              [FINDING_MISSING] = {"missing", "--", "\033[33m"},
              [FINDING_FAULT] = {"fault", "!!", "\033[31m"}};
enum { STATE_COUNT = sizeof STATES / sizeof *STATES, TEXT_COLUMN = 21 };

void findings_init(Findings *findings) {
    findings->list = json_array();
}

void findings_clear(Findings *findings) {
    json_decref(findings->list);
    findings->list = NULL;
}

void findings_add(Findings *findings, FindingState state, const char *topic, const char *text,
                  const char *advice, json_t *value) {
    json_t *object = json_object();
    json_object_set_new(object, "topic", json_string(topic));
    json_object_set_new(object, "state", json_string(STATES[state].word));
    json_object_set_new(object, "text", json_string(text));
    json_object_set_new(object, "advice", advice ? json_string(advice) : json_null());
    json_object_set_new(object, "value", value ? value : json_null());
    json_array_append_new(findings->list, object);
}

static const char *member(const json_t *finding, const char *name) {
    const char *text = json_string_value(json_object_get(finding, name));
    return text ? text : "";
}

static int state_of(const json_t *finding) {
    for (int i = 0; i < STATE_COUNT; i++) {
        if (strcmp(STATES[i].word, member(finding, "state")) == 0) return i;
    }
    return FINDING_FAULT;
}

void findings_print(const Findings *findings, bool color) {
    const char *before = "", *advice;
    size_t i;
    json_t *finding;
    json_array_foreach(findings->list, i, finding) {
        int state = state_of(finding);
        const char *topic = member(finding, "topic");
        printf("%s%s%s  %-*s ", color ? STATES[state].color : "", STATES[state].mark,
               color ? "\033[0m" : "", TEXT_COLUMN - 5, strcmp(topic, before) ? topic : "");
        help_text_wrap(member(finding, "text"), TEXT_COLUMN, TEXT_COLUMN, help_text_columns());
        advice = member(finding, "advice");
        if (*advice)
            help_text_wrap(advice, printf("%*s", TEXT_COLUMN, ""), TEXT_COLUMN,
                           help_text_columns());
        before = topic;
    }
}

bool findings_have_fault(const Findings *findings) {
    size_t i;
    json_t *finding;
    json_array_foreach(findings->list, i, finding) {
        if (state_of(finding) == FINDING_FAULT) return true;
    }
    return !findings->list;
}
