/* bits.h - a row of points as eight bytes and as eight bits. Immutable. */
#pragma once
#include <assert.h>
#include <stdint.h>
#include <string.h>

#define BITS_ONES 0x0101010101010101u /* the lowest bit of each byte */

/* Gathers eight bytes into eight bits: bit i of the result is the lowest bit of byte i. Each bit of
 * the factor moves the bytes by another distance, and no two of the products that reach the highest
 * byte overlap. */
static inline unsigned bits_of_bytes(uint64_t bytes) {
    return (unsigned)(((bytes & BITS_ONES) * 0x0102040810204080u) >> 56);
}

/* The reverse: byte i of the result is 1 or 0 as bit i of `bits`; higher bits are ignored. */
static inline uint64_t bytes_of_bits(uint64_t bits) {
    uint64_t spread = ((bits & 255) * BITS_ONES) & 0x8040201008040201u;
    return ((spread + 0x7f7f7f7f7f7f7f7fu) >> 7) & BITS_ONES;
}

/* Sets bits first, first + 1, ... of the words where the lowest `count` (at most 63) bits of `bits`
 * are set; its other bits must be 0. */
static inline void bits_put(uint64_t *words, int first, uint64_t bits, int count) {
    assert(count < 64 && bits >> count == 0);
    int shift = first & 63;
    words[first >> 6] |= bits << shift;
    if (shift + count > 64) words[(first >> 6) + 1] |= bits >> (64 - shift);
}

/* Eight bytes as a number, the first byte the lowest, whatever the processor's byte order. */
static inline uint64_t bytes_load(const uint8_t *from) {
    uint64_t bytes;
    memcpy(&bytes, from, sizeof bytes);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    return bytes;
}

static inline void bytes_store(uint64_t bytes, uint8_t *to) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    memcpy(to, &bytes, sizeof bytes);
}
