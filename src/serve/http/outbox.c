#include "serve/http/outbox.h"

#include <stdlib.h>
#include <string.h>

void outbox_init(Outbox *outbox) {
    outbox->first = outbox->last = NULL;
    atomic_init(&outbox->bytes, 0);
    atomic_init(&outbox->closed, false);
    pthread_mutex_init(&outbox->lock, NULL);
}

void outbox_clear(Outbox *outbox) {
    for (OutboxMessage *message; (message = outbox_take(outbox));)
        free(message);
    pthread_mutex_destroy(&outbox->lock);
}

bool outbox_put(Outbox *outbox, const char *text, size_t length) {
    OutboxMessage *message = NULL;
    if (length <= OUTBOX_BYTES_MAX) message = malloc(sizeof *message + OUTBOX_HEADROOM + length);
    if (message) {
        *message = (OutboxMessage){.length = length};
        memcpy(message->bytes + OUTBOX_HEADROOM, text, length);
    }
    pthread_mutex_lock(&outbox->lock);
    outbox->closed = outbox->closed || !message || outbox->bytes + length > OUTBOX_BYTES_MAX;
    bool accepted = !outbox->closed;
    if (accepted) {
        if (outbox->last)
            outbox->last->next = message;
        else
            outbox->first = message;
        outbox->last = message;
        outbox->bytes += length;
    }
    pthread_mutex_unlock(&outbox->lock);
    if (!accepted) free(message);
    return accepted;
}

OutboxMessage *outbox_take(Outbox *outbox) {
    pthread_mutex_lock(&outbox->lock);
    OutboxMessage *message = outbox->first;
    if (message) {
        outbox->first = message->next;
        if (!outbox->first) outbox->last = NULL;
        outbox->bytes -= message->length;
        message->next = NULL;
    }
    pthread_mutex_unlock(&outbox->lock);
    return message;
}

size_t outbox_bytes(const Outbox *outbox) {
    return atomic_load(&outbox->bytes);
}

bool outbox_is_closed(const Outbox *outbox) {
    return atomic_load(&outbox->closed);
}
