#include "protocol/analysis/analysis_client.h"

#include <string.h>

bool analysis_client_is_broken(const AnalysisClient *client) {
    return atomic_load_explicit(&client->broken, memory_order_relaxed);
}

/* Whether the client has left more bytes unread than `times` its limit. */
static bool has_unread(const AnalysisClient *client, size_t times) {
    size_t max = client->unread_bytes_max ? client->unread_bytes_max : CLIENT_UNREAD_BYTES_MAX;
    return client->unread_bytes && client->unread_bytes(client->context) > times * max;
}

bool analysis_client_is_behind(const AnalysisClient *client) {
    return has_unread(client, 1);
}

bool analysis_client_is_far_behind(const AnalysisClient *client) {
    return has_unread(client, 2);
}

void analysis_client_put(AnalysisClient *client, const char *text) {
    if (analysis_client_is_broken(client)) return;
    if (!text || !client->write(client->context, text, strlen(text)))
        atomic_store_explicit(&client->broken, true, memory_order_relaxed);
}
