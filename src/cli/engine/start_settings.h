/* start_settings.h - the board and rules with which GTP starts, before the client sets any.
 * KataGo's names for them, such as koRule, are valid, too.
 * Threading: plain values and an immutable table. */
#pragma once
#include "base/settings.h"
#include "go/rules.h"

typedef struct {
    int board_size;                 /* 0 if not set */
    char rules[SETTINGS_TEXT_SIZE]; /* a name or KataGo's string; empty if not set */
    /* Single rules, as KataGo writes them; empty if not set. */
    char ko_rule[SETTINGS_TEXT_SIZE], scoring_rule[SETTINGS_TEXT_SIZE],
        tax_rule[SETTINGS_TEXT_SIZE], suicide[SETTINGS_TEXT_SIZE], button[SETTINGS_TEXT_SIZE],
        white_bonus[SETTINGS_TEXT_SIZE], friendly_pass[SETTINGS_TEXT_SIZE];
} StartSettings;
extern const SettingsField START_FIELDS[];

/* Sets the rules of `*out` except the komi. Changes nothing if no rules are set. ERR_SYNTAX: a
 * value is unknown. ERR_ARGUMENT, as in KataGo's cpp/program/setup.cpp: both `rules` and single
 * rules are set, or there are single rules but koRule, scoringRule or multiStoneSuicideLegal is
 * missing. */
MUST_USE Status start_rules(const StartSettings *settings, Rules *out, Error *err);
/* Call this before an assignment that overrides a config. If `key` is `rules`, this function clears
 * the single rules that the config has set. If `key` is a single rule, it clears `rules`. Other
 * keys change nothing. */
void start_rules_replace(const SettingsGroup *groups, const char *key);
