/* net_cache.h - a cache in a net, in which executors keep what they derive from the net, so that
 * several executors derive it only once. The cache does not know what it holds, nor how that is
 * made or freed. Code that puts something in must hold a reference to the cache until it has taken
 * it out again, so that the cache is empty when the last reference is released.
 * Threading: shared. */
#pragma once
#include "base/error.h"

typedef struct NetCache NetCache;

MUST_USE Status net_cache_new(NetCache **out, Error *err); /* has one reference */
NetCache *net_cache_acquire(NetCache *cache);              /* adds a reference */
void net_cache_release(NetCache *cache);                   /* NULL is fine */
/* Locks the cache and returns the address of its contents, a pointer that is NULL at first. Call
 * net_cache_unlock() afterwards. */
void **net_cache_lock(NetCache *cache);
void net_cache_unlock(NetCache *cache);
