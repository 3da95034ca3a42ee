#include "base/sections.h"

#include <ctype.h>
#include <string.h>

#include "base/file.h"

enum { MAX_NAME = 40, MAX_SECTIONS = 1000 };

/* For a line such as "[NAME]  # why" returns where NAME begins, and its length, which is 0 if the
 * heading is malformed. Returns NULL if the line is no heading. */
static const char *find_heading(const char *line, const char *end, size_t *length) {
    while (line < end && isspace((unsigned char)*line))
        line++;
    if (line == end || *line != '[') return NULL;
    const char *close = memchr(line, ']', (size_t)(end - line));
    const char *rest = close ? close + 1 : end;
    while (rest < end && isspace((unsigned char)*rest))
        rest++;
    *length = close && (rest == end || *rest == '#') ? (size_t)(close - line) - 1 : 0;
    return line + 1;
}

static Status check_name(const Section *sections, int count, const char *name, size_t length,
                         Error *err) {
    bool good = length > 0 && length <= MAX_NAME;
    for (size_t i = 0; i < length && good; i++)
        good = isalnum((unsigned char)name[i]) || strchr("._+-", name[i]);
    if (!good)
        return fail(err, ERR_SYNTAX,
                    "a section must begin with [NAME], where NAME has 1 to %d letters, digits or "
                    "characters of ._+-",
                    MAX_NAME);
    for (int i = 1; i < count; i++) {
        if (strlen(sections[i].name) == length && memcmp(sections[i].name, name, length) == 0)
            return fail(err, ERR_SYNTAX, "the section [%s] is there twice, first at line %d",
                        sections[i].name, sections[i].line);
    }
    return OK;
}

Status sections_parse(const char *text, const char *path, Arena *arena, Section **out, int *count,
                      Error *err) {
    Section *all = arena_alloc(arena, MAX_SECTIONS * sizeof *all);
    const char *begin = text, *line = text;
    int number = 1;
    *count = 1;
    if (!all) return fail(err, ERR_MEMORY, "no memory for the sections of %s", path);
    all[0] = (Section){"", 1, NULL};
    for (;; number++) {
        const char *end = line + strcspn(line, "\n");
        size_t length = 0;
        const char *name = *line ? find_heading(line, end, &length) : NULL;
        if (!*line || name) {
            all[*count - 1].text = arena_copy(arena, begin, (size_t)(line - begin));
            if (!all[*count - 1].text) return fail(err, ERR_MEMORY, "no memory for %s", path);
        }
        if (!*line) break;
        if (name) {
            Status status = check_name(all, *count, name, length, err);
            if (!status && *count == MAX_SECTIONS)
                status = fail(err, ERR_SYNTAX, "there are more than %d sections", MAX_SECTIONS - 1);
            if (status) return fail_within(err, status, "%s:%d", path, number);
            all[*count] = (Section){arena_copy(arena, name, length), number, NULL};
            if (!all[(*count)++].name) return fail(err, ERR_MEMORY, "no memory for %s", path);
            begin = end;
        }
        line = *end ? end + 1 : end;
    }
    *out = all;
    return OK;
}

Status sections_load(const char *path, Arena *arena, Section **out, int *count, Error *err) {
    char *text;
    size_t length;
    Status status = file_read(path, 1 << 20, arena, &text, &length, err);
    if (!status && strlen(text) != length)
        status = fail(err, ERR_SYNTAX, "%s is not a text file", path);
    return status ? status : sections_parse(text, path, arena, out, count, err);
}
