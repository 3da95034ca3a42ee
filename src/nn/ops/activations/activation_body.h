/* activation_body.h - activations of one float, for loops that compilers vectorise. A file includes
 * it once for each instruction set, after it has defined KERNEL(name), KERNEL_TARGET and
 * KERNEL_FMA(a, b, c) = a * b + c. */

#include <stdint.h>
#include <string.h>

/* Computes exp(x) as 2^n p(r), after limiting x to [-87, 87]. n is a whole number, and
 * r = x - n ln 2 is at most ln(2) / 2 in absolute value. The polynomial p is that of Cephes; the
 * relative error is below 2e-7. */
KERNEL_TARGET static inline float KERNEL(exp)(float x) {
    x = x < -87.0f ? -87.0f : x;
    x = x > 87.0f ? 87.0f : x; /* not an `else` of the line above: this form is vectorised */
    float shifted =
        x * 1.44269504f + 12582912.0f; /* after adding 1.5 * 2^23, the low bits hold n */
    uint32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    float n = shifted - 12582912.0f;
    float r = KERNEL_FMA(n, 2.12194440e-4f, KERNEL_FMA(n, -0.693359375f, x));
    float p = 1.9875691500e-4f;
    p = KERNEL_FMA(p, r, 1.3981999507e-3f);
    p = KERNEL_FMA(p, r, 8.3334519073e-3f);
    p = KERNEL_FMA(p, r, 4.1665795894e-2f);
    p = KERNEL_FMA(p, r, 1.6666665459e-1f);
    p = KERNEL_FMA(p, r, 5.0000001201e-1f);
    p = KERNEL_FMA(p * r, r, r) + 1.0f;
    uint32_t power = (bits + 127u) << 23;
    float two_n;
    memcpy(&two_n, &power, sizeof two_n);
    return p * two_n;
}

KERNEL_TARGET static inline float KERNEL(relu)(float x) {
    return x > 0.0f ? x : 0.0f;
}

KERNEL_TARGET static inline float KERNEL(identity)(float x) {
    return x;
}

/*   x * tanh(log(1 + exp(x))) = x * (e^2 + 2e) / (e^2 + 2e + 2)   with e = exp(x)
 * If x is above 20, e is exp(20), and the result is x after rounding. */
KERNEL_TARGET static inline float KERNEL(mish)(float x) {
    float e = KERNEL(exp)(x > 20.0f ? 20.0f : x);
    float square = e * (e + 2.0f);
    return x * (square / (square + 2.0f));
}

KERNEL_TARGET static inline float KERNEL(silu)(float x) {
    return x / (1.0f + KERNEL(exp)(-x));
}

KERNEL_TARGET static inline float KERNEL(tanh)(float x) {
    float e = KERNEL(exp)(-2.0f * (x < 0.0f ? -x : x));
    float y = (1.0f - e) / (1.0f + e);
    return x < 0.0f ? -y : y;
}
