/* The GTP commands that read and change settings while the engine runs, by KataGo's names or Aji's.
 * Each reads all settings into Params. A command that changes some then writes all of them back
 * with params_write(). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/settings.h"
#include "protocol/gtp/gtp_command.h"
#include "protocol/session/param.h"
#include "search/tree/search_presets.h"

typedef struct {
    SearchSettings search;
    TimeSettings time;
    ResignSettings resign;
    MoveLimits limits;
    bool visits_without_clock;
    PlayThreads play_threads;
    GtpSettings gtp;
    SettingsGroup groups[7];
} Params;

static void params_bind(Params *params) {
    params->groups[0] = (SettingsGroup){"search", SEARCH_FIELDS, &params->search};
    params->groups[1] = (SettingsGroup){"limits", MOVE_LIMIT_FIELDS, &params->limits};
    params->groups[2] = (SettingsGroup){"time", TIME_FIELDS, &params->time};
    params->groups[3] = (SettingsGroup){"play", PLAY_THREADS_FIELDS, &params->play_threads};
    params->groups[4] = (SettingsGroup){"resign", RESIGN_FIELDS, &params->resign};
    params->groups[5] = (SettingsGroup){"gtp", GTP_FIELDS, &params->gtp};
    params->groups[6] = (SettingsGroup){0};
}

static void set_limits(MoveLimits *limits, int64_t visits, int64_t playouts, double seconds) {
    limits->max_playouts = playouts;
    move_limits_set(limits, visits, seconds);
}

static void params_read(const Gtp *gtp, Params *out) {
    const SessionSetup *setup = session_setup(gtp->session);
    out->gtp = gtp->settings;
    out->search = setup->search;
    out->time = setup->time;
    out->resign = setup->resign;
    out->play_threads.threads = setup->threads;
    set_limits(&out->limits, setup->visits, setup->playouts, setup->seconds);
    out->visits_without_clock = setup->visits_without_clock;
    params_bind(out);
}

/* Writes the values that settings return to if a client sets them without a value. These are the
 * defaults of `aji gtp`, and the limits and threads that the engine began with. */
static void params_default(const Gtp *gtp, Params *out) {
    search_preset_begin(SEARCH_PRESET_PEOPLE, &out->search);
    settings_defaults(TIME_FIELDS, &out->time);
    settings_defaults(RESIGN_FIELDS, &out->resign);
    out->play_threads.threads = gtp->default_threads;
    set_limits(&out->limits, gtp->default_limits.visits, gtp->default_limits.playouts,
               gtp->default_limits.seconds);
    out->visits_without_clock = gtp->default_limits.visits_without_clock;
    settings_defaults(GTP_FIELDS, &out->gtp);
    params_bind(out);
}

/* Writes all settings to the engine or, on failure, none. */
static Status params_write(Gtp *gtp, const Params *params, Error *err) {
    const SessionLimits limits = {
        move_limits_visits(&params->limits), param_limit(params->limits.max_playouts),
        params->visits_without_clock, move_limits_seconds(&params->limits)};
    SessionSetup before = *session_setup(gtp->session);
    Status status = OK;
    if (gtp_komi_is_forced(&params->gtp))
        status = session_check_komi((float)params->gtp.forced_komi, err);
    if (!status)
        status = session_configure_play(gtp->session, &params->time, &params->resign,
                                        params->play_threads.threads, err);
    if (status) return status;
    status = session_configure(gtp->session, &params->search, &limits, err);
    if (status)
        return session_configure_play(gtp->session, &before.time, &before.resign, before.threads,
                                      NULL)
                   ? ERR_MEMORY
                   : status;
    gtp->settings = params->gtp;
    return gtp_force_komi(gtp, err);
}

/* In KataGo only the config file can set this, so clients reach it only by Aji's name. */
static const char CONFIG_ONLY[] = "dynamicPlayoutDoublingAdvantageCapPerOppLead";

