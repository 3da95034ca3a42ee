/* bits.h - conversions between eight bytes and eight bits, for rows of points, and writing and
 * reading of bits and bytes in memory. Threading: any thread. */
#pragma once
#include <assert.h>
#include <stdint.h>
#include <string.h>

#define BITS_ONES 0x0101010101010101u /* the lowest bit of each byte */

/* Gathers eight bytes into eight bits: bit i of the result is the lowest bit of byte i. The
 * multiplication adds copies of the bytes, one for each bit of the factor, shifted by different
 * distances. One of these shifts moves the lowest bit of byte i to bit i of the highest byte. */
static inline unsigned bits_of_bytes(uint64_t bytes) {
    return (unsigned)(((bytes & BITS_ONES) * 0x0102040810204080u) >> 56);
}

/* The reverse of bits_of_bytes(): byte i of the result is 0 or 1, the value of bit i of `bits`.
 * Bits from 8 on are ignored. */
static inline uint64_t bytes_of_bits(uint64_t bits) {
    uint64_t spread = ((bits & 255) * BITS_ONES) & 0x8040201008040201u;
    return ((spread + 0x7f7f7f7f7f7f7f7fu) >> 7) & BITS_ONES;
}

/* Combines the lowest `count` bits of `bits` (at most 63) by "or" with the bits of `words` from bit
 * `first` on. The other bits of `bits` must be 0. */
static inline void bits_put(uint64_t *words, int first, uint64_t bits, int count) {
    assert(count < 64 && bits >> count == 0);
    int shift = first & 63;
    words[first >> 6] |= bits << shift;
    if (shift + count > 64) words[(first >> 6) + 1] |= bits >> (64 - shift);
}

/* Reads eight bytes as a number whose lowest byte is the first, whatever the processor's byte
 * order. */
static inline uint64_t bytes_load(const uint8_t *from) {
    uint64_t bytes;
    memcpy(&bytes, from, sizeof bytes);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    return bytes;
}

/* The reverse of bytes_load(). */
static inline void bytes_store(uint64_t bytes, uint8_t *to) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    memcpy(to, &bytes, sizeof bytes);
}
