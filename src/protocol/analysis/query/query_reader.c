#include "protocol/analysis/query/query_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static char *format_text(const char *format, va_list arguments)
    __attribute__((format(printf, 1, 0)));
static char *format_text(const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text) vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

bool reader_fault(QueryReader *reader, const char *field, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    snprintf(reader->fault->field, sizeof reader->fault->field, "%s", field);
    reader->fault->text = format_text(format, arguments);
    va_end(arguments);
    return false;
}

void reader_warn(QueryReader *reader, const char *field, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = format_text(format, arguments);
    va_end(arguments);
    json_t *warning = json_object();
    json_object_set_new(warning, "field", json_string(field));
    json_object_set_new(warning, "id", json_string(reader->query->id));
    json_object_set_new(warning, "warning", json_string(text ? text : ""));
    json_array_append_new(reader->warnings, warning);
    free(text);
}

bool json_integer_within(const json_t *value, long long min, long long max, long long *out) {
    if (!json_is_integer(value)) return false;
    *out = json_integer_value(value);
    return *out >= min && *out <= max;
}
