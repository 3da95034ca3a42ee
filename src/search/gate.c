#include "search/gate.h"

#include <sched.h>

void gate_init(Gate *gate, int lanes) {
    for (int i = 0; i < GATE_LANES_MOST; i++)
        atomic_init(&gate->lanes[i].inside, false);
    gate->lane_count = lanes;
    atomic_init(&gate->closed, false);
    pthread_mutex_init(&gate->alone, NULL);
}

void gate_clear(Gate *gate) {
    pthread_mutex_destroy(&gate->alone);
}

/* Each side first says what it does and then looks at the other (Dekker): in the one order of
 * sequentially consistent operations one of them sees the other. */
void gate_enter(Gate *gate, int lane) {
    for (;;) {
        atomic_store_explicit(&gate->lanes[lane].inside, true, memory_order_seq_cst);
        if (!atomic_load_explicit(&gate->closed, memory_order_seq_cst)) return;
        atomic_store_explicit(&gate->lanes[lane].inside, false, memory_order_release);
        pthread_mutex_lock(&gate->alone); /* until it opens */
        pthread_mutex_unlock(&gate->alone);
    }
}

void gate_leave(Gate *gate, int lane) {
    atomic_store_explicit(&gate->lanes[lane].inside, false, memory_order_release);
}

void gate_close(Gate *gate) {
    pthread_mutex_lock(&gate->alone);
    atomic_store_explicit(&gate->closed, true, memory_order_seq_cst);
    for (int i = 0; i < gate->lane_count; i++) {
        while (atomic_load_explicit(&gate->lanes[i].inside, memory_order_seq_cst))
            sched_yield();
    }
}

void gate_open(Gate *gate) {
    atomic_store_explicit(&gate->closed, false, memory_order_seq_cst);
    pthread_mutex_unlock(&gate->alone);
}
