/* thread_team.h - threads that wait for work. Starting a thread takes as long as a short search, so
 * callers with frequent parallel work keep a team. Use: thread_team_new(), thread_team_run() for
 * each piece of work, thread_team_free(). Threading: confined; bodies run on all threads. */
#pragma once
#include "base/thread.h"

typedef struct ThreadTeam ThreadTeam;
/* `count`: the number of threads, at least 1; the caller's own thread is one of them. */
MUST_USE Status thread_team_new(int count, ThreadTeam **out, Error *err);
void thread_team_free(ThreadTeam *team); /* NULL is fine */
/* Runs body(argument, index) for index 0 .. count-1, each on its own thread (the caller's is number
 * 0), and returns when all are done. */
void thread_team_run(ThreadTeam *team, void (*body)(void *argument, int index), void *argument);
