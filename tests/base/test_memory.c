/* Sizes that overflow, memory that is zeroed and aligned, arrays that grow, arenas with a limit. */
#include <unistd.h>

#include "base/memory.h"
#include "test.h"

TEST(products_that_overflow_are_the_largest_size) {
    EXPECT_INT(12, mem_array_bytes(3, 4));
    EXPECT_INT(0, mem_array_bytes(0, SIZE_MAX));
    EXPECT_INT(0, mem_array_bytes(SIZE_MAX, 0));
    EXPECT_TRUE(mem_array_bytes(SIZE_MAX, 1) == SIZE_MAX);
    EXPECT_TRUE(mem_array_bytes(SIZE_MAX / 8, 8) == SIZE_MAX - 7);
    EXPECT_TRUE(mem_array_bytes(SIZE_MAX / 8 + 1, 8) == SIZE_MAX);
    EXPECT_TRUE(mem_array_bytes((size_t)1 << 32, (size_t)1 << 32) == SIZE_MAX); /* 0 mod 2^64 */
    EXPECT_TRUE(mem_array_bytes(SIZE_MAX, SIZE_MAX) == SIZE_MAX);
}

TEST(new_memory_is_zero) {
    unsigned char *bytes;
    EXPECT_OK(mem_new(300, 3, &bytes, err));
    for (int i = 0; i < 900; i++)
        EXPECT_INT(0, bytes[i]);
    free(bytes);
    EXPECT_OK(mem_new(0, 8, &bytes, err)); /* no bytes, but not NULL */
    EXPECT_TRUE(bytes != NULL);
    free(bytes);
}

TEST(aligned_memory_is_zero_and_on_64_bytes) {
    for (size_t count = 0; count < 200; count += 7) {
        float *numbers;
        EXPECT_OK(mem_new_aligned(count, sizeof *numbers, &numbers, err));
        EXPECT_INT(0, (uintptr_t)numbers % 64);
        for (size_t i = 0; i < count; i++)
            EXPECT_TRUE(numbers[i] == 0);
        free(numbers);
    }
}

TEST(memory_that_no_machine_has_is_refused) {
    static const size_t COUNTS[] = {SIZE_MAX, SIZE_MAX / 8, SIZE_MAX / 16 + 1,
                                    (size_t)PTRDIFF_MAX / 8 + 1};
    for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++) {
        int here = 0;
        void *memory = &here;
        Error err = {0};
        EXPECT_STATUS(ERR_MEMORY, mem_new(COUNTS[i], 16, &memory, &err));
        EXPECT_TRUE(memory == NULL);
        EXPECT_CONTAINS(err.message, "bytes");
        memory = &here;
        EXPECT_STATUS(ERR_MEMORY, mem_new_aligned(COUNTS[i], 16, &memory, &err));
        EXPECT_TRUE(memory == NULL);
    }
}

TEST(free_memory_is_less_than_all_memory) {
    int64_t all = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    EXPECT_TRUE(mem_available() > 0);
    EXPECT_TRUE(mem_available() <= all || mem_available() == INT64_MAX);
}

TEST(arrays_grow_and_keep_what_they_hold) {
    int *items = NULL;
    size_t capacity = 0;
    for (int i = 0; i < 1000; i++) {
        EXPECT_OK(mem_grow(&items, &capacity, (size_t)i + 1, sizeof *items, err));
        EXPECT_TRUE(capacity > (size_t)i);
        items[i] = i;
    }
    EXPECT_INT(1024, capacity); /* doubled, not one by one */
    for (int i = 0; i < 1000; i++)
        EXPECT_INT(i, items[i]);
    free(items);
}

