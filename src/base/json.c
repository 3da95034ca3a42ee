#include "base/json.h"

/* Limits the memory that parsing takes. jansson needs a few hundred bytes for a list or object and
 * about fifty bytes for a member. So a parsed text can take a hundred times the memory of the text
 * itself. */
static Status check_size(const char *text, size_t length, Error *err) {
    enum { MAX_LISTS = 1 << 17, MAX_MEMBERS = 1 << 20 };
    size_t lists = 0, members = 0;
    bool quoted = false;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == '"') quoted = !quoted;
        i += quoted && c == '\\'; /* skips an escaped character */
        lists += !quoted && (c == '[' || c == '{');
        members += !quoted && c == ',';
    }
    if (lists <= MAX_LISTS && members <= MAX_MEMBERS) return OK;
    return fail(err, ERR_SYNTAX,
                "JSON has %zu lists and objects with %zu commas; at most %d and %d are allowed",
                lists, members, MAX_LISTS, MAX_MEMBERS);
}

Status json_parse(const char *text, size_t length, json_t **out, Error *err) {
    json_error_t error;
    *out = NULL;
    Status status = check_size(text, length, err);
    if (status) return status;
    *out = json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    if (*out) return OK;
    return fail(err, ERR_SYNTAX, "JSON, line %d, column %d: %s", error.line, error.column,
                error.text);
}

static Status lookup(const json_t *object, const char *key, bool wanted, json_t **out, Error *err) {
    *out = json_object_get(object, key);
    if (*out || !wanted) return OK;
    return fail(err, ERR_SYNTAX, "JSON: \"%s\" is missing", key);
}

Status json_member_text(const json_t *object, const char *key, bool wanted, const char **out,
                        Error *err) {
    json_t *value;
    Status status = lookup(object, key, wanted, &value, err);
    if (status || !value) return status;
    if (!json_is_string(value)) return fail(err, ERR_SYNTAX, "JSON: \"%s\" is not a text", key);
    *out = json_string_value(value);
    return OK;
}
