#include "cli/bench/op_shares.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "eval/view/net_parts.h"

static void add_to_kind(OpShares *shares, const OpShare *layer) {
    OpShare *kind = shares->kinds, *end = kind + shares->kind_count;
    while (kind < end && (strcmp(kind->kind, layer->kind) || strcmp(kind->code, layer->code)))
        kind++;
    if (kind == end) {
        *kind = (OpShare){.code = layer->code};
        memcpy(kind->kind, layer->kind, sizeof kind->kind);
        shares->kind_count++;
    }
    kind->layers++;
    kind->forward += layer->forward;
    kind->backward += layer->backward;
}

static int compare_shares(const void *a, const void *b) {
    const OpShare *x = a, *y = b;
    double first = x->forward + x->backward, second = y->forward + y->backward;
    return (first < second) - (first > second);
}

Status op_shares_init(const Net *net, const OpTime *times, int count, double seconds, OpShares *out,
                      Error *err) {
    *out = (OpShares){.rest = 1};
    Status status = mem_new((size_t)count, sizeof *out->layers, &out->layers, err);
    if (!status) status = mem_new((size_t)count, sizeof *out->kinds, &out->kinds, err);
    if (status) {
        op_shares_clear(out);
        return status;
    }
    for (int i = 0; i < count; i++) {
        const OpTime *time = &times[i];
        if (time->forward_seconds + time->backward_seconds <= 0) continue;
        const NetLayer layer = net_layer_of(net, time->op);
        OpShare *share = &out->layers[out->layer_count++];
        *share = (OpShare){.code = time->code,
                           .layers = 1,
                           .forward = time->forward_seconds / seconds,
                           .backward = time->backward_seconds / seconds};
        memcpy(share->name, layer.name, sizeof share->name);
        memcpy(share->kind, layer.kind, sizeof share->kind);
        out->rest -= share->forward + share->backward;
        add_to_kind(out, share);
    }
    qsort(out->kinds, (size_t)out->kind_count, sizeof *out->kinds, compare_shares);
    return OK;
}

void op_shares_clear(OpShares *shares) {
    free(shares->layers);
    free(shares->kinds);
    *shares = (OpShares){0};
}

static void print_share(const OpShare *share, const char *name, int width, bool backward) {
    printf("%-*s %-10s %6d %7.1f%%", width, name, share->code, share->layers, 100 * share->forward);
    if (backward) printf(" %7.1f%%", 100 * share->backward);
    printf("\n");
}

void op_shares_print(const OpShares *shares, const char *heading, bool by_layer, bool backward) {
    const OpShare *list = by_layer ? shares->layers : shares->kinds;
    int count = by_layer ? shares->layer_count : shares->kind_count, width = (int)strlen(heading);
    char name[sizeof list->name + sizeof list->kind + 2];
    for (int i = 0; i < count; i++) {
        size_t wide = strlen(list[i].kind) + (by_layer ? strlen(list[i].name) + 2 : 0);
        if ((int)wide > width) width = (int)wide;
    }
    printf("%-*s %-10s %6s %8s%s\n", width, heading, "code", "layers", "forward",
           backward ? " backward" : "");
    for (int i = 0; i < count; i++) {
        if (by_layer)
            snprintf(name, sizeof name, "%s: %s", list[i].name, list[i].kind);
        else
            snprintf(name, sizeof name, "%s", list[i].kind);
        print_share(&list[i], name, width, backward);
    }
    printf("%-*s %-10s %6s %7.1f%%\n", width, "rest", "", "", 100 * shares->rest);
}

static json_t *share_json(const OpShare *share, bool by_layer, bool backward) {
    json_t *object = json_pack("{s:s, s:s}", "kind", share->kind, "code", share->code);
    if (by_layer)
        json_object_set_new(object, "name", json_string(share->name));
    else
        json_object_set_new(object, "layers", json_integer(share->layers));
    json_object_set_new(object, "forward", json_real(share->forward));
    if (backward) json_object_set_new(object, "backward", json_real(share->backward));
    return object;
}

json_t *op_shares_json(const OpShares *shares, bool backward) {
    json_t *kinds = json_array(), *layers = json_array();
    for (int i = 0; i < shares->kind_count; i++)
        json_array_append_new(kinds, share_json(&shares->kinds[i], false, backward));
    for (int i = 0; i < shares->layer_count; i++)
        json_array_append_new(layers, share_json(&shares->layers[i], true, backward));
    return json_pack("{s:o, s:o, s:f}", "kinds", kinds, "layers", layers, "rest", shares->rest);
}
