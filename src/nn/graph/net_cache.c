#include "nn/graph/net_cache.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"

struct NetCache {
    pthread_mutex_t lock;
    void *contents; /* guarded by lock */
    int references; /* guarded by lock */
};

Status net_cache_new(NetCache **out, Error *err) {
    Status status = mem_new(1, sizeof **out, out, err);
    if (status) return status;
    pthread_mutex_init(&(*out)->lock, NULL);
    (*out)->references = 1;
    return OK;
}

NetCache *net_cache_acquire(NetCache *cache) {
    pthread_mutex_lock(&cache->lock);
    cache->references++;
    pthread_mutex_unlock(&cache->lock);
    return cache;
}

void net_cache_release(NetCache *cache) {
    if (!cache) return;
    pthread_mutex_lock(&cache->lock);
    bool last = --cache->references == 0;
    pthread_mutex_unlock(&cache->lock);
    if (!last) return;
    assert(!cache->contents);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

void **net_cache_lock(NetCache *cache) {
    pthread_mutex_lock(&cache->lock);
    return &cache->contents;
}

void net_cache_unlock(NetCache *cache) {
    pthread_mutex_unlock(&cache->lock);
}
