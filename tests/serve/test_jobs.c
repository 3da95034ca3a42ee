/* The thread of slow work. */
#include <stdatomic.h>

#include "base/clock.h"
#include "serve/jobs.h"
#include "test.h"

typedef struct {
    atomic_int worked, wakes;
    int ended, undone;
    int order[8], count; /* the numbers of the jobs as they ended */
    atomic_bool blocked;
} Work;

typedef struct {
    Work *all;
    int number;
} Piece;

static void wake(void *context) {
    atomic_fetch_add(&((Work *)context)->wakes, 1);
}

static void work(void *argument) {
    Work *all = ((Piece *)argument)->all;
    while (atomic_load(&all->blocked))
        clock_sleep_ms(1);
    atomic_fetch_add(&all->worked, 1);
}

static void end(void *argument, bool done) {
    const Piece *piece = argument;
    piece->all->order[piece->all->count++] = piece->number;
    piece->all->ended += done;
    piece->all->undone += !done;
}

TEST(jobs_end_in_order_on_the_thread_of_the_caller) {
    Work all = {.ended = 0};
    Piece pieces[3] = {{&all, 0}, {&all, 1}, {&all, 2}};
    Jobs *jobs;
    EXPECT_OK(jobs_new(&(JobsSetup){wake, &all}, &jobs, err));
    for (int i = 0; i < 3; i++)
        EXPECT_OK(jobs_put(jobs, &(Job){work, end, &pieces[i]}, err));
    for (int i = 0; i < 20000 && atomic_load(&all.wakes) < 3; i++)
        clock_sleep_ms(1);
    EXPECT_INT(0, all.count);
    jobs_tend(jobs);
    EXPECT_INT(3, all.ended);
    for (int i = 0; i < 3; i++)
        EXPECT_INT(i, all.order[i]);
    jobs_free(jobs);
    EXPECT_INT(3, all.count);
}

TEST(at_the_end_waiting_jobs_are_not_done_but_ended) {
    Work all = {.ended = 0};
    Piece pieces[3] = {{&all, 0}, {&all, 1}, {&all, 2}};
    Jobs *jobs;
    atomic_store(&all.blocked, true);
    EXPECT_OK(jobs_new(&(JobsSetup){wake, &all}, &jobs, err));
    EXPECT_OK(jobs_put(jobs, &(Job){work, end, &pieces[0]}, err));
    clock_sleep_ms(20); /* the first job runs */
    for (int i = 1; i < 3; i++)
        EXPECT_OK(jobs_put(jobs, &(Job){work, end, &pieces[i]}, err));
    atomic_store(&all.blocked, false);
    jobs_free(jobs);
    EXPECT_INT(3, all.count);
    EXPECT_INT(all.ended, atomic_load(&all.worked));
    EXPECT_INT(3, all.ended + all.undone);
    jobs_free(NULL);
}

TEST_MAIN(RUN(jobs_end_in_order_on_the_thread_of_the_caller),
          RUN(at_the_end_waiting_jobs_are_not_done_but_ended))
