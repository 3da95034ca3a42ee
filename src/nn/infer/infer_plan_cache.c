#include "nn/infer/infer_plan_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "nn/infer/infer_gemm.h"
#include "nn/infer/infer_int8_rows.h"
#include "nn/infer/infer_lower.h"
#include "nn/infer/winograd/infer_winograd.h"

/* Plans with equal keys are taken to be the same. `content` is a 128-bit hash of the program, the
 * values and the quantisation. */
typedef struct {
    uint64_t content[2];
    int height, width;
    Precision precision;
} Key;

typedef struct Entry {
    PackedPlan packed; /* comes first, so that its address is that of the entry */
    Key key;
    NetCache *cache;
    int users;          /* guarded by the lock of the cache, as is `next` */
    struct Entry *next; /* the next entry; the cache of the net points to the first */
} Entry;

int plan_cache_count(const Net *net) {
    int count = 0;
    for (const Entry *entry = *net_cache_lock(net_cache(net)); entry; entry = entry->next)
        count++;
    net_cache_unlock(net_cache(net));
    return count;
}

static void add_content(uint64_t content[2], const void *bytes, size_t count) {
    for (int i = 0; i < 2; i++)
        content[i] = hash_bytes(bytes, count, content[i]);
}

static Status key_of(const Net *net, int height, int width, Precision precision, Key *out,
                     Error *err) {
    const Program *program = net_program(net);
    const char *quantisation = net_note(net, QUANTISATION_NOTE);
    StrBuf text = {0};
    *out = (Key){{1, 2}, height, width, precision};
    Status status = program_write(program, &text, err);
    if (!status) status = strbuf_status(&text, err);
    if (!status) {
        add_content(out->content, strbuf_text(&text), text.length);
        if (quantisation) add_content(out->content, quantisation, strlen(quantisation));
        for (int i = 0; i < program_parameter_count(program); i++)
            add_content(out->content, net_values_const(net, i),
                        program_parameter(program, i)->count * sizeof(float));
    }
    strbuf_clear(&text);
    return status;
}

static bool same_key(const Key *a, const Key *b) {
    return a->content[0] == b->content[0] && a->content[1] == b->content[1] &&
           a->height == b->height && a->width == b->width && a->precision == b->precision;
}

/* Packs the weights of a step that runs by Winograd, by our GEMM, or in int8 with a scale for each
 * cell. Then frees the plan's own copy of these weights. Does nothing for other steps. */
static Status pack_step(const PackedPlan *packed, size_t i, Error *err) {
    const Plan *plan = packed->plan;
    Step *step = &plan->steps[i];
    Status status = OK;
    if (step->winograd)
        status = infer_winograd_weights(plan, step, &packed->winograd[i], err);
    else if (step->int8.by_rows)
        status = infer_int8_rows_weights(step, &packed->by_rows[i], err);
    else if (infer_gemm_can(plan, step))
        status = infer_gemm_weights(plan, step, &packed->gemm[i], err);
    else
        return OK;
    free(step->weights);
    step->weights = NULL;
    return status;
}

static Status pack_plan(const Net *net, const Key *key, PackedPlan *out, Error *err) {
    Status status = plan_new(net, key->height, key->width, key->precision, &out->plan, err);
    if (status) return status;
    Plan *plan = out->plan;
    size_t steps = (size_t)plan->count;
    status = mem_new(steps, sizeof *out->winograd, &out->winograd, err);
    if (!status) status = mem_new(steps, sizeof *out->gemm, &out->gemm, err);
    if (!status) status = mem_new(steps, sizeof *out->by_rows, &out->by_rows, err);
    if (!status) status = mem_new(steps, sizeof *out->onednn, &out->onednn, err);
    for (size_t i = 0; i < steps && !status; i++)
        status = pack_step(out, i, err);
    return status;
}

static void entry_free(Entry *entry) {
    const PackedPlan *p = &entry->packed;
    for (int i = 0; p->plan && i < p->plan->count; i++) {
        if (p->winograd) free(p->winograd[i]);
        if (p->gemm) free(p->gemm[i]);
        if (p->by_rows) free(p->by_rows[i]);
        if (p->onednn) onednn_weights_free(p->onednn[i]);
    }
    free(p->winograd);
    free(p->gemm);
    free(p->by_rows);
    free(p->onednn);
    plan_free(p->plan);
    free(entry);
}

static Status new_entry(const Net *net, const Key *key, Entry **out, Error *err) {
    Entry *entry;
    *out = NULL;
    Status status = mem_new(1, sizeof *entry, &entry, err);
    if (status) return status;
    entry->key = *key;
    entry->cache = net_cache(net);
    status = pack_plan(net, key, &entry->packed, err);
    if (status) {
        entry_free(entry);
        return status;
    }
    *out = entry;
    return OK;
}

/* Finds the entry of a key, or makes it. The caller has locked the cache. `*first` is the first
 * entry, or NULL; a new entry is put before it. */
static Status find_entry(const Net *net, const Key *key, void **first, Entry **out, Error *err) {
    Entry *entry = *first;
    while (entry && !same_key(&entry->key, key))
        entry = entry->next;
    *out = entry;
    if (entry) return OK;
    Status status = new_entry(net, key, out, err);
    if (status) return status;
    (*out)->next = *first;
    *first = *out;
    return OK;
}

Status plan_cache_acquire(const Net *net, int height, int width, Precision precision,
                          PackedPlan **out, Error *err) {
    NetCache *cache = net_cache(net);
    Entry *entry;
    Key key;
    *out = NULL;
    Status status = key_of(net, height, width, precision, &key, err);
    if (status) return status;
    status = find_entry(net, &key, net_cache_lock(cache), &entry, err);
    if (!status) entry->users++;
    net_cache_unlock(cache);
    if (status) return status;
    net_cache_acquire(cache);
    *out = &entry->packed;
    return OK;
}

/* Takes an entry out of the list. The caller has locked the cache. */
static void unlink_entry(void **first, const Entry *entry) {
    if (*first == entry) {
        *first = entry->next;
        return;
    }
    Entry *before = *first;
    while (before->next != entry)
        before = before->next;
    before->next = entry->next;
}

void plan_cache_release(PackedPlan *packed) {
    if (!packed) return;
    Entry *entry = (Entry *)packed;
    NetCache *cache = entry->cache;
    void **first = net_cache_lock(cache);
    bool last = --entry->users == 0;
    if (last) unlink_entry(first, entry);
    net_cache_unlock(cache);
    if (last) entry_free(entry);
    net_cache_release(cache);
}
