/* net_cache.h - a cache in a net, in which executors keep what they derive from the net, so that
 * several executors derive it only once. The cache is one pointer with a lock. Only the code that
 * sets the pointer knows what the pointer points to, and how to free that. This code must hold a
 * reference to the cache until it has set the pointer back to NULL. So the pointer is NULL when the
 * last reference is released.
 * Threading: shared. */
#pragma once
#include "base/error.h"

typedef struct NetCache NetCache;

MUST_USE Status net_cache_new(NetCache **out, Error *err); /* has one reference */
NetCache *net_cache_acquire(NetCache *cache);              /* adds a reference */
void net_cache_release(NetCache *cache);                   /* NULL is fine */
/* Locks the cache and returns the address of its pointer, which is NULL at first. Call
 * net_cache_unlock() afterwards. */
void **net_cache_lock(NetCache *cache);
void net_cache_unlock(NetCache *cache);
