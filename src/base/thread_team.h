/* thread_team.h - threads that wait for work. Starting a thread takes as long as a short search, so
 * callers with frequent parallel work keep a team. Call thread_team_new(), thread_team_run() for
 * each piece of work, and thread_team_free(). Threading: a team is confined; only the work itself
 * runs on all threads of the team. */
#pragma once
#include "base/thread.h"

typedef struct ThreadTeam ThreadTeam;
/* `count` is the number of threads, at least 1. The caller's own thread is one of them. */
MUST_USE Status thread_team_new(int count, ThreadTeam **out, Error *err);
void thread_team_free(ThreadTeam *team); /* NULL is fine */
/* Runs body(argument, index) for index 0 .. count-1, each on its own thread, and returns when all
 * are done. The caller's thread runs index 0. */
void thread_team_run(ThreadTeam *team, void (*body)(void *argument, int index), void *argument);
