/* The cache of evaluations, the cached evaluators that use it, and the checked evaluator. The cache
 * is a direct-mapped table of packed evaluations, with one lock for each shard of its entries. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/thread.h"
#include "eval/evaluators/evaluator.h"

enum { SHARDS = 64 };

typedef struct {
    uint64_t key; /* 0 if the entry is empty */
    size_t bytes;
    /* The fields of Evaluation before `policy`, then the arrays of Evaluation that are set. Of each
     * array only the elements on the board are kept (parts_of()). */
    unsigned char *packed;
} Entry;

struct EvaluationCache {
    Entry *entries;
    size_t count; /* a power of two */
    int64_t limit_bytes;
    atomic_int_least64_t bytes, hits, lookups;
    pthread_mutex_t locks[SHARDS];
};

static const size_t HEAD_BYTES = offsetof(Evaluation, policy);

Status evaluation_cache_new(int64_t bytes, EvaluationCache **out, Error *err) {
    EvaluationCache *cache;
    *out = NULL;
    Status status = mem_new(1, sizeof *cache, &cache, err);
    if (status) return status;
    cache->count = 1;
    while ((int64_t)(cache->count * 2 * 512) <= bytes)
        cache->count *= 2; /* each entry gets at least 512 bytes; a 9x9 evaluation without ownership
                            * takes about 400 */
    cache->limit_bytes = bytes - (int64_t)(cache->count * sizeof *cache->entries);
    status = mem_new(cache->count, sizeof *cache->entries, &cache->entries, err);
    for (int i = 0; i < SHARDS; i++)
        pthread_mutex_init(&cache->locks[i], NULL);
    if (status)
        evaluation_cache_free(cache);
    else
        *out = cache;
    return status;
}

static void empty(EvaluationCache *cache, Entry *entry) {
    atomic_fetch_sub_explicit(&cache->bytes, (int64_t)entry->bytes, memory_order_relaxed);
    free(entry->packed);
    *entry = (Entry){0};
}

void evaluation_cache_clear(EvaluationCache *cache) {
    for (size_t shard = 0; cache->entries && shard < SHARDS; shard++) {
        pthread_mutex_lock(&cache->locks[shard]);
        for (size_t i = shard; i < cache->count; i += SHARDS)
            empty(cache, &cache->entries[i]);
        pthread_mutex_unlock(&cache->locks[shard]);
    }
}

void evaluation_cache_free(EvaluationCache *cache) {
    if (!cache) return;
    evaluation_cache_clear(cache);
    for (int i = 0; i < SHARDS; i++)
        pthread_mutex_destroy(&cache->locks[i]);
    free(cache->entries);
    free(cache);
}

int64_t evaluation_cache_hits(const EvaluationCache *cache) {
    return atomic_load_explicit(&cache->hits, memory_order_relaxed);
}

int64_t evaluation_cache_lookups(const EvaluationCache *cache) {
    return atomic_load_explicit(&cache->lookups, memory_order_relaxed);
}

/* Says where each array of an evaluation begins, and how many of its bytes are in use. human_policy
 * is missing, because no evaluator that a cached evaluator wraps gives a human_policy. */
enum { PARTS = 3 };
typedef struct {
    size_t at[PARTS], bytes[PARTS];
} Parts;

static Parts parts_of(const Evaluation *evaluation) {
    size_t area = (size_t)(evaluation->width * evaluation->height);
    return (Parts){{offsetof(Evaluation, policy), offsetof(Evaluation, ownership),
                    offsetof(Evaluation, value_buckets)},
                   {(area + 1) * sizeof(float),
                    evaluation->has_ownership ? area * sizeof(float) : 0,
                    evaluation->has_value_buckets ? sizeof evaluation->value_buckets : 0}};
}

static void copy_evaluation(Evaluation *to, const Evaluation *from) {
    const Parts parts = parts_of(from);
    memcpy(to, from, HEAD_BYTES);
    for (int i = 0; i < PARTS; i++)
        memcpy((char *)to + parts.at[i], (const char *)from + parts.at[i], parts.bytes[i]);
}

static size_t packed_bytes(const Evaluation *evaluation) {
    const Parts parts = parts_of(evaluation);
    size_t bytes = HEAD_BYTES;
    for (int i = 0; i < PARTS; i++)
        bytes += parts.bytes[i];
    return bytes;
}

static void pack(const Evaluation *from, unsigned char *to) {
    const Parts parts = parts_of(from);
    memcpy(to, from, HEAD_BYTES);
    to += HEAD_BYTES;
    for (int i = 0; i < PARTS; i++) {
        memcpy(to, (const char *)from + parts.at[i], parts.bytes[i]);
        to += parts.bytes[i];
    }
}

