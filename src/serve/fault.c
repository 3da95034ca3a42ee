#include "serve/fault.h"

#include <stdarg.h>
#include <stdio.h>

bool fault_set(Fault *fault, const char *code, const char *field, const char *format, ...) {
    va_list arguments;
    fault->code = code;
    fault->field = field;
    va_start(arguments, format);
    vsnprintf(fault->message, sizeof fault->message, format, arguments);
    va_end(arguments);
    /* A message may quote a text that is cut in the middle of a UTF-8 character. */
    for (char *at = fault->message; *at; at++) {
        if ((unsigned char)*at >= 0x80) *at = '?';
    }
    return false;
}

json_t *fault_json(const Fault *fault) {
    json_t *object = json_pack("{s:s,s:s}", "code", fault->code, "message", fault->message);
    if (object && fault->field) json_object_set_new(object, "field", json_string(fault->field));
    return object;
}
