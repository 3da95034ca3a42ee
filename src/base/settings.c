#include "base/settings.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"

enum {
    INCLUDE_DEPTH_MAX = 16,
    INCLUDES_MAX = 1000,
    /* Room for the longest value of an assignment and a final 0. The longest value is a text in
     * quotes, with a backslash before each character. */
    VALUE_SIZE = 2 * SETTINGS_LONG_TEXT_SIZE + 2,
    KEY_SIZE = 128,
    LINE_SIZE = KEY_SIZE + VALUE_SIZE + 64
};

/* Fails because the text is not a whole number written in digits. If it is a whole number in
 * another form, such as 1e6, the message gives the digits. */
static Status refuse_whole(const char *text, const char *what, Error *err) {
    char *end;
    double value = strtod(text, &end);
    if (end != text && !*end && value == floor(value) && fabs(value) < 1e15)
        return fail(err, ERR_SYNTAX, "%s: write the whole number \"%.60s\" in digits, as %.0f",
                    what, text, value);
    return fail(err, ERR_SYNTAX, "%s: \"%.60s\" is not a whole number", what, text);
}

Status parse_int(const char *text, const char *what, long long min, long long max, long long *out,
                 Error *err) {
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end != text && !*end && errno == ERANGE)
        return fail(err, ERR_ARGUMENT, "%s: %.60s is not within %lld to %lld", what, text, min,
                    max);
    if (end == text || *end || errno) return refuse_whole(text, what, err);
    if (value < min || value > max)
        return fail(err, ERR_ARGUMENT, "%s: %lld is not within %lld to %lld", what, value, min,
                    max);
    *out = value;
    return OK;
}

NumberText number_text(double value) {
    NumberText out;
    bool whole = fabs(value) < 1e16 && value == floor(value);
    snprintf(out.text, sizeof out.text, whole ? "%.0f" : "%.9g", value + 0.0); /* -0 becomes 0 */
    return out;
}

NumberText number_exact(double value) {
    NumberText out;
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(out.text, sizeof out.text, "%.*g", digits, value);
        if (strtod(out.text, NULL) == value) break;
    }
    return out;
}

Status parse_double(const char *text, const char *what, double min, double max, double *out,
                    Error *err) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value))
        return fail(err, ERR_SYNTAX, "%s: \"%.60s\" is not a number", what, text);
    if (value < min || value > max)
        return fail(err, ERR_ARGUMENT, "%s: %s is not within %s to %s", what,
                    number_text(value).text, number_text(min).text, number_text(max).text);
    *out = value;
    return OK;
}

Status parse_duration(const char *text, const char *what, double *seconds, Error *err) {
    double total = 0;
    const char *at = text;
    while (*at) {
        char *end;
        double value = strtod(at, &end);
        if (end == at || !(value >= 0) || !isfinite(value)) break;
        double unit = *end == 'h' ? 3600 : *end == 'm' ? 60 : 1;
        total += value * unit;
        at = *end == 'h' || *end == 'm' || *end == 's' ? end + 1 : end;
        if (at == end && *at) break;
    }
    if (at == text || *at || !isfinite(total))
        return fail(err, ERR_SYNTAX, "%s: \"%.60s\" is not a time such as 90s, 10m or 1h30m", what,
                    text);
    *seconds = total;
    return OK;
}

/* Returns the edit distance of two words if it is less than `limit`, and otherwise any number that
 * is at least `limit`. Case does not matter. One edit inserts, removes or changes a letter, or
 * exchanges two neighbouring letters. */
