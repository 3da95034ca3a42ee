/* hash.h - 64-bit mixing and hashing, SHA-256, CRC-32. Threading: any thread. */
#pragma once
#include <stddef.h>
#include <stdint.h>

uint64_t hash_mix(uint64_t x); /* a bijection (splitmix64 finaliser) */
uint64_t hash_bytes(const void *bytes, size_t count, uint64_t seed);
uint32_t hash_crc32(const void *bytes, size_t count);
/* Goes on from the checksum of what came before; 0: nothing. */
uint32_t hash_crc32_more(uint32_t crc, const void *bytes, size_t count);
typedef struct {
    char text[65];
} HashText;
HashText hash_sha256(const void *bytes, size_t count); /* lower-case hex */
/* The same of bytes that come in pieces. */
typedef struct {
    uint32_t state[8];
    unsigned char block[64]; /* begun; count % 64 bytes of it */
    uint64_t count;
} HashSum;
HashSum hash_sum_begin(void);
void hash_sum_add(HashSum *sum, const void *bytes, size_t count);
HashText hash_sum_end(const HashSum *sum);
