/* rules.h - rule sets, described by the same properties as KataGo's. docs/RULES.md explains them.
 * Immutable. */
#pragma once
#include "base/error.h"

typedef enum { KO_SIMPLE, KO_POSITIONAL, KO_SITUATIONAL, KO_SPIGHT } KoRule;
typedef enum { SCORING_AREA, SCORING_TERRITORY } ScoringRule;
typedef enum { TAX_NONE, TAX_SEKI, TAX_ALL } TaxRule;
typedef enum { WHITE_BONUS_ZERO, WHITE_BONUS_N, WHITE_BONUS_N_MINUS_ONE } WhiteBonusRule;

enum { RULES_KOMI_MAX = 400 };
/* Whether a game may have this komi, which must be a multiple of 1/2 from -RULES_KOMI_MAX to
 * RULES_KOMI_MAX. */
bool rules_komi_is_valid(double komi);

typedef struct {
    KoRule ko;
    ScoringRule scoring;
    TaxRule tax;
    bool suicide;               /* whether suicide of several stones is legal */
    bool button;                /* whether the first pass of a game earns half a point */
    bool friendly_pass;         /* whether players may pass without capturing dead stones first */
    WhiteBonusRule white_bonus; /* points for White if there are N handicap stones */
    float komi;                 /* points for White; see rules_komi_is_valid() */
} Rules;

Rules rules_tromp_taylor(void); /* positional ko, area scoring, suicide, komi 7.5 */
/* Reads a preset ("chinese", "japanese", "tromp-taylor", "aga", ...), KataGo's compact string
 * ("koSIMPLEscoreAREA...") or KataGo's JSON. If the text has no komi, `*out` keeps its komi, also
 * with a preset. If a compact string or JSON leaves out another property, this property is that of
 * Tromp-Taylor. There is one exception: if the tax is left out and the scoring is territory, the
 * tax is TAX_SEKI. ERR_SYNTAX: the text is none of these. ERR_ARGUMENT: the rules have a button but
 * not area scoring. */
MUST_USE Status rules_parse(const char *text, Rules *out, Error *err);
/* Does the same, but if the text has no komi it sets a default: the komi of the preset, or else 6.5
 * with territory scoring, 7 with a button and 7.5 otherwise. `*out` need not be set before. */
MUST_USE Status rules_parse_with_komi(const char *text, Rules *out, Error *err);
typedef struct {
    char text[256];
} RulesText;
/* Returns KataGo's compact string without komi. rules_parse() can read it. */
RulesText rules_text(const Rules *rules);
/* Returns the name of the rules for people, such as "Tromp-Taylor", or NULL if they have none. */
const char *rules_name(const Rules *rules);
/* Returns KataGo's name of the rules, which says nothing about komi, such as "Chinese" or
 * "TrompTaylor". Returns rules_text() if the rules have no name. */
RulesText rules_katago_name(const Rules *rules);
/* Describes the rules for people: their name or, if they have none, what they are, such as
 * "situational superko, area scoring, no suicide". */
RulesText rules_words(const Rules *rules);
/* Returns KataGo's JSON without komi, with sorted keys. */
RulesText rules_json(const Rules *rules);
bool rules_equal(const Rules *a, const Rules *b);
