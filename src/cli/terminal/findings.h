/* findings.h - the list of what `aji doctor` finds, which is printed as aligned text or as JSON.
 * Threading: confined. */
#pragma once
#include "base/json.h"
#include "base/strbuf.h"

typedef enum {
    FINDING_FINE,
    FINDING_MISSING, /* something that one may do without */
    FINDING_FAULT    /* something without which the program cannot play */
} FindingState;

typedef struct {
    json_t *list; /* objects with state, topic, text, advice and value; NULL if memory is short */
} Findings;

void findings_init(Findings *findings);
void findings_clear(Findings *findings);
/* Adds a finding. `advice` says what to type or where to get what is missing; NULL: nothing.
 * `value` is the finding in a form for programs, such as a number. It may be NULL. This function
 * releases it. */
void findings_add(Findings *findings, FindingState state, const char *topic, const char *text,
                  const char *advice, json_t *value);
/* Prints the list in columns, in colors if they are wanted. A topic that comes several times in a
 * row is printed once. */
void findings_print(const Findings *findings, bool color);
bool findings_have_fault(const Findings *findings);