/* Reads the arrays; the fields before them have been read. */
static void unpack_arrays(const unsigned char *from, Evaluation *to) {
    const Parts parts = parts_of(to);
    from += HEAD_BYTES;
    for (int i = 0; i < PARTS; i++) {
        memcpy((char *)to + parts.at[i], from, parts.bytes[i]);
        from += parts.bytes[i];
    }
}

static bool look_up(EvaluationCache *cache, uint64_t key, const Board *board, Evaluation *out) {
    size_t at = key & (cache->count - 1);
    pthread_mutex_t *lock = &cache->locks[at % SHARDS];
    atomic_fetch_add_explicit(&cache->lookups, 1, memory_order_relaxed);
    pthread_mutex_lock(lock);
    const Entry *entry = &cache->entries[at];
    bool found = entry->key == key && entry->packed;
    if (found) {
        memcpy(out, entry->packed, HEAD_BYTES);
        found = out->width == board->width && out->height == board->height;
        if (found) unpack_arrays(entry->packed, out);
    }
    pthread_mutex_unlock(lock);
    if (found) atomic_fetch_add_explicit(&cache->hits, 1, memory_order_relaxed);
    return found;
}

static bool has_room(const EvaluationCache *cache, int64_t bytes) {
    return atomic_load_explicit(&cache->bytes, memory_order_relaxed) + bytes <= cache->limit_bytes;
}

/* Makes room for this many more bytes. If the memory is full, empties some of the next entries of
 * the same shard, whose lock is held; so evaluations of other positions always find a place.
 * Returns whether there is room. */
static bool make_room(EvaluationCache *cache, size_t at, int64_t bytes) {
    enum { TRIES = 32 };
    for (size_t i = 1; i <= TRIES && !has_room(cache, bytes); i++) {
        size_t other = (at + i * SHARDS) & (cache->count - 1);
        if (other != at) empty(cache, &cache->entries[other]);
    }
    return has_room(cache, bytes);
}

static void store(EvaluationCache *cache, uint64_t key, const Evaluation *evaluation) {
    size_t at = key & (cache->count - 1), bytes = packed_bytes(evaluation);
    pthread_mutex_t *lock = &cache->locks[at % SHARDS];
    pthread_mutex_lock(lock);
    Entry *entry = &cache->entries[at];
    if (entry->bytes != bytes) {
        int64_t change = (int64_t)bytes - (int64_t)entry->bytes;
        bool room = make_room(cache, at, change);
        unsigned char *grown = room ? realloc(entry->packed, bytes) : NULL;
        if (!grown) {
            pthread_mutex_unlock(lock);
            return;
        }
        atomic_fetch_add_explicit(&cache->bytes, change, memory_order_relaxed);
        entry->packed = grown;
        entry->bytes = bytes;
    }
    entry->key = key;
    pack(evaluation, entry->packed);
    pthread_mutex_unlock(lock);
}

typedef struct {
    Evaluator base;
    Evaluator *inner, *second; /* second: only in a checked evaluator */
    EvaluationCache *cache;
    EvaluationRequest *missing;
    int *places;
    uint64_t *keys;
    Evaluation *fresh;
    float tolerance;
    bool exact; /* in a cached evaluator: whether keys are position_path_hash() */
} Wrapper;

/* Computes the keys of all requests, and prefetches their entries, which are scattered in
 * memory. */
static void find_keys(const Wrapper *wrapper, const EvaluationRequest *requests, int count) {
    const EvaluationCache *cache = wrapper->cache;
    for (int i = 0; i < count; i++) {
        const Position *position = requests[i].position;
        uint64_t state = wrapper->exact
                             ? position_path_hash(position, wrapper->base.reads_all_moves)
                             : position_state_hash(position);
        wrapper->keys[i] = state ^ evaluation_options_hash(&requests[i].options);
        __builtin_prefetch(&cache->entries[wrapper->keys[i] & (cache->count - 1)]);
    }
}

static Status cached_evaluate(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                              Evaluation *out, Error *err) {
    Wrapper *wrapper = (Wrapper *)evaluator;
    int missing = 0;
    find_keys(wrapper, requests, count);
    for (int i = 0; i < count; i++) {
        uint64_t key = wrapper->keys[i];
        if (look_up(wrapper->cache, key, &requests[i].position->board, &out[i])) continue;
        wrapper->keys[missing] = key;
        wrapper->places[missing] = i;
        wrapper->missing[missing++] = requests[i];
    }
    Status status =
        missing ? evaluator_evaluate(wrapper->inner, wrapper->missing, missing, wrapper->fresh, err)
                : OK;
    for (int i = 0; i < missing && !status; i++) {
        copy_evaluation(&out[wrapper->places[i]], &wrapper->fresh[i]);
        store(wrapper->cache, wrapper->keys[i], &wrapper->fresh[i]);
    }
    evaluator->evaluations = wrapper->inner->evaluations;
    return status;
}

