#include "cli/engine/katago_options.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/engine/katago_keys.h"
#include "cli/engine/start_settings.h"

enum { CONFIG_BYTES_MAX = 1 << 24, ASSIGNMENT_MAX = 1024 };

typedef struct {
    const SettingsGroup *groups;
    const char *name; /* of the file or option, for messages */
    int line;
    bool overrides; /* it overrides what configs have set */
} Source;

/* Copies the key of "key = value". Returns false if there is no '=' or no key. */
static bool key_of(const char *assignment, char key[128]) {
    size_t length = strcspn(assignment, "=");
    if (!assignment[length]) return false;
    while (length && isspace((unsigned char)assignment[length - 1]))
        length--;
    snprintf(key, 128, "%.*s", (int)length, assignment);
    return length > 0;
}

static Status apply_one(const Source *source, const char *assignment, Error *err) {
    char key[128];
    StrBuf value = {0};
    while (isspace((unsigned char)*assignment))
        assignment++;
    if (!*assignment) return OK;
    if (!key_of(assignment, key))
        return fail(err, ERR_SYNTAX, "%s:%d: \"%.80s\" is not key = value", source->name,
                    source->line, assignment);
    bool known = !settings_get(source->groups, key, &value, NULL);
    strbuf_clear(&value);
    if (!known) {
        const char *reason = katago_key_reason(key);
        fprintf(stderr, "%s: unused key \"%s\"%s%s\n", source->name, key, reason ? ": " : "",
                reason ? reason : "");
        return OK;
    }
    if (source->overrides) start_rules_replace(source->groups, key);
    Status status = settings_assign(source->groups, assignment, err);
    return status ? fail_within(err, status, "%s:%d", source->name, source->line) : OK;
}

/* Cuts off a comment, which begins at a '#' outside quotes. */
static void cut_comment(char *line) {
    bool quoted = false;
    for (; *line; line++) {
        if (*line == '"') quoted = !quoted;
        if (*line != '#' || quoted) continue;
        *line = 0;
        return;
    }
}

static Status apply_file(const SettingsGroup *groups, const char *path, Error *err) {
    Arena arena = {0};
    char *text;
    size_t length;
    Source source = {groups, path, 0, false};
    Status status = file_read(path, CONFIG_BYTES_MAX, &arena, &text, &length, err);
    for (char *line = status ? NULL : text; line && *line && !status;) {
        char *end = line + strcspn(line, "\n"), *next = *end ? end + 1 : end;
        *end = 0;
        source.line++;
        cut_comment(line);
        if (*line == '@')
            fprintf(stderr, "%s:%d: \"%.80s\" is not supported and ignored\n", path, source.line,
                    line);
        else
            status = apply_one(&source, line, err);
        line = next;
    }
    arena_clear(&arena);
    return status;
}

/* Applies "key=value,key=value". A comma in quotes belongs to the value. */
static Status apply_list(const SettingsGroup *groups, const char *list, Error *err) {
    char one[ASSIGNMENT_MAX];
    Source source = {groups, "-override-config", 1, true};
    Status status = OK;
    while (*list && !status) {
        size_t length = 0;
        bool quoted = false;
        for (; list[length] && (quoted || list[length] != ','); length++)
            quoted ^= list[length] == '"';
        if (length >= sizeof one)
            return fail(err, ERR_ARGUMENT, "-override-config: \"%.60s...\" is too long", list);
        memcpy(one, list, length);
        one[length] = 0;
        status = apply_one(&source, one, err);
        list += length + (list[length] == ',');
    }
    return status;
}

static const KatagoOption *find_option(const KatagoOption *options, const char *word) {
    for (; options->name; options++) {
        if (strcmp(options->name, word) == 0) return options;
    }
    return NULL;
}

static bool is_of_aji(const KatagoOption *option) {
    return strncmp(option->ours, "--", 2) == 0;
}

/* Applies the files (`files`) or the lists of settings of the command line. */
static Status apply_all(const KatagoOption *options, const SettingsGroup *groups, bool files,
                        int argc, char *const *argv, Error *err) {
    Status status = OK;
    for (int i = 1; i < argc && !status; i++) {
        const KatagoOption *option = find_option(options, argv[i]);
        if (!option || is_of_aji(option)) continue;
        if (++i == argc) return fail(err, ERR_ARGUMENT, "%s needs a value", option->name);
        if ((strcmp(option->ours, KATAGO_CONFIG) == 0) != files) continue;
        status = files ? apply_file(groups, argv[i], err) : apply_list(groups, argv[i], err);
    }
    return status;
}

Status katago_options_take(const KatagoOption *options, const SettingsGroup *groups, int *argc,
                           char **argv, Error *err) {
    int kept = 1;
    Status status = apply_all(options, groups, true, *argc, argv, err);
    if (!status) status = apply_all(options, groups, false, *argc, argv, err);
    if (status) return status;
    for (int i = 1; i < *argc; i++) {
        const KatagoOption *option = find_option(options, argv[i]);
        if (!option)
            argv[kept++] = argv[i];
        else if (is_of_aji(option))
            argv[kept++] = (char *)(uintptr_t)option->ours;
        else
            i++; /* its value */
    }
    *argc = kept;
    return OK;
}
