#include "go/rules.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/settings.h"

static const char *const KO_NAMES[] = {"SIMPLE", "POSITIONAL", "SITUATIONAL", "SPIGHT", NULL};
static const char *const SCORING_NAMES[] = {"AREA", "TERRITORY", NULL};
static const char *const TAX_NAMES[] = {"NONE", "SEKI", "ALL", NULL};
static const char *const BONUS_NAMES[] = {"0", "N", "N-1", NULL};

typedef struct {
    const char *name; /* in lower case, without separators */
    Rules rules;
} Preset;

/* These are the presets of KataGo (cpp/game/rules.cpp and the page on its rules). */
static const Preset PRESETS[] = {
    {"japanese",
     {KO_SIMPLE, SCORING_TERRITORY, TAX_SEKI, false, false, false, WHITE_BONUS_ZERO, 6.5f}},
    {"korean",
     {KO_SIMPLE, SCORING_TERRITORY, TAX_SEKI, false, false, false, WHITE_BONUS_ZERO, 6.5f}},
    {"chinese", {KO_SIMPLE, SCORING_AREA, TAX_NONE, false, false, true, WHITE_BONUS_N, 7.5f}},
    {"chineseogs",
     {KO_POSITIONAL, SCORING_AREA, TAX_NONE, false, false, true, WHITE_BONUS_N, 7.5f}},
    {"chinesekgs",
     {KO_POSITIONAL, SCORING_AREA, TAX_NONE, false, false, true, WHITE_BONUS_N, 7.5f}},
    {"ancientarea", {KO_SIMPLE, SCORING_AREA, TAX_ALL, false, false, true, WHITE_BONUS_ZERO, 7.5f}},
    {"stonescoring",
     {KO_SIMPLE, SCORING_AREA, TAX_ALL, false, false, true, WHITE_BONUS_ZERO, 7.5f}},
    {"ancientterritory",
     {KO_SIMPLE, SCORING_TERRITORY, TAX_ALL, false, false, false, WHITE_BONUS_ZERO, 6.5f}},
    {"agabutton",
     {KO_SITUATIONAL, SCORING_AREA, TAX_NONE, false, true, true, WHITE_BONUS_N_MINUS_ONE, 7.0f}},
    {"aga",
     {KO_SITUATIONAL, SCORING_AREA, TAX_NONE, false, false, true, WHITE_BONUS_N_MINUS_ONE, 7.5f}},
    {"bga",
     {KO_SITUATIONAL, SCORING_AREA, TAX_NONE, false, false, true, WHITE_BONUS_N_MINUS_ONE, 7.5f}},
    {"french",
     {KO_SITUATIONAL, SCORING_AREA, TAX_NONE, false, false, true, WHITE_BONUS_N_MINUS_ONE, 7.5f}},
    {"nz", {KO_SITUATIONAL, SCORING_AREA, TAX_NONE, true, false, true, WHITE_BONUS_ZERO, 7.0f}},
    {"newzealand",
     {KO_SITUATIONAL, SCORING_AREA, TAX_NONE, true, false, true, WHITE_BONUS_ZERO, 7.0f}},
    {"tromptaylor",
     {KO_POSITIONAL, SCORING_AREA, TAX_NONE, true, false, false, WHITE_BONUS_ZERO, 7.5f}},
    {"goe", {KO_POSITIONAL, SCORING_AREA, TAX_NONE, true, false, true, WHITE_BONUS_ZERO, 7.5f}},
    {"ing", {KO_POSITIONAL, SCORING_AREA, TAX_NONE, true, false, true, WHITE_BONUS_ZERO, 7.5f}},
};

bool rules_komi_is_valid(double komi) {
    return fabs(komi) <= RULES_KOMI_MAX && komi * 2 == floor(komi * 2); /* false for NaN */
}

Rules rules_tromp_taylor(void) {
    return (Rules){.ko = KO_POSITIONAL,
                   .scoring = SCORING_AREA,
                   .tax = TAX_NONE,
                   .suicide = true,
                   .komi = 7.5f};
}

