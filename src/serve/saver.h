/* saver.h - a thread that writes files, so that whoever has something to save need not wait for the
 * disk. A text that is not written yet is replaced by a newer one for the same file.
 * Threading: confined to one thread; the saver's own thread calls only setup.wake(). */
#pragma once
#include "base/error.h"
#include <stddef.h>

enum { SAVED_NAME_MAX = 64 };

typedef struct {
    const char *folder;          /* of the files; it is made when it is missing; borrowed */
    void (*wake)(void *context); /* any thread: saver_take() has something */
    void *context;
} SaverSetup;

/* A file was written, or could not be. */
typedef struct {
    char name[SAVED_NAME_MAX];
    Status status; /* OK if the newest text that was given at that time is in the file */
    Error err;
} Saved;

typedef struct Saver Saver;
/* Starts the thread. Copies the setup. ERR_MEMORY. */
MUST_USE Status saver_new(const SaverSetup *setup, Saver **out, Error *err);
/* Writes everything that waits, then ends the thread. NULL is fine. */
void saver_free(Saver *saver);
/* Writes the text to the file of this name in the folder, soon. Copies both. ERR_MEMORY. */
MUST_USE Status saver_put(Saver *saver, const char *name, const char *text, size_t length,
                          Error *err);
/* Takes the oldest news of a file. Returns false if there is none. */
bool saver_take(Saver *saver, Saved *out);
/* Whether a text for the file waits or is being written, or there is news of it. */
bool saver_is_busy(Saver *saver, const char *name);
