/* saver.h - a thread that writes files, so that its caller need not wait for the disk. While a text
 * still waits to be written, a newer text for the same file replaces it.
 * Threading: confined to one thread; the saver's own thread calls only setup.wake(). */
#pragma once
#include "base/error.h"
#include <stddef.h>

enum { SAVED_NAME_MAX = 64 };

typedef struct {
    const char *folder;          /* of the files; it is made if it is missing; borrowed */
    void (*wake)(void *context); /* the saver's thread calls it when saver_take() has a result */
    void *context;
} SaverSetup;

/* The result of writing a file. */
typedef struct {
    char name[SAVED_NAME_MAX];
    Status status; /* OK: the file has the newest text that was given before the writing began */
    Error err;
} Saved;

typedef struct Saver Saver;
/* Starts the thread. Copies the setup. ERR_MEMORY. */
MUST_USE Status saver_new(const SaverSetup *setup, Saver **out, Error *err);
/* Writes everything that waits, then ends the thread. NULL is fine. */
void saver_free(Saver *saver);
/* Lets the thread write the text to the file `name` in the folder. Copies the name and the text.
 * ERR_MEMORY. */
MUST_USE Status saver_put(Saver *saver, const char *name, const char *text, size_t length,
                          Error *err);
/* Takes the oldest result. Returns false if there is none. */
bool saver_take(Saver *saver, Saved *out);
/* Whether a text for the file waits or is being written, or its result has not been taken. */
bool saver_is_busy(Saver *saver, const char *name);
