/* error.h - the status of a call that can fail, and the message that goes with it.
 * Threading: the codes are immutable; an Error is confined to its caller. */
#pragma once
#include <stdarg.h>
#include <stdbool.h>

#define MUST_USE __attribute__((warn_unused_result))

typedef enum {
    OK = 0,
    ERR_ARGUMENT,    /* a setting or parameter has an impossible value */
    ERR_SYNTAX,      /* text or bytes do not follow their format */
    ERR_ILLEGAL,     /* the rules forbid a move */
    ERR_IO,          /* a file, disk, pipe or network failed */
    ERR_MEMORY,      /* memory ran out */
    ERR_UNSUPPORTED, /* well formed, but this program cannot do it */
    ERR_STOPPED      /* the work was asked to stop before its end */
} Status;

typedef struct {
    Status status;
    char message[512];
} Error;

/* Writes the formatted message to `err` (NULL is fine) and returns `status`. */
Status fail(Error *err, Status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts the formatted text and ": " before the message that `err` already holds, and returns
 * `status`. Callers use it to add the file or line in which the failure happened. */
Status fail_within(Error *err, Status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

const char *status_name(Status status); /* "ok", "argument", "syntax", ... */
