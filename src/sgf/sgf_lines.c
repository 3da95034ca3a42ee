#include "sgf/sgf_lines.h"

#include <stdlib.h>

#include "base/memory.h"

#define PIECE_BYTES ((size_t)8192) /* from one mark to the next */

SgfLines sgf_lines_init(const char *text, size_t length, int first) {
    return (SgfLines){.text = text, .length = length, .line = first, .first = first};
}

void sgf_lines_clear(SgfLines *lines) {
    free(lines->marks);
    *lines = (SgfLines){0};
}

/* Counts the ends of lines among the characters from `from` to before `to`. */
static int count_ends(const SgfLines *lines, size_t from, size_t to) {
    const char *text = lines->text;
    int count = 0;
    /* The loop also looks at the character after each one, so the last character of the text is
     * checked separately. */
    bool has_last = to == lines->length && from < to;
    size_t end = has_last ? to - 1 : to;
    for (size_t i = from; i < end; i++)
        count += (text[i] == '\n') | ((text[i] == '\r') & (text[i + 1] != '\n'));
    return count + (has_last && (text[end] == '\n' || text[end] == '\r'));
}

/* Returns the marks, or NULL if there is no memory for them. */
static const int *get_marks(SgfLines *lines) {
    size_t count = lines->length / PIECE_BYTES + 1;
    if (lines->marks || mem_new(count, sizeof *lines->marks, &lines->marks, NULL))
        return lines->marks;
    lines->marks[0] = lines->first;
    for (size_t i = 1; i < count; i++) {
        size_t from = (i - 1) * PIECE_BYTES;
        lines->marks[i] = lines->marks[i - 1] + count_ends(lines, from, from + PIECE_BYTES);
    }
    return lines->marks;
}

int sgf_lines_at(SgfLines *lines, size_t at) {
    size_t distance = at < lines->at ? lines->at - at : at - lines->at;
    /* The marks are made at the first jump back. Before that, a jump forward counts from the last
     * call. */
    bool jump = distance > PIECE_BYTES && (at < lines->at || lines->marks);
    const int *marks = jump ? get_marks(lines) : NULL;
    if (marks) {
        lines->at = at / PIECE_BYTES * PIECE_BYTES;
        lines->line = marks[at / PIECE_BYTES];
    }
    if (at < lines->at)
        lines->line -= count_ends(lines, at, lines->at);
    else
        lines->line += count_ends(lines, lines->at, at);
    lines->at = at;
    return lines->line;
}
