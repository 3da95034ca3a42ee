/* start_settings.h - what KataGo's configs say of the first game. Threading: plain values and an
 * immutable table. */
#pragma once
#include "base/settings.h"
#include "go/rules.h"

typedef struct {
    int board_size;
    char rules[SETTINGS_TEXT_SIZE]; /* a name or KataGo's string; empty: not said */
    /* One by one, as KataGo writes them; empty: not said. */
    char ko_rule[SETTINGS_TEXT_SIZE], scoring_rule[SETTINGS_TEXT_SIZE],
        tax_rule[SETTINGS_TEXT_SIZE], suicide[SETTINGS_TEXT_SIZE], button[SETTINGS_TEXT_SIZE],
        white_bonus[SETTINGS_TEXT_SIZE], friendly_pass[SETTINGS_TEXT_SIZE];
} StartSettings;
extern const SettingsField START_FIELDS[];

/* `*out` keeps its komi, and all of it where nothing is said of rules. KataGo,
 * cpp/program/setup.cpp: ERR_ARGUMENT where `rules` and single rules are both said, or only some of
 * koRule, scoringRule and multiStoneSuicideLegal; ERR_SYNTAX: a value is none of its rule's. */
MUST_USE Status start_rules(const StartSettings *settings, Rules *out, Error *err);
/* An assignment after those of a config, which takes the place of what is said of rules the other
 * way: `rules` of single ones, and the reverse. Other keys change nothing. */
void start_rules_replace(const SettingsGroup *groups, const char *key);
