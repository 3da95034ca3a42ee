#include "base/options/help_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/strbuf.h"

enum { DEFAULT_WIDTH = 100, MIN_WIDTH = 40 };

int help_text_width(void) {
    struct winsize size;
    const char *text = getenv("COLUMNS");
    int width = text ? (int)strtol(text, NULL, 10) : 0;
    if (width <= 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) width = size.ws_col;
    return width < MIN_WIDTH ? DEFAULT_WIDTH : width;
}

int help_text_columns(void) {
    int width = help_text_width();
    return width < DEFAULT_WIDTH ? width : DEFAULT_WIDTH;
}

void help_text_wrap(const char *text, int at, int indent, int width) {
    for (bool first = true; *text; first = false) {
        int length = (int)strcspn(text, " ");
        if (!first && at + 1 + length > width)
            at = printf("\n%*s", indent, "") - 1;
        else if (!first)
            at += printf(" ");
        at += printf("%.*s", length, text);
        text += length + (text[length] == ' ');
    }
    printf("\n");
}

int help_text_explanation(const char *line, int length) {
    int at = (int)strspn(line, " ");
    while (at + 1 < length && strncmp(line + at, "  ", 2) != 0)
        at++;
    if (at + 1 >= length) return 0;
    return at + (int)strspn(line + at, " ");
}

/* Prints an indented line, which is an example or defines a word. */
static void print_indented(const char *line, int length) {
    int column = help_text_explanation(line, length);
    char text[512];
    printf("%.*s", column ? column : length, line);
    if (column) {
        snprintf(text, sizeof text, "%.*s", length - column, line + column);
        help_text_wrap(text, column, column, help_text_columns());
    } else {
        printf("\n");
    }
}

void help_text_print(const char *text) {
    while (*text) {
        int length = (int)strcspn(text, "\n");
        if (*text == ' ') {
            print_indented(text, length);
            text += length + (text[length] == '\n');
            continue;
        }
        StrBuf paragraph = {0};
        while (*text && *text != ' ' && *text != '\n') {
            length = (int)strcspn(text, "\n");
            strbuf_addf(&paragraph, "%s%.*s", paragraph.length ? " " : "", length, text);
            text += length + (text[length] == '\n');
        }
        if (!paragraph.length) text++; /* an empty line */
        help_text_wrap(strbuf_text(&paragraph), 0, 0, help_text_columns());
        strbuf_clear(&paragraph);
    }
}
