/* rules.h - rule sets, as KataGo names their dimensions. Immutable. */
#pragma once
#include "base/error.h"

typedef enum { KO_SIMPLE, KO_POSITIONAL, KO_SITUATIONAL, KO_SPIGHT } KoRule;
typedef enum { SCORING_AREA, SCORING_TERRITORY } ScoringRule;
typedef enum { TAX_NONE, TAX_SEKI, TAX_ALL } TaxRule;
typedef enum { WHITE_BONUS_ZERO, WHITE_BONUS_N, WHITE_BONUS_N_MINUS_ONE } WhiteBonusRule;

enum { RULES_KOMI_MAX = 400 };
/* Whether a game may have this komi: a multiple of 1/2 from -RULES_KOMI_MAX to RULES_KOMI_MAX. */
bool rules_komi_is_valid(double komi);

typedef struct {
    KoRule ko;
    ScoringRule scoring;
    TaxRule tax;
    bool suicide; /* of several stones */
    bool button;
    bool friendly_pass;
    WhiteBonusRule white_bonus; /* for handicap stones */
    float komi;                 /* points for White; rules_komi_is_valid() */
} Rules;

Rules rules_tromp_taylor(void); /* positional, area, suicide, komi 7.5 */
/* Reads a preset ("chinese", "japanese", "tromp-taylor", "aga", ...), KataGo's compact string
 * ("koSIMPLEscoreAREA...") or its JSON. Where the text names no komi, that of `*out` stays.
 * ERR_SYNTAX: the text is none of these; ERR_ARGUMENT: a button without area scoring. */
MUST_USE Status rules_parse(const char *text, Rules *out, Error *err);
/* The same, but where the text names no komi it is the usual one: the preset's, else 6.5 with
 * territory scoring, 7 with a button and 7.5 otherwise. `*out` may be unset before. */
MUST_USE Status rules_parse_with_komi(const char *text, Rules *out, Error *err);
typedef struct {
    char text[256];
} RulesText;
/* KataGo's compact string without komi; rules_parse() reads it back. */
RulesText rules_text(const Rules *rules);
/* KataGo's JSON without komi, its keys sorted. */
RulesText rules_json(const Rules *rules);
bool rules_equal(const Rules *a, const Rules *b);
