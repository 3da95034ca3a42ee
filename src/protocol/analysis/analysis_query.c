#include "protocol/analysis/analysis_query.h"

#include <stdlib.h>

#include "base/memory.h"

Status query_new(AnalysisQuery **out, Error *err) {
    Status status = mem_new(1, sizeof **out, out, err);
    if (status) return status;
    atomic_init(&(*out)->holders, 1);
    pthread_mutex_init(&(*out)->check_lock, NULL);
    return OK;
}

AnalysisQuery *query_hold(AnalysisQuery *query) {
    atomic_fetch_add_explicit(&query->holders, 1, memory_order_relaxed);
    return query;
}

void query_release(AnalysisQuery *query) {
    if (!query) return;
    if (atomic_fetch_sub_explicit(&query->holders, 1, memory_order_acq_rel) > 1) return;
    pthread_mutex_destroy(&query->check_lock);
    free(query->id);
    free(query->stones);
    free(query->moves);
    free(query->wanted_turns);
    free(query->priorities);
    free(query->avoid);
    free(query);
}
