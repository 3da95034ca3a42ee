/* Hashes are compared with published values. Each bit, the length and the seed change a hash. */
#include "base/error.h" /* before cmocka defines a macro fail() */
#include "base/hash.h"
#include "test.h"

TEST(mixing_is_splitmix64) {
    /* Outputs of splitmix64 (Steele, Lea and Flood 2014) from seed 1234567. */
    static const uint64_t WANTED[] = {6457827717110365317u, 3203168211198807973u,
                                      9817491932198370423u};
    uint64_t state = 1234567;
    for (int i = 0; i < 3; i++) {
        state += 0x9e3779b97f4a7c15u;
        EXPECT_TRUE(hash_mix(state) == WANTED[i]);
    }
}

TEST(sha256_of_the_standards_examples) {
    /* The empty text, and the examples of FIPS 180-2. */
    static const char LONG[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    EXPECT_TEXT("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                hash_sha256("", 0).text);
    EXPECT_TEXT("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                hash_sha256("abc", 3).text);
    EXPECT_TEXT("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
                hash_sha256(LONG, strlen(LONG)).text);
    char *million = malloc(1000000);
    EXPECT_TRUE(million != NULL);
    memset(million, 'a', 1000000);
    EXPECT_TEXT("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
                hash_sha256(million, 1000000).text);
    free(million);
}

TEST(sha256_is_the_same_in_pieces) {
    unsigned char bytes[200];
    for (int i = 0; i < 200; i++)
        bytes[i] = (unsigned char)(7 * i + i / 3);
    for (size_t count = 0; count <= 200; count += 1 + count / 9) {
        HashText whole = hash_sha256(bytes, count);
        for (size_t cut = 0; cut <= count; cut++) {
            HashSum sum = hash_sum_begin();
            hash_sum_add(&sum, bytes, cut / 3);
            hash_sum_add(&sum, bytes + cut / 3, cut - cut / 3);
            hash_sum_add(&sum, NULL, 0);
            hash_sum_add(&sum, bytes + cut, count - cut);
            EXPECT_TEXT(whole.text, hash_sum_end(&sum).text);
            EXPECT_TEXT(whole.text, hash_sum_end(&sum).text);
        }
    }
}

TEST(crc32_of_the_check_string) {
    EXPECT_TRUE(hash_crc32("123456789", 9) == 0xcbf43926u);
    EXPECT_TRUE(hash_crc32("", 0) == 0);
}

TEST(crc32_is_the_same_in_pieces) {
    static const char TEXT[] = "the same in any pieces";
    uint32_t whole = hash_crc32(TEXT, strlen(TEXT));
    for (size_t cut = 0; cut <= strlen(TEXT); cut++) {
        uint32_t crc = hash_crc32_more(0, TEXT, cut);
        EXPECT_TRUE(hash_crc32_more(crc, TEXT + cut, strlen(TEXT) - cut) == whole);
    }
    EXPECT_TRUE(hash_crc32_more(whole, NULL, 0) == whole);
}

TEST(every_bit_length_and_seed_changes_the_hash) {
    unsigned char bytes[33] = {0};
    for (size_t count = 0; count < sizeof bytes; count++) {
        uint64_t plain = hash_bytes(bytes, count, 1);
        EXPECT_TRUE(plain == hash_bytes(bytes, count, 1));
        EXPECT_TRUE(plain != hash_bytes(bytes, count, 2));
        /* without its last byte, which is 0, the text has another hash */
        if (count) EXPECT_TRUE(plain != hash_bytes(bytes, count - 1, 1));
        for (size_t bit = 0; bit < 8 * count; bit++) {
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
            EXPECT_TRUE(plain != hash_bytes(bytes, count, 1));
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        }
    }
}

TEST(where_the_bytes_lie_does_not_matter) {
    unsigned char room[64];
    for (size_t at = 0; at < 16; at++) {
        memcpy(room + at, "nineteen by nineteen", 20);
        EXPECT_TRUE(hash_bytes(room + at, 20, 3) == hash_bytes("nineteen by nineteen", 20, 3));
    }
}

TEST_MAIN(RUN(mixing_is_splitmix64), RUN(sha256_of_the_standards_examples),
          RUN(sha256_is_the_same_in_pieces), RUN(crc32_of_the_check_string),
          RUN(crc32_is_the_same_in_pieces), RUN(every_bit_length_and_seed_changes_the_hash),
          RUN(where_the_bytes_lie_does_not_matter))
