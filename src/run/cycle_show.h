/* cycle_show.h - how a cycle shows what it does. Threading: confined, but for cycle_show(): while
 * the cycle's thread waits for a match or for self-play, one of their threads at a time. */
#pragma once
#include "run/cycle_private.h"

/* Draws the progress: what is going on and how far it is. */
void cycle_show(Cycle *cycle, const char *phase, double done, double total, bool now);
/* A look through many files, as a start without its index takes: how far it is and how long it will
 * take, every few seconds. */
typedef struct {
    const char *what; /* "row files" */
    int count;
    double begun, next; /* when the next line comes */
} Look;
Look cycle_look(const char *what, int count);
void cycle_tell_look(Cycle *cycle, Look *look, int done);
typedef struct {
    char text[160];
} LookText;
LookText look_text(const Look *look, int done, double seconds);