static int index_of(const char *const *names, const char *text, size_t length) {
    for (int i = 0; names[i]; i++) {
        if (strlen(names[i]) == length && strncmp(names[i], text, length) == 0) return i;
    }
    return -1;
}

/* Returns NULL if no preset has this name. */
static const Preset *find_preset(const char *text) {
    char name[64];
    size_t length = 0;
    for (const char *at = text; *at; at++) {
        if (strchr(" -_", *at)) continue;
        if (length + 1 == sizeof name) return NULL;
        name[length++] = (char)tolower((unsigned char)*at);
    }
    name[length] = 0;
    for (size_t i = 0; i < sizeof PRESETS / sizeof *PRESETS; i++) {
        if (strcmp(PRESETS[i].name, name) == 0) return &PRESETS[i];
    }
    return NULL;
}

static float usual_komi(const Rules *rules) {
    if (rules->scoring == SCORING_TERRITORY) return 6.5f;
    return rules->button ? 7.0f : 7.5f;
}

static Status parse_preset(const char *text, Rules *out, Error *err) {
    const Preset *preset = find_preset(text);
    if (!preset)
        return fail(err, ERR_SYNTAX,
                    "unknown rules \"%.60s\"; try chinese, japanese, aga, new-zealand, "
                    "tromp-taylor, or KataGo's koSIMPLEscoreAREA...",
                    text);
    float komi = out->komi;
    *out = preset->rules;
    out->komi = komi;
    return OK;
}

/* The rules that have been read so far from the parts of a compact string or of a JSON object. */
typedef struct {
    Rules rules;
    bool tax_given;
} Parts;

static bool parse_bit(const char *text, size_t length, bool *out) {
    if (length != 1 || (*text != '0' && *text != '1')) return false;
    *out = *text == '1';
    return true;
}

static bool parse_part(const char *key, const char *value, size_t length, Parts *parts) {
    Rules *rules = &parts->rules;
    int index;
    if (strcmp(key, "ko") == 0) {
        index = index_of(KO_NAMES, value, length);
        rules->ko = (KoRule)index;
    } else if (strcmp(key, "score") == 0 || strcmp(key, "scoring") == 0) {
        index = index_of(SCORING_NAMES, value, length);
        rules->scoring = (ScoringRule)index;
    } else if (strcmp(key, "tax") == 0) {
        index = index_of(TAX_NAMES, value, length);
        rules->tax = (TaxRule)index;
        parts->tax_given = true;
    } else if (strcmp(key, "whb") == 0) {
        index = index_of(BONUS_NAMES, value, length);
        rules->white_bonus = (WhiteBonusRule)index;
    } else if (strcmp(key, "sui") == 0) {
        return parse_bit(value, length, &rules->suicide);
    } else if (strcmp(key, "button") == 0) {
        return parse_bit(value, length, &rules->button);
    } else if (strcmp(key, "fpok") == 0) {
        return parse_bit(value, length, &rules->friendly_pass);
    } else {
        char *end;
        double komi = strtod(value, &end);
        if (strcmp(key, "komi") != 0 || end != value + length || !rules_komi_is_valid(komi))
            return false;
        rules->komi = (float)komi;
        return true;
    }
    return index >= 0;
}

