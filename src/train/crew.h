/* crew.h - threads that stay, for work that comes in many short pieces. Threading: confined
 * (threads inside). */
#pragma once
#include "base/error.h"

typedef struct Crew Crew;
/* `body(argument, index)` for index 0 .. count - 1; the caller of crew_run() is number 0. */
MUST_USE Status crew_new(int count, void (*body)(void *argument, int index), void *argument,
                         Crew **out, Error *err);
void crew_free(Crew *crew);
void crew_run(Crew *crew); /* returns when all have done their part once */
