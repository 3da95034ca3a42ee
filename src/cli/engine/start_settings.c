#include "cli/engine/start_settings.h"

#include <stdio.h>
#include <string.h>

#define SOURCE "KataGo, cpp/program/setup.cpp"

const SettingsField START_FIELDS[] = {
    FIELD_INT(StartSettings, board_size, 0, 0, 19,
              "board size until the first boardsize command; 0: that of the net's run, or 19",
              .alias = "defaultBoardSize"),
    FIELD_TEXT(StartSettings, rules, "",
               "rules until the client sets them: a name or KataGo's string; empty: as "
               "start.ko_rule and the other start.* settings say",
               .source = SOURCE),
    FIELD_TEXT(StartSettings, ko_rule, "", "ko rule: SIMPLE, POSITIONAL, SITUATIONAL or SPIGHT",
               .source = SOURCE, .alias = "koRule"),
    FIELD_TEXT(StartSettings, scoring_rule, "", "scoring rule: AREA or TERRITORY", .source = SOURCE,
               .alias = "scoringRule"),
    FIELD_TEXT(StartSettings, tax_rule, "",
               "group tax: NONE, SEKI or ALL; empty: SEKI if scoring is TERRITORY, otherwise NONE",
               .source = SOURCE, .alias = "taxRule"),
    FIELD_TEXT(StartSettings, suicide, "", "whether multi-stone suicide is legal: true or false",
               .source = SOURCE, .alias = "multiStoneSuicideLegal"),
    FIELD_TEXT(StartSettings, button, "", "whether there is a button: true or false; empty: false",
               .source = SOURCE, .alias = "hasButton"),
    FIELD_TEXT(StartSettings, white_bonus, "",
               "points for White for N handicap stones: 0, N or N-1; empty: 0", .source = SOURCE,
               .alias = "whiteHandicapBonus"),
    FIELD_TEXT(StartSettings, friendly_pass, "",
               "whether dead stones may stay on the board at the end: true or false; empty: false",
               .source = SOURCE, .alias = "friendlyPassOk"),
    {0},
};

/* A single rule: its key and its values in configs, and its name in KataGo's string of rules. */
typedef struct {
    const char *key, *part, *words;
    bool needed; /* it must be set if any single rule is set */
    size_t offset;
} SingleRule;

#define OF(field) offsetof(StartSettings, field)
static const char TRUTH[] = "false|true";
static const SingleRule RULES[] = {
    {"koRule", "ko", "SIMPLE|POSITIONAL|SITUATIONAL|SPIGHT", true, OF(ko_rule)},
    {"scoringRule", "score", "AREA|TERRITORY", true, OF(scoring_rule)},
    {"taxRule", "tax", "NONE|SEKI|ALL", false, OF(tax_rule)},
    {"multiStoneSuicideLegal", "sui", TRUTH, true, OF(suicide)},
    {"hasButton", "button", TRUTH, false, OF(button)},
    {"whiteHandicapBonus", "whb", "0|N|N-1", false, OF(white_bonus)},
    {"friendlyPassOk", "fpok", TRUTH, false, OF(friendly_pass)},
};
enum { SINGLE = sizeof RULES / sizeof *RULES };

static const char *value_of(const StartSettings *settings, const SingleRule *rule) {
    return (const char *)settings + rule->offset;
}

/* The index of `value` in "a|b|c", or -1 if it is not there. true and false may be in upper
 * case. */
static int index_of(const char *words, const char *value) {
    char lower[8];
    snprintf(lower, sizeof lower, "%s", value);
    for (char *at = lower; words == TRUTH && *at; at++)
        *at = (char)(*at >= 'A' && *at <= 'Z' ? *at + 32 : *at);
    if (words == TRUTH && strlen(value) < sizeof lower) value = lower;
    for (int index = 0; *words; index++) {
        size_t length = strcspn(words, "|");
        if (strlen(value) == length && strncmp(words, value, length) == 0) return index;
        words += length + (words[length] == '|');
    }
    return -1;
}

static Status add_single(const SingleRule *rule, const char *value, StrBuf *out, Error *err) {
    int index = index_of(rule->words, value);
    if (index < 0)
        return fail(err, ERR_SYNTAX, "%s: \"%.40s\" is not one of %s", rule->key, value,
                    rule->words);
    if (rule->words == TRUTH)
        strbuf_addf(out, "%s%d", rule->part, index);
    else
        strbuf_addf(out, "%s%s", rule->part, value);
    return OK;
}

Status start_rules(const StartSettings *settings, Rules *out, Error *err) {
    StrBuf text = {0};
    const SingleRule *first = NULL, *missing = NULL;
    Status status = OK;
    for (int i = 0; i < SINGLE && !status; i++) {
        const char *value = value_of(settings, &RULES[i]);
        if (*value && !first) first = &RULES[i];
        if (!*value && RULES[i].needed) missing = &RULES[i];
        if (*value) status = add_single(&RULES[i], value, &text, err);
    }
    if (!status && first && *settings->rules)
        status = fail(err, ERR_ARGUMENT, "both rules and %s are set; only one of the two may be",
                      first->key);
    else if (!status && first && missing)
        status = fail(err, ERR_ARGUMENT,
                      "%s is set, but %s is not: koRule, scoringRule and multiStoneSuicideLegal "
                      "go together",
                      first->key, missing->key);
    else if (!status && first)
        status = rules_parse(strbuf_text(&text), out, err);
    else if (!status && *settings->rules)
        status = rules_parse(settings->rules, out, err);
    strbuf_clear(&text);
    return status;
}

static void clear_setting(const SettingsGroup *groups, const char *key) {
    if (settings_set(groups, key, "", NULL)) return; /* this command has no such setting */
}

/* Whether `key` is the rule's name in KataGo's configs or its name here, such as start.ko_rule. */
static bool is_key_of(const SingleRule *rule, const char *key) {
    const SettingsField *field = START_FIELDS;
    while (field->offset != rule->offset)
        field++;
    return strcmp(key, rule->key) == 0 ||
           (strncmp(key, "start.", 6) == 0 && strcmp(key + 6, field->name) == 0);
}

void start_rules_replace(const SettingsGroup *groups, const char *key) {
    bool whole = strcmp(key, "rules") == 0 || strcmp(key, "start.rules") == 0, single = false;
    for (int i = 0; i < SINGLE; i++) {
        single = single || is_key_of(&RULES[i], key);
        if (whole) clear_setting(groups, RULES[i].key);
    }
    if (single) clear_setting(groups, "start.rules");
}
