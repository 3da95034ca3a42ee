#include "base/hash.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

uint64_t hash_mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

uint64_t hash_bytes(const void *bytes, size_t count, uint64_t seed) {
    const unsigned char *at = bytes;
    uint64_t hash = hash_mix(seed + count);
    for (; count >= 8; count -= 8, at += 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        hash = hash_mix(hash ^ word) + 0x9e3779b97f4a7c15u;
    }
    uint64_t last = 0; /* the bytes that are left, fewer than 8 */
    memcpy(&last, at, count);
    return hash_mix(hash ^ last);
}

uint32_t hash_crc32_more(uint32_t crc, const void *bytes, size_t count) {
    return count ? (uint32_t)crc32_z(crc, bytes, count) : crc;
}

uint32_t hash_crc32(const void *bytes, size_t count) {
    return hash_crc32_more(0, bytes, count);
}

/* SHA-256, FIPS 180-4. The constants are the first 32 bits of the fractional parts of the cube
 * roots of the first 64 primes. */
static const uint32_t ROUND[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate_right(uint32_t x, int k) {
    return (x >> k) | (x << (32 - k));
}

/* Adds a block of 64 bytes to the state `h` (FIPS 180-4, 6.2.2). */
static void sha_block(uint32_t h[8], const unsigned char *block) {
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = rotate_right(w[i - 15], 7) ^ rotate_right(w[i - 15], 18) ^ (w[i - 15] >> 3);
        uint32_t b = rotate_right(w[i - 2], 17) ^ rotate_right(w[i - 2], 19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    memcpy(v, h, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t e = rotate_right(v[4], 6) ^ rotate_right(v[4], 11) ^ rotate_right(v[4], 25);
        uint32_t t = v[7] + e + ((v[4] & v[5]) ^ (~v[4] & v[6])) + ROUND[i] + w[i];
        uint32_t a = rotate_right(v[0], 2) ^ rotate_right(v[0], 13) ^ rotate_right(v[0], 22);
        uint32_t u = a + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t;
        v[0] = t + u;
    }
    for (int i = 0; i < 8; i++)
        h[i] += v[i];
}

HashSum hash_sum_begin(void) {
    return (HashSum){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                               0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void hash_sum_add(HashSum *sum, const void *bytes, size_t count) {
    const unsigned char *at = bytes;
    /* The block holds `begun` bytes, and `first` more fill it. */
    size_t begun = sum->count % 64, first = begun ? 64 - begun : 0;
    sum->count += count;
    if (first > count) first = count;
    if (first) memcpy(sum->block + begun, at, first);
    if (begun && begun + first == 64) sha_block(sum->state, sum->block);
    at += first;
    for (count -= first; count >= 64; count -= 64, at += 64)
        sha_block(sum->state, at);
    if (count) memcpy(sum->block, at, count);
}

HashText hash_sum_end(const HashSum *sum) {
    size_t left = sum->count % 64, size = left < 56 ? 64 : 128;
    unsigned char tail[128] = {0};
    uint32_t state[8];
    memcpy(state, sum->state, sizeof state);
    memcpy(tail, sum->block, left);
    tail[left] = 0x80;
    for (int i = 0; i < 8; i++)
        tail[size - 1 - (size_t)i] = (unsigned char)(sum->count * 8 >> (8 * i));
    for (size_t i = 0; i < size; i += 64)
        sha_block(state, tail + i);
    HashText text;
    for (int i = 0; i < 8; i++)
        snprintf(text.text + 8 * i, 9, "%08x", state[i]);
    return text;
}

HashText hash_sha256(const void *bytes, size_t count) {
    HashSum sum = hash_sum_begin();
    hash_sum_add(&sum, bytes, count);
    return hash_sum_end(&sum);
}
