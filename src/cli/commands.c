#include "cli/commands.h"

#include <stdio.h>
#include <stdlib.h>

int command_code(Status status) {
    return !status ? 0 : status == ERR_STOPPED ? 130 : status == ERR_ARGUMENT ? 2 : 1;
}

int command_end(const char *name, Status status, const Error *err) {
    if (status) fprintf(stderr, "aji %s: %s\n", name, err->message);
    return command_code(status);
}

Status command_json(json_t *object, int digits, Error *err) {
    char *text = object ? json_dumps(object, JSON_REAL_PRECISION(digits)) : NULL;
    json_decref(object);
    if (!text)
        return fail(err, ERR_MEMORY,
                    "cannot make the JSON: too little memory, or a name is not UTF-8");
    puts(text);
    free(text);
    return OK;
}