TEST(arrays_that_cannot_grow_stay_as_they_were) {
    int *items = NULL;
    size_t capacity = 0;
    EXPECT_OK(mem_grow(&items, &capacity, 3, sizeof *items, err));
    Error err = {0};
    items[2] = 5;
    int *before = items;
    size_t had = capacity;
    EXPECT_STATUS(ERR_MEMORY, mem_grow(&items, &capacity, SIZE_MAX, sizeof *items, &err));
    EXPECT_STATUS(ERR_MEMORY, mem_grow(&items, &capacity, SIZE_MAX / 4 + 2, sizeof *items, &err));
    EXPECT_TRUE(items == before);
    EXPECT_INT(had, capacity);
    EXPECT_INT(5, items[2]);
    free(items);
}

TEST(arenas_give_zeroed_aligned_memory_apart) {
    Arena arena = {0};
    unsigned char *parts[200];
    for (int i = 0; i < 200; i++) {
        size_t size = (size_t)i * 7 + 1;
        parts[i] = arena_alloc(&arena, size);
        EXPECT_TRUE(parts[i] != NULL);
        EXPECT_INT(0, (uintptr_t)parts[i] % _Alignof(max_align_t));
        for (size_t k = 0; k < size; k++)
            EXPECT_INT(0, parts[i][k]);
        memset(parts[i], i, size);
    }
    unsigned char *large = arena_alloc(&arena, 1 << 20); /* a block of its own */
    EXPECT_INT(0, large[(1 << 20) - 1]);
    memset(large, 255, 1 << 20);
    for (int i = 0; i < 200; i++) {
        EXPECT_INT((unsigned char)i, parts[i][0]);
        EXPECT_INT((unsigned char)i, parts[i][i * 7]);
    }
    arena_clear(&arena);
    EXPECT_TRUE(arena.block == NULL);
    EXPECT_INT(0, arena.bytes);
}

TEST(arenas_keep_their_limit) {
    Arena arena = {.limit_bytes = 100 * sizeof(max_align_t)};
    EXPECT_TRUE(arena_alloc(&arena, 101 * sizeof(max_align_t)) == NULL);
    EXPECT_INT(0, arena.bytes);
    for (int i = 0; i < 100; i++)
        EXPECT_TRUE(arena_alloc(&arena, 1) != NULL);
    EXPECT_TRUE(arena_alloc(&arena, 1) == NULL);
    EXPECT_TRUE(arena_copy(&arena, "a", 1) == NULL);
    arena_clear(&arena);
    EXPECT_TRUE(arena_alloc(&arena, 1) != NULL); /* clearing sets arena.bytes to 0 */
    arena_clear(&arena);
}

TEST(arenas_refuse_absurd_sizes) {
    Arena arena = {0};
    EXPECT_TRUE(arena_alloc(&arena, SIZE_MAX) == NULL);
    EXPECT_TRUE(arena_alloc(&arena, SIZE_MAX - 8) == NULL);
    EXPECT_TRUE(arena_alloc(&arena, (size_t)PTRDIFF_MAX) == NULL);
    EXPECT_TRUE(arena_copy(&arena, "text", SIZE_MAX) == NULL);
    arena_clear(&arena);
}

TEST(copies_end_with_a_zero_byte) {
    Arena arena = {0};
    EXPECT_TEXT("abc", arena_copy(&arena, "abcdef", 3));
    EXPECT_TEXT("", arena_copy(&arena, "abcdef", 0));
    arena_clear(&arena);
}

TEST_MAIN(RUN(products_that_overflow_are_the_largest_size), RUN(new_memory_is_zero),
          RUN(aligned_memory_is_zero_and_on_64_bytes), RUN(memory_that_no_machine_has_is_refused),
          RUN(free_memory_is_less_than_all_memory), RUN(arrays_grow_and_keep_what_they_hold),
          RUN(arrays_that_cannot_grow_stay_as_they_were),
          RUN(arenas_give_zeroed_aligned_memory_apart), RUN(arenas_keep_their_limit),
          RUN(arenas_refuse_absurd_sizes), RUN(copies_end_with_a_zero_byte))
