/* Vectors of floats for kernel.c: lanes added up, and exp, log and 1 / x of each lane.
 *
 * Only GCC's vector extension is used (clang has it too), and assembly for an instruction that it does not offer.
 */

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __AVX512F__
enum { LANES = 16 };
#define LANE_NUMBERS 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#else
enum { LANES = 8 };
#define LANE_NUMBERS 0, 1, 2, 3, 4, 5, 6, 7
#endif

typedef float vector __attribute__((vector_size(4 * LANES)));
typedef int32_t integers __attribute__((vector_size(4 * LANES)));

#define INLINE static inline __attribute__((always_inline))

INLINE vector all(float x) { return x - (vector){0}; }
INLINE vector pick(integers mask, vector yes, vector no) {
    return (vector)((mask & (integers)yes) | (~mask & (integers)no));
}
/* A NaN stays a NaN through all of these, so that it shows in the loss. GCC does not see that there are instructions for
 * two of them, which return their second operand, here the first one, where a comparison fails. */
#ifdef __AVX__
INLINE vector at_least(vector x, vector low) {
    __asm__("vmaxps %0, %1, %0" : "+v"(x) : "v"(low));
    return x;
}
INLINE vector at_most(vector x, vector high) {
    __asm__("vminps %0, %1, %0" : "+v"(x) : "v"(high));
    return x;
}
#else
INLINE vector at_least(vector x, vector low) { return pick(x < low, low, x); }
INLINE vector at_most(vector x, vector high) { return pick(x > high, high, x); }
#endif

INLINE float sum(vector x) {
    float lanes[LANES];
    memcpy(lanes, &x, sizeof x);
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++) lanes[i] += lanes[i + half];
    return lanes[0];
}

/* Add lanes s apart: of `a` to the lanes i without bit s, of `b` to the others. */
INLINE vector fold(vector a, vector b, int s) {
    const integers lane = {LANE_NUMBERS}, first = lane + (((lane & s) != 0) & (LANES - s)), second = first + s;
#ifdef __clang__
    vector x;
    for (int i = 0; i < LANES; i++) {
        const float *from = i & s ? (float *)&b : (float *)&a;
        x[i] = from[first[i] % LANES] + from[second[i] % LANES];
    }
    return x;
#else
    return __builtin_shuffle(a, b, first) + __builtin_shuffle(a, b, second);
#endif
}

/* Lane i of the result is the sum of all lanes of x[i]: x is transposed, and added up on the way. */
INLINE vector lanes_added(const vector *x) {
    vector left[LANES / 2];
    for (int i = 0; i < LANES / 2; i++) left[i] = fold(x[2 * i], x[2 * i + 1], 1);
    for (int i = 0; i < LANES / 4; i++) left[i] = fold(left[2 * i], left[2 * i + 1], 2);
    for (int i = 0; i < LANES / 8; i++) left[i] = fold(left[2 * i], left[2 * i + 1], 4);
#ifdef __AVX512F__
    left[0] = fold(left[0], left[1], 8);
#endif
    return left[0];
}

/* 1 / x: with AVX-512 an estimate of 14 bits and a step of Newton's method take less than a division. */
INLINE vector inverse(vector x) {
#ifdef __AVX512F__
    vector y;
    __asm__("vrcp14ps %1, %0" : "=v"(y) : "v"(x));
    return y + y * (1.0f - x * y);
#else
    return 1.0f / x;
#endif
}

/* e^(k x) = 2^n 2^r, with n the nearest integer and a polynomial of least relative error, 9e-8, for 2^r. */
INLINE vector exponential(vector x, float k) {
    x = at_most(at_least(x, all(-87.0f / fabsf(k))), all(87.0f / fabsf(k)));
    const vector magic = all(12582912.0f); /* 1.5 * 2^23: adding it rounds to an integer, which the last bits show */
    vector shifted = x * (k * 1.44269504f) + magic;
    vector r = x * (k * 1.44269504f) - (shifted - magic);
    vector p = all(1.32647e-3f);
    p = p * r + 9.67151e-3f;
    p = p * r + 5.550734e-2f;
    p = p * r + 2.4022242e-1f;
    p = p * r + 6.9314698e-1f;
    p = p * r + 1.0f;
#ifdef __AVX512F__
    __asm__("vscalefps %1, %0, %0" : "+v"(p) : "v"(shifted - magic)); /* p 2^n */
    return p;
#else
    return (vector)((integers)p + ((integers)shifted << 23)); /* n goes to the exponent; of a NaN it is 0 */
#endif
}

/* log x = e ln 2 + log m with m in [sqrt 1/2, sqrt 2), and Cephes' polynomial for log m; for normal x > 0. */
INLINE vector logarithm(vector x) {
    integers bits = (integers)x, e = (bits >> 23) - 126;
    vector m = (vector)((bits & 0x007fffff) | 0x3f000000);
    integers low = m < all(0.707106781186547524f);
    e += low; /* a true comparison is -1 */
    m = pick(low, m + m, m) - 1.0f;
    vector k = __builtin_convertvector(e, vector), z = m * m;
    vector p = all(7.0376836292e-2f);
    p = p * m - 1.1514610310e-1f;
    p = p * m + 1.1676998740e-1f;
    p = p * m - 1.2420140846e-1f;
    p = p * m + 1.4249322787e-1f;
    p = p * m - 1.6668057665e-1f;
    p = p * m + 2.0000714765e-1f;
    p = p * m - 2.4999993993e-1f;
    p = p * m + 3.3333331174e-1f;
    return m + (p * m * z - k * 2.12194440e-4f - z * 0.5f) + k * 0.693359375f + (x - x);
}
