/* outbox.h - the messages that a connection still has to send. Threading: shared; any thread may
 * put messages, and one thread takes them. */
#pragma once
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    OUTBOX_BYTES_MAX = 16 << 20, /* a client that leaves more unread is cut off */
    OUTBOX_HEADROOM = 64         /* free bytes before each text, for the header of the transport */
};

typedef struct OutboxMessage {
    struct OutboxMessage *next;
    size_t length;
    char bytes[]; /* OUTBOX_HEADROOM free bytes, then the text without a final 0 */
} OutboxMessage;

typedef struct {
    pthread_mutex_t lock;
    OutboxMessage *first, *last;
    atomic_size_t bytes; /* of the texts; changed under the lock, read without it */
    atomic_bool closed;  /* nothing is accepted any more; changed under the lock, read without it */
} Outbox;

void outbox_init(Outbox *outbox);
/* Frees all messages. No other thread may use the outbox any more. */
void outbox_clear(Outbox *outbox);
/* Copies the text to the end. Returns false if the outbox is closed. If more than OUTBOX_BYTES_MAX
 * would then wait, or if there is no memory, closes the outbox for ever and returns false. */
bool outbox_put(Outbox *outbox, const char *text, size_t length);
/* Takes the oldest message, which the caller releases by free(). NULL if there is none. */
OutboxMessage *outbox_take(Outbox *outbox);
/* The bytes of all texts that wait. */
size_t outbox_bytes(const Outbox *outbox);
bool outbox_is_closed(const Outbox *outbox);
