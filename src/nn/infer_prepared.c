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
    int users;
    struct Entry *next;
} Entry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Entry *entries;

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
    entry->next = entries;
    *out = entries = entry;
    return OK;
}

Status prepared_take(const Net *net, int height, int width, Precision precision, Prepared **out,
                     Error *err) {
    Key key;
    *out = NULL;
    Status status = key_of(net, height, width, precision, &key, err);
    if (status) return status;
    pthread_mutex_lock(&lock);
    Entry *entry = entries;
    while (entry && !same_key(&entry->key, &key))
        entry = entry->next;
    if (!entry) status = add_entry(net, &key, &entry, err);
    if (entry) {
        entry->users++;
        *out = &entry->prepared;
    }
    pthread_mutex_unlock(&lock);
    return status;
}

void prepared_give(Prepared *prepared) {
    if (!prepared) return;
    pthread_mutex_lock(&lock);
    Entry **at = &entries;
    while (&(*at)->prepared != prepared)
        at = &(*at)->next;
    Entry *entry = *at;
    bool last = --entry->users == 0;
    if (last) *at = entry->next;
    pthread_mutex_unlock(&lock);
    if (last) entry_free(entry);
}