/* Writes the name of a field for clients: KataGo's, or Aji's if KataGo has none. */
static void field_name(const SettingsField *field, char out[64]) {
    bool known = field->alias && strcmp(field->alias, CONFIG_ONLY) != 0;
    const char *name = known ? field->alias : field->name;
    size_t length = strcspn(name, "|");
    memcpy(out, name, length < 63 ? length : 63);
    out[length < 63 ? length : 63] = 0;
}

/* Adds the value of a field. Numbers are written as KataGo writes them. Reals have a decimal point
 * or an exponent. Integral reals below 1e15 are written with all their digits. Other reals have the
 * fewest digits from which the same number is read back. */
static Status add_value(const Params *params, const SettingsField *field, StrBuf *out, Error *err) {
    char name[64];
    StrBuf written = {0};
    field_name(field, name);
    Status status = settings_get(params->groups, name, &written, err);
    if (!status && field->type == FIELD_TYPE_DOUBLE) {
        const char *text = strbuf_text(&written);
        double value = strtod(text, NULL);
        if (strchr(text, 'e') && fabs(value) < 1e15 && value == floor(value))
            strbuf_addf(out, "%.1f", value);
        else
            strbuf_addf(out, "%s%s", text, strpbrk(text, ".en") ? "" : ".0");
    } else if (!status) {
        strbuf_add(out, strbuf_text(&written));
    }
    strbuf_clear(&written);
    return status;
}

static const SettingsField *find_field(const Params *params, const char *name) {
    for (const SettingsGroup *group = params->groups; group->fields; group++) {
        for (const SettingsField *field = group->fields; field->name; field++) {
            char known[64];
            size_t prefix = strlen(group->prefix);
            field_name(field, known);
            if (strcmp(known, name) == 0 || settings_field_is(field, name)) return field;
            if (strncmp(group->prefix, name, prefix) == 0 && name[prefix] == '.' &&
                settings_field_is(field, name + prefix + 1))
                return field;
        }
    }
    return NULL;
}

static Status do_get_param(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    Params params;
    params_read(gtp, &params);
    const SettingsField *field = find_field(&params, a->words[0]);
    if (!field) return fail(err, ERR_ARGUMENT, "Invalid parameter: %.60s", a->words[0]);
    return add_value(&params, field, out, err);
}

/* Writes the names of at most `max` settings to names[] and, in alphabetical order, to sorted[].
 * Returns their number. */
static int list_names(const Params *params, char names[][64], const char **sorted, int max) {
    int count = 0;
    for (const SettingsGroup *group = params->groups; group->fields; group++) {
        for (const SettingsField *field = group->fields; field->name && count < max; field++) {
            field_name(field, names[count]);
            sorted[count] = names[count];
            count++;
        }
    }
    qsort(sorted, (size_t)count, sizeof *sorted, texts_in_order);
    return count;
}

enum { NAMES_MAX = 256 };

static Status do_list_params(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)a, (void)err;
    Params params;
    char names[NAMES_MAX][64];
    const char *sorted[NAMES_MAX];
    params_read(gtp, &params);
    int count = list_names(&params, names, sorted, NAMES_MAX);
    for (int i = 0; i < count; i++)
        strbuf_addf(out, "%s%s", i ? " " : "", sorted[i]);
    return OK;
}

static void add_quoted(const char *text, StrBuf *out) {
    json_t *string = json_string(text);
    char *quoted = string ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
    strbuf_add(out, quoted ? quoted : "\"\"");
    free(quoted);
    json_decref(string);
}

static Status add_quoted_value(const Params *params, const SettingsField *field, StrBuf *out,
                               Error *err) {
    StrBuf word = {0};
    Status status = add_value(params, field, &word, err);
    if (!status) add_quoted(strbuf_text(&word), out);
    strbuf_clear(&word);
    return status;
}

