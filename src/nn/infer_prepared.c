#include "nn/infer_prepared.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "nn/infer_products.h"
#include "nn/infer_winograd.h"

/* What makes two plans alike: 128 bits of the program, the values and the scales of int8. */
typedef struct {
    uint64_t content[2];
    int height, width;
    Precision precision;
} Key;

typedef struct Entry {
    Prepared prepared; /* the first, so that one is the other */
    Key key;
    InferShare *share;
    int users;          /* guarded by the share's lock, as is */
    struct Entry *next; /* of the share */
} Entry;

struct InferShare {
    pthread_mutex_t lock;
    Entry *entries; /* guarded by lock */
    int users;      /* guarded by lock */
};

Status infer_share_new(InferShare **out, Error *err) {
    Status status = mem_new(1, sizeof **out, out, err);
    if (status) return status;
    pthread_mutex_init(&(*out)->lock, NULL);
    (*out)->users = 1;
    return OK;
}

InferShare *infer_share_take(InferShare *share) {
    pthread_mutex_lock(&share->lock);
    share->users++;
    pthread_mutex_unlock(&share->lock);
    return share;
}

void infer_share_give(InferShare *share) {
    if (!share) return;
    pthread_mutex_lock(&share->lock);
    bool last = --share->users == 0;
    pthread_mutex_unlock(&share->lock);
    if (!last) return;
    pthread_mutex_destroy(&share->lock);
    free(share);
}

int infer_share_count(InferShare *share) {
    int count = 0;
    pthread_mutex_lock(&share->lock);
    for (const Entry *entry = share->entries; entry; entry = entry->next)
        count++;
    pthread_mutex_unlock(&share->lock);
    return count;
}

static void add_content(uint64_t content[2], const void *bytes, size_t count) {
    for (int i = 0; i < 2; i++)
        content[i] = hash_bytes(bytes, count, content[i]);
}

static Status key_of(const Net *net, int height, int width, Precision precision, Key *out,
                     Error *err) {
    const Program *program = net_program(net);
    const char *scales = net_note(net, SCALES_NOTE);
    StrBuf text = {0};
    *out = (Key){{1, 2}, height, width, precision};
    Status status = program_write(program, &text, err);
    if (!status) status = strbuf_status(&text, err);
    if (!status) {
        add_content(out->content, strbuf_text(&text), text.length);
        if (scales) add_content(out->content, scales, strlen(scales));
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

/* Weights that are kept in another form need not stay in the plan's. */
static Status keep_weights(const Plan *plan, Step *step, float **winograd, float **products,
                           Error *err) {
    Status status = OK;
    if (step->tiles)
        status = infer_winograd_weights(plan, step, winograd, err);
    else if (infer_products_can(plan, step))
        status = infer_products_weights(step, products, err);
    else
        return OK;
    free(step->weights);
    step->weights = NULL;
    return status;
}

static Status prepare(const Net *net, const Key *key, Prepared *out, Error *err) {
    Status status = plan_new(net, key->height, key->width, key->precision, &out->plan, err);
    if (status) return status;
    Plan *plan = out->plan;
    size_t steps = (size_t)plan->count;
    status = mem_new(steps, sizeof *out->winograd, &out->winograd, err);
    if (!status) status = mem_new(steps, sizeof *out->products, &out->products, err);
    if (!status) status = mem_new(steps, sizeof *out->laid, &out->laid, err);
    for (size_t i = 0; i < steps && !status; i++)
        status = keep_weights(plan, &plan->steps[i], &out->winograd[i], &out->products[i], err);
    return status;
}

static void entry_free(Entry *entry) {
    const Prepared *p = &entry->prepared;
    for (int i = 0; p->plan && i < p->plan->count; i++) {
        if (p->winograd) free(p->winograd[i]);
        if (p->products) free(p->products[i]);
        if (p->laid) onednn_weights_free(p->laid[i]);
    }
    free(p->winograd);
    free(p->products);
    free(p->laid);
    plan_free(p->plan);
    free(entry);
}

static Status add_entry(const Net *net, const Key *key, Entry **out, Error *err) {
    InferShare *share = net_share(net);
    Entry *entry;
    *out = NULL;
    Status status = mem_new(1, sizeof *entry, &entry, err);
    if (status) return status;
    entry->key = *key;
    status = prepare(net, key, &entry->prepared, err);
    if (status) {
        entry_free(entry);
        return status;
    }
    entry->share = share;
    entry->next = share->entries;
    *out = share->entries = entry;
    return OK;
}

Status prepared_take(const Net *net, int height, int width, Precision precision, Prepared **out,
                     Error *err) {
    InferShare *share = net_share(net);
    Key key;
    *out = NULL;
    Status status = key_of(net, height, width, precision, &key, err);
    if (status) return status;
    pthread_mutex_lock(&share->lock);
    Entry *entry = share->entries;
    while (entry && !same_key(&entry->key, &key))
        entry = entry->next;
    if (!entry) status = add_entry(net, &key, &entry, err);
    if (entry) {
        entry->users++;
        share->users++;
        *out = &entry->prepared;
    }
    pthread_mutex_unlock(&share->lock);
    return status;
}

void prepared_give(Prepared *prepared) {
    if (!prepared) return;
    Entry *entry = (Entry *)prepared;
    InferShare *share = entry->share;
    pthread_mutex_lock(&share->lock);
    bool last = --entry->users == 0;
    Entry **at = &share->entries;
    while (*at != entry)
        at = &(*at)->next;
    if (last) *at = entry->next;
    pthread_mutex_unlock(&share->lock);
    if (last) entry_free(entry);
    infer_share_give(share);
}
