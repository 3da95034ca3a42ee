#include "run/store/run_store.h"

void run_store_init(RunStore *store) {
    *store = (RunStore){.training = {.file = -1}, .gating = {.file = -1}};
}

void run_store_close(RunStore *store) {
    run_store_close_index(store);
    run_store_unlock_training(store);
    run_store_unlock_gating(store);
}

Status run_store_open_index(RunStore *store, Error *err) {
    return run_index_open(store->directory.database.text, &store->index, err);
}

void run_store_close_index(RunStore *store) {
    run_index_close(store->index);
    store->index = NULL;
}

bool run_store_trains(const RunStore *store) {
    return store->training.file >= 0;
}

bool run_store_gates(const RunStore *store) {
    return store->gating.file >= 0;
}

Status run_store_lock_training(RunStore *store, Error *err) {
    if (run_store_trains(store)) return OK;
    return run_lock_acquire(store->directory.root.text, "train.lock", "trains on this run",
                            &store->training, err);
}

Status run_store_lock_gating(RunStore *store, Error *err) {
    if (run_store_gates(store)) return OK;
    return run_lock_acquire(store->directory.root.text, "nets.lock", "makes the nets of this run",
                            &store->gating, err);
}

Status run_store_check_locks(RunStore *store, Error *err) {
    Status status = run_store_trains(store) ? run_lock_check(&store->training, err) : OK;
    return status || !run_store_gates(store) ? status : run_lock_check(&store->gating, err);
}

void run_store_unlock_training(RunStore *store) {
    run_lock_release(&store->training);
}

void run_store_unlock_gating(RunStore *store) {
    run_lock_release(&store->gating);
}