static const char *skip_blanks(const char *text) {
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

/* Returns the key of a compact text that begins here, or NULL. */
static const char *key_at(const char *text) {
    static const char *const KEYS[] = {"komi", "ko",     "scoring", "score", "tax",
                                       "sui",  "button", "whb",     "fpok",  NULL};
    int k = 0;
    while (KEYS[k] && strncmp(text, KEYS[k], strlen(KEYS[k])) != 0)
        k++;
    return KEYS[k];
}

static Status parse_compact(const char *text, Rules *out, Error *err) {
    Parts parts = {.rules = rules_tromp_taylor()};
    parts.rules.komi = out->komi;
    const char *at = text;
    while (*at) {
        if (isspace((unsigned char)*at)) {
            at++;
            continue;
        }
        const char *key = key_at(at);
        if (!key) return fail(err, ERR_SYNTAX, "rules: \"%.40s\" is not understood", at);
        const char *value = skip_blanks(at + strlen(key));
        size_t length = strspn(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.+-");
        if (!parse_part(key, value, length, &parts))
            return fail(err, ERR_SYNTAX, "rules: \"%.40s\" is not understood", at);
        at = value + length;
    }
    if (!parts.tax_given && parts.rules.scoring == SCORING_TERRITORY) parts.rules.tax = TAX_SEKI;
    if (parts.rules.button && parts.rules.scoring != SCORING_AREA)
        return fail(err, ERR_ARGUMENT, "rules: a button goes with area scoring only");
    *out = parts.rules;
    return OK;
}

static Status parse_member(const char *key, const json_t *value, Parts *parts, Error *err) {
    const char *text = json_string_value(value);
    bool truth = json_is_true(value), good = true;
    Rules *rules = &parts->rules;
    if (strcmp(key, "ko") == 0 || strcmp(key, "score") == 0 || strcmp(key, "scoring") == 0 ||
        strcmp(key, "tax") == 0)
        good = text && parse_part(key, text, strlen(text), parts);
    else if (strcmp(key, "whiteHandicapBonus") == 0)
        good = text && parse_part("whb", text, strlen(text), parts);
    else if (strcmp(key, "komi") == 0) {
        good = json_is_number(value) && rules_komi_is_valid(json_number_value(value));
        if (good) rules->komi = (float)json_number_value(value);
    } else if (!json_is_boolean(value))
        good = false;
    else if (strcmp(key, "suicide") == 0)
        rules->suicide = truth;
    else if (strcmp(key, "hasButton") == 0)
        rules->button = truth;
    else if (strcmp(key, "friendlyPassOk") == 0)
        rules->friendly_pass = truth;
    else
        good = false;
    return good ? OK : fail(err, ERR_SYNTAX, "rules: \"%s\" is unknown or its value is wrong", key);
}

static Status parse_json_rules(const char *text, Rules *out, Error *err) {
    json_t *object;
    Status status = json_parse(text, strlen(text), &object, err);
    if (status) return status;
    Parts parts = {.rules = rules_tromp_taylor()};
    parts.rules.komi = out->komi;
    const char *key;
    json_t *value;
    if (!json_is_object(object)) status = fail(err, ERR_SYNTAX, "rules: a JSON object was wanted");
    json_object_foreach(object, key, value) {
        if (!status) status = parse_member(key, value, &parts, err);
    }
    json_decref(object);
    if (status) return status;
    if (!parts.tax_given && parts.rules.scoring == SCORING_TERRITORY) parts.rules.tax = TAX_SEKI;
    if (parts.rules.button && parts.rules.scoring != SCORING_AREA)
        return fail(err, ERR_ARGUMENT, "rules: a button goes with area scoring only");
    *out = parts.rules;
    return OK;
}

Status rules_parse(const char *text, Rules *out, Error *err) {
    text = skip_blanks(text);
    if (*text == '{') return parse_json_rules(text, out, err);
    if (!parse_preset(text, out, NULL)) return OK;
    return key_at(text) ? parse_compact(text, out, err) : parse_preset(text, out, err);
}

Status rules_parse_with_komi(const char *text, Rules *out, Error *err) {
    Rules parsed = {.komi = NAN};
    Status status = rules_parse(text, &parsed, err);
    if (status) return status;
    if (isnan(parsed.komi)) {
        const Preset *preset = find_preset(skip_blanks(text));
        parsed.komi = preset ? preset->rules.komi : usual_komi(&parsed);
    }
    *out = parsed;
    return OK;
}

RulesText rules_text(const Rules *rules) {
    RulesText out;
    snprintf(out.text, sizeof out.text, "ko%sscore%stax%ssui%d%s%s%s%s", KO_NAMES[rules->ko],
             SCORING_NAMES[rules->scoring], TAX_NAMES[rules->tax], rules->suicide,
             rules->button ? "button1" : "", rules->white_bonus ? "whb" : "",
             rules->white_bonus ? BONUS_NAMES[rules->white_bonus] : "",
             rules->friendly_pass ? "fpok1" : "");
    return out;
}

typedef struct {
    const char *for_people, *katago; /* KataGo's names are those of cpp/game/rules.cpp */
} RulesName;

/* Returns NULL if the rules have no name. */
static const RulesName *find_name(const Rules *rules) {
    static const RulesName NAMES[] = {{"Tromp-Taylor", "TrompTaylor"},
                                      {"Japanese", "Japanese"},
                                      {"Chinese", "Chinese"},
                                      {"Chinese-OGS", "Chinese-OGS"},
                                      {"AGA", "AGA"},
                                      {"Stone Scoring", "StoneScoring"},
                                      {"New Zealand", "NewZealand"}};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        Rules named = find_preset(NAMES[i].katago)->rules;
        named.komi = rules->komi;
        if (rules_equal(&named, rules)) return &NAMES[i];
    }
    return NULL;
}

const char *rules_name(const Rules *rules) {
    const RulesName *name = find_name(rules);
    return name ? name->for_people : NULL;
}

RulesText rules_katago_name(const Rules *rules) {
    RulesText out;
    const RulesName *name = find_name(rules);
    if (!name) return rules_text(rules);
    snprintf(out.text, sizeof out.text, "%s", name->katago);
    return out;
}

RulesText rules_words(const Rules *rules) {
    static const char *const KO[] = {[KO_SIMPLE] = "simple ko",
                                     [KO_POSITIONAL] = "positional superko",
                                     [KO_SITUATIONAL] = "situational superko",
                                     [KO_SPIGHT] = "Spight's superko"};
    static const char *const TAX[] = {
        [TAX_NONE] = "", [TAX_SEKI] = ", no points in seki", [TAX_ALL] = ", a tax for each group"};
    static const char *const BONUS[] = {
        [WHITE_BONUS_ZERO] = "",
        [WHITE_BONUS_N] = ", a point for White for each handicap stone",
        [WHITE_BONUS_N_MINUS_ONE] = ", a point for White for each handicap stone but one"};
    RulesText out;
    const char *name = rules_name(rules);
    if (name)
        snprintf(out.text, sizeof out.text, "%s", name);
    else
        snprintf(out.text, sizeof out.text, "%s, %s scoring%s, %s%s%s%s", KO[rules->ko],
                 rules->scoring == SCORING_AREA ? "area" : "territory", TAX[rules->tax],
                 rules->suicide ? "suicide" : "no suicide", rules->button ? ", button" : "",
                 BONUS[rules->white_bonus],
                 rules->friendly_pass ? ", dead stones may stay on the board" : "");
    return out;
}

RulesText rules_json(const Rules *rules) {
    RulesText out;
    snprintf(out.text, sizeof out.text,
             "{\"friendlyPassOk\":%s,\"hasButton\":%s,\"ko\":\"%s\",\"scoring\":\"%s\",\"suicide\":"
             "%s,\"tax\":\"%s\",\"whiteHandicapBonus\":\"%s\"}",
             rules->friendly_pass ? "true" : "false", rules->button ? "true" : "false",
             KO_NAMES[rules->ko], SCORING_NAMES[rules->scoring], rules->suicide ? "true" : "false",
             TAX_NAMES[rules->tax], BONUS_NAMES[rules->white_bonus]);
    return out;
}

bool rules_equal(const Rules *a, const Rules *b) {
    return a->ko == b->ko && a->scoring == b->scoring && a->tax == b->tax &&
           a->suicide == b->suicide && a->button == b->button &&
           a->friendly_pass == b->friendly_pass && a->white_bonus == b->white_bonus &&
           a->komi == b->komi;
}