static Status do_get_params(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)a;
    Params params;
    char names[NAMES_MAX][64];
    const char *sorted[NAMES_MAX];
    Status status = OK;
    params_read(gtp, &params);
    int count = list_names(&params, names, sorted, NAMES_MAX);
    strbuf_add(out, "{");
    for (int i = 0; i < count && !status; i++) {
        const SettingsField *field = find_field(&params, sorted[i]);
        strbuf_addf(out, "%s\"%s\":", i ? "," : "", sorted[i]);
        if (field->type == FIELD_TYPE_TEXT || field->type == FIELD_TYPE_CHOICE)
            status = add_quoted_value(&params, field, out, err);
        else
            status = add_value(&params, field, out, err);
    }
    strbuf_add(out, "}");
    return status;
}

/* Sets one setting to `value`, or to its default if `value` is NULL. A limit of visits that a
 * client sets holds even if there is a clock. The default limit holds with a clock only if
 * visits_without_clock of the setup is false. */
static Status set_param(const Gtp *gtp, Params *params, const char *name, const char *value,
                        Error *err) {
    StrBuf text = {0};
    Error fault = {0};
    Params defaults;
    const SettingsField *field = find_field(params, name);
    if (!field)
        return fail(err, ERR_ARGUMENT,
                    "Could not set params: Unrecognized or non-overridable parameter in "
                    "kata-set-params: %.60s",
                    name);
    params_default(gtp, &defaults);
    if (value)
        strbuf_add(&text, value);
    else if (settings_get(defaults.groups, name, &text, &fault))
        strbuf_reset(&text);
    if (strcmp(field->name, "max_visits") == 0)
        params->visits_without_clock = !value && defaults.visits_without_clock;
    Status status = settings_set(params->groups, name, strbuf_text(&text), &fault);
    if (status) status = fail(err, status, "Could not set params: %.300s", fault.message);
    strbuf_clear(&text);
    return status;
}

static Status params_write_for_client(Gtp *gtp, const Params *params, Error *err) {
    Error fault = {0};
    Status status = params_write(gtp, params, &fault);
    return status ? fail(err, status, "Could not set params: %.300s", fault.message) : OK;
}

static Status do_set_param(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    Params params;
    params_read(gtp, &params);
    Status status = set_param(gtp, &params, a->words[0], a->count > 1 ? a->words[1] : NULL, err);
    return status ? status : params_write_for_client(gtp, &params, err);
}

static Status set_from_json(const Gtp *gtp, Params *params, const char *name, const json_t *value,
                            Error *err) {
    StrBuf text = {0};
    bool written = param_text(value, &text);
    Status status = strbuf_status(&text, err);
    if (!status && !written)
        status =
            fail(err, ERR_ARGUMENT,
                 "Could not set params: %.60s must be a number, a string, true or false", name);
    if (!status) status = set_param(gtp, params, name, strbuf_text(&text), err);
    strbuf_clear(&text);
    return status;
}

static Status do_set_params(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    Params params;
    StrBuf text = {0};
    Error fault = {0};
    json_t *object = NULL;
    gtp_join(a, 0, &text);
    Status status = json_parse(strbuf_text(&text), text.length, &object, &fault);
    strbuf_clear(&text);
    if (status) return fail(err, status, "Could not set params: %.300s", fault.message);
    params_read(gtp, &params);
    if (!json_is_object(object))
        status = fail(err, ERR_ARGUMENT,
                      "Could not set params: Argument to kata-set-params must be a json object");
    const char *name;
    json_t *value;
    if (!status) {
        json_object_foreach(object, name, value) {
            status = set_from_json(gtp, &params, name, value, err);
            if (status) break;
        }
    }
    json_decref(object);
    return status ? status : params_write_for_client(gtp, &params, err);
}

const GtpCommand GTP_PARAM_COMMANDS[] = {
    {"kata-get-param", do_get_param, 1, 1, true},
    {"kata-set-param", do_set_param, 1, 2, true},
    {"kata-list-params", do_list_params, 0, GTP_ARGUMENTS_MAX, true},
    {"kata-get-params", do_get_params, 0, GTP_ARGUMENTS_MAX, false},
    {"kata-set-params", do_set_params, 1, GTP_ARGUMENTS_MAX, false},
    {0},
};
