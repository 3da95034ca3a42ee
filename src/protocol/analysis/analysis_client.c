#include "protocol/analysis/analysis_client.h"

#include <string.h>

bool analysis_client_is_broken(const AnalysisClient *client) {
    return atomic_load_explicit(&client->broken, memory_order_relaxed);
}

bool analysis_client_is_behind(const AnalysisClient *client) {
    return client->unread_bytes && client->unread_bytes(client->context) > CLIENT_UNREAD_BYTES_MAX;
}

void analysis_client_put(AnalysisClient *client, const char *text) {
    if (analysis_client_is_broken(client)) return;
    if (!text || !client->write(client->context, text, strlen(text)))
        atomic_store_explicit(&client->broken, true, memory_order_relaxed);
}
