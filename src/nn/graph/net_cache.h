/* net_cache.h - a place in a net where its users keep what they derive from it, so that several of
 * them derive it only once. The cache does not know what it holds nor how that is made or freed.
 * Whoever puts something in keeps a reference to the cache until they take it out again, so that
 * the cache is empty when the last reference is released.
 * Threading: shared. */
#pragma once
#include "base/error.h"

typedef struct NetCache NetCache;

MUST_USE Status net_cache_new(NetCache **out, Error *err); /* has one reference */
NetCache *net_cache_acquire(NetCache *cache);              /* adds a reference */
void net_cache_release(NetCache *cache);                   /* NULL is fine */
/* Waits until no other thread has the lock, and returns a pointer to the contents, which are NULL
 * at first. Call net_cache_unlock() afterwards. */
void **net_cache_lock(NetCache *cache);
void net_cache_unlock(NetCache *cache);
