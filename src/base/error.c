#include "base/error.h"

#include <stdio.h>
#include <string.h>

Status fail(Error *err, Status status, const char *format, ...) {
    if (!err) return status;
    va_list arguments;
    va_start(arguments, format);
    err->status = status;
    vsnprintf(err->message, sizeof err->message, format, arguments);
    va_end(arguments);
    return status;
}

Status fail_within(Error *err, Status status, const char *format, ...) {
    if (!err) return status;
    char before[sizeof err->message];
    memcpy(before, err->message, sizeof before);
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(err->message, sizeof err->message, format, arguments);
    va_end(arguments);
    err->status = status;
    if (length < 0 || (size_t)length + 3 >= sizeof err->message) return status;
    snprintf(err->message + length, sizeof err->message - (size_t)length, ": %.*s",
             (int)(sizeof err->message - (size_t)length - 3), before);
    return status;
}

const char *status_name(Status status) {
    static const char *const NAMES[] = {"ok", "argument", "syntax",      "illegal",
                                        "io", "memory",   "unsupported", "stopped"};
    return (unsigned)status < sizeof NAMES / sizeof *NAMES ? NAMES[status] : "unknown";
}
