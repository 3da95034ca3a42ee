/* Messages that wait to be sent. */
#include "base/thread.h"
#include "serve/http/outbox.h"
#include "test.h"

enum { THREADS = 4, EACH = 1000 };

static void put_numbers(void *argument, int index) {
    char text[32];
    for (int i = 0; i < EACH; i++) {
        int length = snprintf(text, sizeof text, "%d %d", index, i);
        EXPECT_TRUE(outbox_put(argument, text, (size_t)length));
    }
}

TEST(messages_keep_the_order_of_each_thread) {
    Outbox outbox;
    int next[THREADS] = {0};
    outbox_init(&outbox);
    EXPECT_OK(thread_parallel(THREADS, put_numbers, &outbox, err));
    for (OutboxMessage *message; (message = outbox_take(&outbox)); free(message)) {
        char text[32];
        int thread, number;
        snprintf(text, sizeof text, "%.*s", (int)message->length, message->bytes + OUTBOX_HEADROOM);
        EXPECT_INT(2, sscanf(text, "%d %d", &thread, &number));
        EXPECT_INT(next[thread]++, number);
    }
    for (int i = 0; i < THREADS; i++)
        EXPECT_INT(EACH, next[i]);
    EXPECT_INT(0, outbox_bytes(&outbox));
    EXPECT_FALSE(outbox_is_closed(&outbox));
    outbox_clear(&outbox);
}

TEST(too_many_bytes_close_the_outbox_for_ever) {
    enum { PART = OUTBOX_BYTES_MAX / 4 };
    char *text = calloc(1, PART);
    Outbox outbox;
    outbox_init(&outbox);
    for (int i = 0; i < 4; i++)
        EXPECT_TRUE(outbox_put(&outbox, text, PART));
    EXPECT_INT(OUTBOX_BYTES_MAX, outbox_bytes(&outbox));
    EXPECT_FALSE(outbox_put(&outbox, text, 1));
    EXPECT_TRUE(outbox_is_closed(&outbox));
    free(outbox_take(&outbox));
    EXPECT_FALSE(outbox_put(&outbox, text, 1));
    outbox_clear(&outbox);
    outbox_init(&outbox);
    EXPECT_FALSE(outbox_put(&outbox, text, (size_t)OUTBOX_BYTES_MAX + 1));
    outbox_clear(&outbox);
    free(text);
}

TEST_MAIN(RUN(messages_keep_the_order_of_each_thread),
          RUN(too_many_bytes_close_the_outbox_for_ever))
