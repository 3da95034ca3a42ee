/* fault.h - why a request of the page is refused: a word for the page and a sentence for people.
 * Threading: a plain value. */
#pragma once
#include <jansson.h>
#include <stdbool.h>

typedef struct {
    const char *code;  /* a constant such as "ko"; NULL if nothing is wrong */
    const char *field; /* the member of the request that is wrong, or NULL; a constant */
    char message[320];
} Fault;

/* Sets the fault, and returns false. Bytes of the message that are not ASCII become '?'. */
bool fault_set(Fault *fault, const char *code, const char *field, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The fault as {"code":...,"message":...,"field":...}. NULL if there is no memory. */
json_t *fault_json(const Fault *fault);
