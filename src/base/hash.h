/* hash.h - 64-bit mixing and hashing, SHA-256, CRC-32. Threading: any thread. */
#pragma once
#include <stddef.h>
#include <stdint.h>

uint64_t hash_mix(uint64_t x); /* a bijection (splitmix64 finaliser) */
uint64_t hash_bytes(const void *bytes, size_t count, uint64_t seed);
uint32_t hash_crc32(const void *bytes, size_t count);
/* Returns the CRC-32 of some earlier bytes and these bytes together. `crc` is the CRC-32 of the
 * earlier bytes, or 0 if there are none. */
uint32_t hash_crc32_more(uint32_t crc, const void *bytes, size_t count);
typedef struct {
    char text[65];
} HashText;
HashText hash_sha256(const void *bytes, size_t count); /* lower-case hex */
/* The SHA-256 of bytes that come in pieces. Call hash_sum_begin(), hash_sum_add() for each piece,
 * and hash_sum_end(). */
typedef struct {
    uint32_t state[8];
    unsigned char block[64]; /* the incomplete block, of which count % 64 bytes are used */
    uint64_t count;          /* bytes added so far */
} HashSum;
HashSum hash_sum_begin(void);
void hash_sum_add(HashSum *sum, const void *bytes, size_t count);
HashText hash_sum_end(const HashSum *sum);
