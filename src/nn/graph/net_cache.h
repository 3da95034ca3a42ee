/* net_cache.h - a place that hangs on a net, where those who use the net keep what they derive from
 * it, so that several of them need it only once. The cache knows neither what it holds nor how
 * that is made or freed: whoever puts something in holds a reference to the cache until he takes
 * it out again, so that the cache is empty when the last reference goes.
 * Threading: shared. */
#pragma once
#include "base/error.h"

typedef struct NetCache NetCache;

MUST_USE Status net_cache_new(NetCache **out, Error *err); /* with one reference */
NetCache *net_cache_acquire(NetCache *cache);              /* one more reference to it */
void net_cache_release(NetCache *cache);                   /* NULL is fine */
/* Waits until nobody else has it, and returns where what it holds is kept: NULL at first. To be
 * followed by net_cache_unlock(). */
void **net_cache_lock(NetCache *cache);
void net_cache_unlock(NetCache *cache);