/* Returns the largest difference of win, loss and priors, or infinity if one of them is NaN. */
static float distance(const Evaluation *a, const Evaluation *b) {
    int area = a->width * a->height;
    float worst = fabsf(a->win - b->win), loss = fabsf(a->loss - b->loss);
    bool number = !isnan(worst) && !isnan(loss);
    worst = fmaxf(worst, loss);
    for (int i = 0; i <= area; i++) {
        float difference = fabsf(a->policy[i] - b->policy[i]);
        number = number && !isnan(difference);
        worst = fmaxf(worst, difference);
    }
    return number ? worst : INFINITY;
}

static Status checked_evaluate(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                               Evaluation *out, Error *err) {
    Wrapper *wrapper = (Wrapper *)evaluator;
    Status status = evaluator_evaluate(wrapper->inner, requests, count, out, err);
    if (!status) status = evaluator_evaluate(wrapper->second, requests, count, wrapper->fresh, err);
    for (int i = 0; i < count && !status; i++) {
        float worst = distance(&out[i], &wrapper->fresh[i]);
        if (!(worst <= wrapper->tolerance))
            status =
                fail(err, ERR_ARGUMENT,
                     "two evaluators (%s, %s) differ by %g on a position, at most %g is allowed",
                     wrapper->inner->class->name, wrapper->second->class->name, (double)worst,
                     (double)wrapper->tolerance);
    }
    evaluator->evaluations = wrapper->inner->evaluations;
    return status;
}

static void wrapper_free(Evaluator *evaluator) {
    Wrapper *wrapper = (Wrapper *)evaluator;
    evaluator_free(wrapper->inner);
    evaluator_free(wrapper->second);
    free(wrapper->missing);
    free(wrapper->places);
    free(wrapper->keys);
    free(wrapper->fresh);
    free(wrapper);
}

static const EvaluatorClass CACHED = {"cached", cached_evaluate, wrapper_free};
static const EvaluatorClass CHECKED = {"checked", checked_evaluate, wrapper_free};

/* Makes a wrapper of one evaluator or two (`second` may be NULL). Takes them, also on failure. */
static Status wrap(const EvaluatorClass *class, Evaluator *inner, Evaluator *second, Wrapper **out,
                   Error *err) {
    Wrapper *wrapper;
    *out = NULL;
    Status status = mem_new(1, sizeof *wrapper, &wrapper, err);
    if (status) {
        evaluator_free(inner);
        evaluator_free(second);
        return status;
    }
    wrapper->base = (Evaluator){class, inner->batch, 0, inner->reads_all_moves};
    wrapper->inner = inner;
    wrapper->second = second;
    size_t batch = (size_t)inner->batch;
    status = mem_new(batch, sizeof *wrapper->missing, &wrapper->missing, err);
    if (!status) status = mem_new(batch, sizeof *wrapper->places, &wrapper->places, err);
    if (!status) status = mem_new(batch, sizeof *wrapper->keys, &wrapper->keys, err);
    if (!status) status = mem_new(batch, sizeof *wrapper->fresh, &wrapper->fresh, err);
    if (status)
        wrapper_free(&wrapper->base);
    else
        *out = wrapper;
    return status;
}

static Status cached_new(Evaluator *inner, EvaluationCache *cache, bool exact, Evaluator **out,
                         Error *err) {
    Wrapper *wrapper;
    *out = NULL;
    Status status = wrap(&CACHED, inner, NULL, &wrapper, err);
    if (status) return status;
    wrapper->cache = cache;
    wrapper->exact = exact;
    *out = &wrapper->base;
    return OK;
}

Status evaluator_cached_new(Evaluator *inner, EvaluationCache *cache, Evaluator **out, Error *err) {
    return cached_new(inner, cache, false, out, err);
}

Status evaluator_cached_exact_new(Evaluator *inner, EvaluationCache *cache, Evaluator **out,
                                  Error *err) {
    return cached_new(inner, cache, true, out, err);
}

Status evaluator_checked_new(Evaluator *first, Evaluator *second, float tolerance, Evaluator **out,
                             Error *err) {
    Wrapper *wrapper;
    *out = NULL;
    Status status = wrap(&CHECKED, first, second, &wrapper, err);
    if (status) return status;
    wrapper->tolerance = tolerance;
    *out = &wrapper->base;
    return OK;
}
