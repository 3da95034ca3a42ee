/* float16.h - numbers of 16 bits in the format binary16 of IEEE 754-2019: 1 bit of sign, 5 of
 * exponent and 10 of fraction. The largest finite one is 65504, the smallest above 0 is 2^-24.
 * Threading: free functions. */
#pragma once
#include <stdint.h>

/* Returns the bits of the nearest binary16 number. If two such numbers are equally near, the number
 * whose last bit is 0 is taken. Numbers of 65520 or more become infinity. NaN becomes a NaN. */
uint16_t float16_bits(float value);
/* Returns the number that the bits stand for. Each binary16 number is also a float. */
float float16_value(uint16_t bits);
