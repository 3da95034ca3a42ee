#include "train/crew.h"
#include "base/memory.h"
#include "base/thread.h"
#include <stdint.h>
#include <stdlib.h>

typedef struct {
    Crew *crew;
    pthread_t thread;
    int index;
} Hand;

struct Crew {
    void (*body)(void *argument, int index);
    void *argument;
    Hand *hands; /* one less than the count */
    int started;
    pthread_mutex_t lock;
    pthread_cond_t begun, ended;
    uint64_t piece; /* guarded by lock: number of the piece of work to be done */
    int busy;       /* guarded by lock */
    bool over;      /* guarded by lock */
};

static void *work(void *argument) {
    Hand *hand = argument;
    Crew *crew = hand->crew;
    uint64_t done = 0;
    pthread_mutex_lock(&crew->lock);
    for (;;) {
        while (crew->piece == done && !crew->over)
            pthread_cond_wait(&crew->begun, &crew->lock);
        if (crew->over) break;
        done = crew->piece;
        pthread_mutex_unlock(&crew->lock);
        crew->body(crew->argument, hand->index);
        pthread_mutex_lock(&crew->lock);
        if (--crew->busy == 0) pthread_cond_signal(&crew->ended);
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

Status crew_new(int count, void (*body)(void *argument, int index), void *argument, Crew **out,
                Error *err) {
    Crew *crew;
    *out = NULL;
    Status status = mem_new(1, sizeof *crew, &crew, err);
    if (status) return status;
    crew->body = body;
    crew->argument = argument;
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->begun, NULL);
    pthread_cond_init(&crew->ended, NULL);
    if (count > 1) status = mem_new((size_t)count - 1, sizeof *crew->hands, &crew->hands, err);
    while (!status && crew->started < count - 1) {
        Hand *hand = &crew->hands[crew->started];
        *hand = (Hand){.crew = crew, .index = crew->started + 1};
        status = thread_start(&hand->thread, work, hand, err);
        if (!status) crew->started++;
    }
    if (status)
        crew_free(crew);
    else
        *out = crew;
    return status;
}

void crew_free(Crew *crew) {
    if (!crew) return;
    pthread_mutex_lock(&crew->lock);
    crew->over = true;
    pthread_cond_broadcast(&crew->begun);
    pthread_mutex_unlock(&crew->lock);
    for (int i = 0; i < crew->started; i++)
        pthread_join(crew->hands[i].thread, NULL);
    pthread_mutex_destroy(&crew->lock);
    pthread_cond_destroy(&crew->begun);
    pthread_cond_destroy(&crew->ended);
    free(crew->hands);
    free(crew);
}

void crew_run(Crew *crew) {
    pthread_mutex_lock(&crew->lock);
    crew->piece++;
    crew->busy = crew->started;
    pthread_cond_broadcast(&crew->begun);
    pthread_mutex_unlock(&crew->lock);
    crew->body(crew->argument, 0);
    pthread_mutex_lock(&crew->lock);
    while (crew->busy)
        pthread_cond_wait(&crew->ended, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}
