#include "base/thread_team.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"

typedef struct {
    ThreadTeam *team;
    int index;
    pthread_t thread;
} Worker;

struct ThreadTeam {
    Worker *workers;
    /* threads to start, and threads started so far; neither number includes the caller's thread */
    int count, started;
    pthread_mutex_t lock;
    pthread_cond_t begin, end;
    /* The lock guards the members from here on. */
    void (*body)(void *, int);
    void *argument;
    int64_t round; /* number of the current piece of work */
    int working;   /* threads that have not finished it yet */
    bool closing;
};

static void *run_worker(void *context) {
    Worker *worker = context;
    ThreadTeam *team = worker->team;
    int64_t done = 0;
    pthread_mutex_lock(&team->lock);
    for (;;) {
        while (team->round == done && !team->closing)
            pthread_cond_wait(&team->begin, &team->lock);
        if (team->closing) break;
        done = team->round;
        pthread_mutex_unlock(&team->lock);
        /* Reading `body` and `argument` without the lock is safe, because they do not change while
         * any thread works. */
        team->body(team->argument, worker->index);
        pthread_mutex_lock(&team->lock);
        if (--team->working == 0) pthread_cond_signal(&team->end);
    }
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

Status thread_team_new(int count, ThreadTeam **out, Error *err) {
    ThreadTeam *team;
    *out = NULL;
    Status status = mem_new(1, sizeof *team, &team, err);
    if (status) return status;
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->begin, NULL);
    pthread_cond_init(&team->end, NULL);
    team->count = count - 1;
    status = mem_new((size_t)count, sizeof *team->workers, &team->workers, err);
    for (int i = 0; i < team->count && !status; i++) {
        team->workers[i] = (Worker){.team = team, .index = i + 1};
        status = thread_start(&team->workers[i].thread, run_worker, &team->workers[i], err);
        team->started += !status;
    }
    if (status)
        thread_team_free(team);
    else
        *out = team;
    return status;
}

void thread_team_free(ThreadTeam *team) {
    if (!team) return;
    pthread_mutex_lock(&team->lock);
    team->closing = true;
    pthread_cond_broadcast(&team->begin);
    pthread_mutex_unlock(&team->lock);
    for (int i = 0; i < team->started; i++)
        pthread_join(team->workers[i].thread, NULL);
    pthread_cond_destroy(&team->begin);
    pthread_cond_destroy(&team->end);
    pthread_mutex_destroy(&team->lock);
    free(team->workers);
    free(team);
}

void thread_team_run(ThreadTeam *team, void (*body)(void *, int), void *argument) {
    pthread_mutex_lock(&team->lock);
    team->body = body;
    team->argument = argument;
    team->working = team->count;
    team->round++;
    pthread_cond_broadcast(&team->begin);
    pthread_mutex_unlock(&team->lock);
    body(argument, 0);
    pthread_mutex_lock(&team->lock);
    while (team->working)
        pthread_cond_wait(&team->end, &team->lock);
    pthread_mutex_unlock(&team->lock);
}