static int edit_distance(const char *a, const char *b, int limit) {
    enum { MAX = 128 };
    size_t n = strlen(a), m = strlen(b);
    int rows[3][MAX]; /* the rows for the last three letters of `a`, in turn */
    int least = 0, least_before;
    if (n >= MAX || m >= MAX || abs((int)n - (int)m) >= limit) return limit;
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = (int)j;
    for (size_t i = 1; i <= n; i++) {
        const int *before = rows[(i - 1) % 3], *older = rows[(i + 1) % 3];
        int *row = rows[i % 3], x = tolower((unsigned char)a[i - 1]);
        least_before = least;
        least = row[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            int y = tolower((unsigned char)b[j - 1]), best = before[j - 1] + (x != y);
            if (before[j] + 1 < best) best = before[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            bool exchanged = i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                             y == tolower((unsigned char)a[i - 2]);
            if (exchanged && older[j - 2] + 1 < best) best = older[j - 2] + 1;
            row[j] = best;
            if (best < least) least = best;
        }
        /* No later number is less than the minimum of these two rows. */
        if (least >= limit && least_before >= limit) return limit;
    }
    return rows[n % 3][m];
}

/* The largest edit distance at which another word is suggested for this word. To suggest a more
 * distant word would be worse than to suggest no word. */
static int max_distance(const char *word) {
    int length = (int)strlen(word);
    return length < 2 ? 0 : length < 6 ? 1 : length / 3;
}

const char *nearest_word(const char *word, const char *const *words, int count) {
    const char *nearest = NULL;
    int best = max_distance(word) + 1;
    for (int i = 0; i < count; i++) {
        int distance = edit_distance(word, words[i], best);
        if (distance < best) {
            best = distance;
            nearest = words[i];
        }
    }
    return nearest;
}

/* The address of the field in the struct. */
static void *member(const SettingsField *field, void *target) {
    return (char *)target + field->offset;
}

/* Returns the index of `word` among the words of "a|b|c", or -1 if it is not there. */
static int word_index(const char *words, const char *word) {
    size_t length = strlen(word);
    for (int index = 0; words; index++) {
        size_t span = strcspn(words, "|");
        if (span == length && strncmp(words, word, length) == 0) return index;
        words = words[span] ? words + span + 1 : NULL;
    }
    return -1;
}

/* Returns the index of a choice among "a|b|c", or -1 if it is not there. Case does not matter, and
 * a single letter stands for the only choice that begins with it. */
static int choice_index(const char *choices, const char *choice) {
    size_t length = strlen(choice);
    int found = -1, matches = 0;
    for (int index = 0; choices; index++) {
        size_t span = strcspn(choices, "|");
        bool begins = length && strncasecmp(choices, choice, length) == 0;
        if (begins && span == length) return index;
        if (begins) found = index;
        matches += begins;
        choices = choices[span] ? choices + span + 1 : NULL;
    }
    return length == 1 && matches == 1 ? found : -1;
}

static void set_number(const SettingsField *field, void *target, double value) {
    void *at = member(field, target);
    switch (field->type) {
    case FIELD_TYPE_INT:
    case FIELD_TYPE_CHOICE:
        *(int *)at = (int)value;
        break;
    case FIELD_TYPE_INT64:
        *(int64_t *)at = (int64_t)value;
        break;
    case FIELD_TYPE_DOUBLE:
        *(double *)at = value;
        break;
    case FIELD_TYPE_BOOL:
        *(bool *)at = value != 0;
        break;
    case FIELD_TYPE_TEXT:
        break;
    }
}

void settings_defaults(const SettingsField *fields, void *target) {
    for (const SettingsField *field = fields; field->name; field++) {
        if (field->type == FIELD_TYPE_TEXT)
            snprintf(member(field, target), field->size, "%s", field->text);
        else
            set_number(field, target, field->number);
    }
}

bool settings_same(const SettingsField *field, const void *a, const void *b) {
    const char *x = (const char *)a + field->offset, *y = (const char *)b + field->offset;
    switch (field->type) {
    case FIELD_TYPE_TEXT:
        return strcmp(x, y) == 0;
    case FIELD_TYPE_BOOL:
        return *(const bool *)x == *(const bool *)y;
    case FIELD_TYPE_INT64:
        return *(const int64_t *)(const void *)x == *(const int64_t *)(const void *)y;
    case FIELD_TYPE_DOUBLE:
        return *(const double *)(const void *)x == *(const double *)(const void *)y;
    case FIELD_TYPE_INT:
    case FIELD_TYPE_CHOICE:
        return *(const int *)(const void *)x == *(const int *)(const void *)y;
    }
    return false;
}

static double number_of(const SettingsField *field, const void *target) {
    const void *at = (const char *)target + field->offset;
    switch (field->type) {
    case FIELD_TYPE_INT:
        return (double)*(const int *)at;
    case FIELD_TYPE_INT64:
        return (double)*(const int64_t *)at;
    case FIELD_TYPE_DOUBLE:
        return *(const double *)at;
    case FIELD_TYPE_BOOL:
    case FIELD_TYPE_TEXT:
    case FIELD_TYPE_CHOICE:
        break; /* the bounds of these are not checked */
    }
    return field->min;
}

Status settings_check(const SettingsField *fields, const char *prefix, const void *target,
                      Error *err) {
    for (const SettingsField *field = fields; field->name; field++) {
        double value = number_of(field, target);
        if (!(value >= field->min && value <= field->max))
            return fail(err, ERR_ARGUMENT, "%s.%s is %s, wanted %s to %s", prefix, field->name,
                        number_text(value).text, number_text(field->min).text,
                        number_text(field->max).text);
    }
    return OK;
}

static void full_name(const SettingsGroup *group, const SettingsField *field, char out[128]) {
    snprintf(out, 128, "%s.%s", group->prefix, field->name);
}

bool settings_field_is(const SettingsField *field, const char *key) {
    return strcmp(field->name, key) == 0 || (field->former && word_index(field->former, key) >= 0);
}

static bool is_full_name(const SettingsGroup *group, const SettingsField *field, const char *key) {
    size_t length = strlen(group->prefix);
    return strncmp(key, group->prefix, length) == 0 && key[length] == '.' &&
           settings_field_is(field, key + length + 1);
}

typedef struct {
    const SettingsGroup *group;
    const SettingsField *field;
} FoundField;

/* Finds a field by its full name or alias, or else by its name without the prefix. `*matches` is
 * the number of fields that the key may mean. */
static FoundField find_field(const SettingsGroup *groups, const char *key, int *matches) {
    FoundField exact = {0}, bare = {0};
    *matches = 0;
    for (const SettingsGroup *group = groups; group->prefix; group++) {
        for (const SettingsField *field = group->fields; field->name; field++) {
            if (is_full_name(group, field, key)) exact = (FoundField){group, field};
            if (!exact.field && field->alias && word_index(field->alias, key) >= 0)
                exact = (FoundField){group, field};
            if (!settings_field_is(field, key)) continue;
            bare = (FoundField){group, field};
            (*matches)++;
        }
    }
    if (exact.field) *matches = 1;
    return exact.field ? exact : bare;
}

/* The part of the key behind the prefix of one of the groups, or the whole key. */
static const char *without_prefix(const SettingsGroup *groups, const char *key) {
    for (const SettingsGroup *group = groups; group->prefix; group++) {
        size_t length = strlen(group->prefix);
        if (strncasecmp(key, group->prefix, length) == 0 && key[length] == '.')
            return key + length + 1;
    }
    return key;
}

static Status unknown_key(const SettingsGroup *groups, const char *key, Error *err) {
    if (!err) return ERR_ARGUMENT; /* nobody reads the message, so no similar name is looked for */
    char best[128] = "";
    const char *bare_key = without_prefix(groups, key);
    int best_distance = max_distance(bare_key) + 1;
    for (const SettingsGroup *group = groups; group->prefix; group++) {
        for (const SettingsField *field = group->fields; field->name; field++) {
            char name[128];
            full_name(group, field, name);
            int distance = edit_distance(key, name, best_distance),
                bare = edit_distance(bare_key, field->name, best_distance);
            if (bare < distance) distance = bare;
            if (distance >= best_distance) continue;
            best_distance = distance;
            memcpy(best, name, sizeof best);
        }
    }
    if (!*best)
        return fail(
            err, ERR_ARGUMENT,
            "there is no setting \"%.80s\" here; `aji settings` lists those of all commands", key);
    return fail(err, ERR_ARGUMENT, "there is no setting \"%.80s\" here; did you mean %s?", key,
                best);
}

static Status set_text(const SettingsField *field, const char *name, const char *value,
                       void *target, Error *err) {
    if (strlen(value) >= field->size || strpbrk(value, "\n\r"))
        return fail(err, ERR_ARGUMENT,
                    "%s: the text is longer than %d characters or has line breaks", name,
                    (int)field->size - 1);
    snprintf(member(field, target), field->size, "%s", value);
    return OK;
}

static Status parse_bool(const char *name, const char *value, double *out, Error *err) {
    static const char *const NO = "false|no|0|off|f|n|disabled", *const YES =
                                                                     "true|yes|1|on|t|y|enabled";
    char lower[16] = "";
    for (size_t i = 0; i < sizeof lower - 1 && value[i]; i++)
        lower[i] = (char)tolower((unsigned char)value[i]);
    if (word_index(YES, lower) >= 0)
        *out = 1;
    else if (word_index(NO, lower) >= 0)
        *out = 0;
    else
        return fail(err, ERR_SYNTAX, "%s: \"%.60s\" is not true or false", name, value);
    return OK;
}

/* Reads a number within the bounds. Older versions kept settings as floats and wrote them with nine
 * digits, for example 0.100000001 for 0.1. A text of this form is read as the shortest decimal that
 * rounds to the same float. Whole numbers are read as they are. */
static Status parse_within(const char *text, const char *name, double min, double max, double *out,
                           Error *err) {
    char shorter[32];
    double value = 0;
    Status status = parse_double(text, name, -HUGE_VAL, HUGE_VAL, &value, err);
    if (status) return status;
    const float rounded = (float)value;
    snprintf(shorter, sizeof shorter, "%.9g", (double)rounded);
    bool older = value != floor(value) && strcmp(shorter, text) == 0;
    for (int digits = 1; older && digits <= 9; digits++) {
        snprintf(shorter, sizeof shorter, "%.*g", digits, (double)rounded);
        if ((float)strtod(shorter, NULL) == rounded) break;
    }
    return parse_double(older ? shorter : text, name, min, max, out, err);
}

static Status set_field(const FoundField *found, const char *value, Error *err) {
    const SettingsField *field = found->field;
    char name[128];
    full_name(found->group, field, name);
    if (!found->group->target) return fail(err, ERR_ARGUMENT, "%s cannot be set here", name);
    long long whole;
    double number = 0;
    Status status = OK;
    switch (field->type) {
    case FIELD_TYPE_TEXT:
        return set_text(field, name, value, found->group->target, err);
    case FIELD_TYPE_INT:
    case FIELD_TYPE_INT64:
        status = parse_int(value, name, (long long)field->min, (long long)field->max, &whole, err);
        if (!status) number = (double)whole;
        break;
    case FIELD_TYPE_DOUBLE:
        status = parse_within(value, name, field->min, field->max, &number, err);
        break;
    case FIELD_TYPE_BOOL:
        status = parse_bool(name, value, &number, err);
        break;
    case FIELD_TYPE_CHOICE:
        number = choice_index(field->text, value);
        if (number < 0)
            status =
                fail(err, ERR_ARGUMENT, "%s: \"%.60s\" is not one of %s", name, value, field->text);
        break;
    }
    if (!status) set_number(field, found->group->target, number);
    return status;
}

Status settings_set(const SettingsGroup *groups, const char *key, const char *value, Error *err) {
    int matches;
    FoundField found = find_field(groups, key, &matches);
    if (!found.field) return unknown_key(groups, key, err);
    if (matches > 1)
        return fail(err, ERR_ARGUMENT,
                    "\"%.80s\" is the name of %d settings; write its group too, as in %s.%s", key,
                    matches, found.group->prefix, key);
    return set_field(&found, value, err);
}

/* Copies the text between `from` and `to`, without blanks at its ends, to `out`. Returns false if
 * it is too long. */
static bool copy_trimmed(const char *from, const char *to, char *out, size_t size) {
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    size_t length = (size_t)(to - from);
    if (length >= size) return false;
    memcpy(out, from, length);
    out[length] = 0;
    return true;
}

/* Removes the quotes around a quoted value, and each backslash before a quote or a backslash in it.
 * Returns false if the value begins with a quote that is not closed at the end of the value. */
static bool unquote(char *value) {
    size_t from = 1, to = 0;
    if (value[0] != '"') return true;
    for (; value[from] && value[from] != '"'; from++) {
        if (value[from] == '\\' && (value[from + 1] == '\\' || value[from + 1] == '"')) from++;
        value[to++] = value[from];
    }
    bool closed = value[from] == '"' && !value[from + 1];
    value[to] = 0;
    return closed;
}

Status settings_assign(const SettingsGroup *groups, const char *assignment, Error *err) {
    char key[KEY_SIZE], value[VALUE_SIZE];
    const char *equals = strchr(assignment, '=');
    if (!equals) return fail(err, ERR_SYNTAX, "\"%.80s\" is not key = value", assignment);
    if (!copy_trimmed(assignment, equals, key, sizeof key) || !*key)
        return fail(err, ERR_SYNTAX, "no name before '=' in \"%.80s\"", assignment);
    if (!copy_trimmed(equals + 1, equals + strlen(equals), value, sizeof value))
        return fail(err, ERR_SYNTAX, "the value of %s is too long: more than %d characters", key,
                    VALUE_SIZE - 1);
    if (!unquote(value))
        return fail(err, ERR_SYNTAX, "the value of %s begins with a quote that is not closed", key);
    return settings_set(groups, key, value, err);
}

/* Returns the place of the first '#' outside quotes, with which a comment begins, or `end` if the
 * line has no comment. */
static const char *comment_start(const char *line, const char *end) {
    bool quoted = false;
    for (const char *at = line; at < end; at++) {
        if (*at == '\\' && quoted && at + 1 < end && (at[1] == '"' || at[1] == '\\')) {
            at++;
            continue;
        }
        if (*at == '"') quoted = !quoted;
        if (*at == '#' && !quoted) return at;
    }
    return end;
}

/* The files that one call reads. Without a limit on their number, a few small files that include
 * the next one many times would keep the program busy for ever. */
typedef struct {
    int depth;    /* of the file that is being read; 0 is the first one */
    int count;    /* of the files that were included so far */
    bool refused; /* no file may be included */
} Includes;

static Status load_file(const SettingsGroup *groups, const char *path, Includes *includes,
                        Error *err);

static Status include(const SettingsGroup *groups, const char *line, const char *name,
                      Includes *includes, Error *err) {
    Path path;
    char file[512];
    if (includes->refused) return fail(err, ERR_SYNTAX, "@include is not allowed here");
    if (!copy_trimmed(line + strlen("@include"), line + strlen(line), file, sizeof file) || !*file)
        return fail(err, ERR_SYNTAX, "@include needs a file name");
    const char *slash = *file == '/' ? NULL : strrchr(name, '/');
    int length = snprintf(path.text, sizeof path.text, "%.*s%s",
                          slash ? (int)(slash - name) + 1 : 0, name, file);
    if (length < 0 || (size_t)length >= sizeof path.text)
        return fail(err, ERR_ARGUMENT, "the path of the included file is too long");
    if (includes->depth == INCLUDE_DEPTH_MAX)
        return fail(err, ERR_SYNTAX, "files include each other more than %d deep",
                    INCLUDE_DEPTH_MAX);
    if (includes->count++ == INCLUDES_MAX)
        return fail(err, ERR_SYNTAX, "more than %d files are included", INCLUDES_MAX);
    includes->depth++;
    Status status = load_file(groups, path.text, includes, err);
    includes->depth--;
    return status;
}

static Status parse_lines(const SettingsGroup *groups, const char *text, const char *name,
                          int line_number, Includes *includes, Error *err) {
    for (const char *line = text; *line; line_number++) {
        const char *end = line + strcspn(line, "\n");
        char content[LINE_SIZE];
        Status status = OK;
        if (!copy_trimmed(line, comment_start(line, end), content, sizeof content))
            status = fail(err, ERR_SYNTAX, "the line is too long: more than %d characters",
                          LINE_SIZE - 1);
        else if (strcspn(content, " \t") == 8 && strncmp(content, "@include", 8) == 0)
            status = include(groups, content, name, includes, err);
        else if (*content)
            status = settings_assign(groups, content, err);
        if (status) return fail_within(err, status, "%s:%d", name, line_number);
        line = *end ? end + 1 : end;
    }
    return OK;
}

Status settings_parse(const SettingsGroup *groups, const char *text, const char *name, Error *err) {
    return parse_lines(groups, text, name, 1, &(Includes){0}, err);
}

Status settings_parse_note(const SettingsGroup *groups, const char *text, const char *name,
                           Error *err) {
    return parse_lines(groups, text, name, 1, &(Includes){.refused = true}, err);
}

Status settings_parse_from(const SettingsGroup *groups, const char *text, const char *name,
                           int line, Error *err) {
    return parse_lines(groups, text, name, line, &(Includes){0}, err);
}

static Status load_file(const SettingsGroup *groups, const char *path, Includes *includes,
                        Error *err) {
    Arena arena = {0};
    char *text;
    size_t length;
    Status status = file_read(path, 1 << 20, &arena, &text, &length, err);
    if (!status && strlen(text) != length)
        status = fail(err, ERR_SYNTAX, "%s is not a text file", path);
    if (!status) status = parse_lines(groups, text, path, 1, includes, err);
    arena_clear(&arena);
    return status;
}

Status settings_load(const SettingsGroup *groups, const char *path, Error *err) {
    return load_file(groups, path, &(Includes){0}, err);
}

static void write_choice(const char *words, int index, StrBuf *out) {
    while (words && index-- > 0) {
        words = strchr(words, '|');
        if (words) words++;
    }
    if (words) strbuf_add_bytes(out, words, strcspn(words, "|"));
}

static void write_text(const char *text, StrBuf *out) {
    strbuf_add(out, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') strbuf_add(out, "\\");
        strbuf_add_bytes(out, text, 1);
    }
    strbuf_add(out, "\"");
}

static void write_value(const SettingsField *field, const void *at, StrBuf *out) {
    switch (field->type) {
    case FIELD_TYPE_INT:
        strbuf_addf(out, "%d", *(const int *)at);
        break;
    case FIELD_TYPE_INT64:
        strbuf_addf(out, "%lld", (long long)*(const int64_t *)at);
        break;
    case FIELD_TYPE_DOUBLE:
        strbuf_add(out, number_exact(*(const double *)at).text);
        break;
    case FIELD_TYPE_BOOL:
        strbuf_add(out, *(const bool *)at ? "true" : "false");
        break;
    case FIELD_TYPE_TEXT:
        write_text(at, out);
        break;
    case FIELD_TYPE_CHOICE:
        write_choice(field->text, *(const int *)at, out);
        break;
    }
}

void settings_write(const SettingsGroup *groups, StrBuf *out) {
    for (const SettingsGroup *group = groups; group->prefix; group++) {
        if (!group->target) continue;
        for (const SettingsField *field = group->fields; field->name; field++) {
            strbuf_addf(out, "%s.%s = ", group->prefix, field->name);
            write_value(field, member(field, group->target), out);
            strbuf_add(out, "\n");
        }
    }
}

/* Writes one value in the form that settings_set() reads. */
static void write_plain(const SettingsField *field, const void *target, StrBuf *out) {
    const char *at = (const char *)target + field->offset;
    if (field->type == FIELD_TYPE_TEXT)
        strbuf_add(out, at);
    else
        write_value(field, at, out);
}

void settings_write_changed(const SettingsField *fields, const void *target, const void *standard,
                            StrBuf *out) {
    for (const SettingsField *field = fields; field->name; field++) {
        const char *name = field->former ? field->former : field->name;
        if (settings_same(field, target, standard)) continue;
        strbuf_addf(out, "%.*s=", (int)strcspn(name, "|"), name);
        write_plain(field, target, out);
        strbuf_add(out, "\n");
    }
}

Status settings_get(const SettingsGroup *groups, const char *key, StrBuf *value, Error *err) {
    int matches;
    FoundField found = find_field(groups, key, &matches);
    if (!found.field || !found.group->target) return unknown_key(groups, key, err);
    write_plain(found.field, found.group->target, value);
    return OK;
}
