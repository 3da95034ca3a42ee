/* error.h - the status of a call that can fail, and the message that goes with it.
 * Threading: immutable codes; an Error is confined to its caller. */
#pragma once
#include <stdarg.h>
#include <stdbool.h>

#define MUST_USE __attribute__((warn_unused_result))

typedef enum {
    OK = 0,
    ERR_ARGUMENT,    /* a value of a setting or a parameter that cannot be */
    ERR_SYNTAX,      /* text or bytes that do not follow their format */
    ERR_ILLEGAL,     /* a move that the rules forbid */
    ERR_IO,          /* file, disk, pipe or network */
    ERR_MEMORY,      /* no room */
    ERR_UNSUPPORTED, /* well formed, but beyond this program */
    ERR_STOPPED      /* asked to stop before the end */
} Status;

typedef struct {
    Status status;
    char message[512];
} Error;

/* Writes the message into `err` (NULL is fine) and returns `status`. */
Status fail(Error *err, Status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "context: " before the message of a failure and returns its status, for callers that know
 * which file or line it happened in. */
Status fail_within(Error *err, Status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

const char *status_name(Status status); /* "argument", "syntax", ...; "ok" */
