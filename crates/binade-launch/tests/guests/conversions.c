// Conversions by tricks of arithmetic, which are the same under an operator, in loops and one by one; and arithmetic on converted
// numbers, which is the operator's.
#include "guest.h"
#include <immintrin.h>

#define COUNT 1003
#define F16C __attribute__((target("f16c")))
// Constant addresses would make tails of loops read the arrays as if they were tables.
#define NOINLINE __attribute__((noipa))

static inline uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, 4);
    return bits;
}

static inline float of_bits(uint32_t bits) {
    float x;
    memcpy(&x, &bits, 4);
    return x;
}

// Rounded at the half's last place by a sum with a number of the right exponent.
static inline uint16_t half_by_bias(float x) {
    float base = fabsf(x) * 0x1p112f * 0x1p-110f;
    uint32_t twice = bits_of(x) + bits_of(x), sign = bits_of(x) & 0x80000000u;
    uint32_t bias = twice & 0xff000000u;
    if (bias < 0x71000000u) bias = 0x71000000u;
    uint32_t result = bits_of(of_bits((bias >> 1) + 0x07800000u) + base);
    uint32_t whole = (result >> 13 & 0x7c00u) + (result & 0xfffu);
    return (uint16_t)(sign >> 16 | (twice > 0xff000000u ? 0x7e00u : whole));
}

// Scaled to the half's exponents, rounded by an integer sum; subnormal ones by a sum with 2^-1.
static inline uint16_t half_by_scale(float x) {
    uint32_t bits = bits_of(x), sign = bits & 0x80000000u, result;
    bits ^= sign;
    if (bits >= 0x47800000u) result = bits > 0x7f800000u ? 0x7e00 : 0x7c00;
    else if (bits < 0x38800000u) result = bits_of(of_bits(bits) + 0.5f) - 0x3f000000u;
    else result = (bits_of(of_bits(bits) * 0x1p-112f) + 0xfffu + (bits >> 13 & 1)) >> 13;
    return (uint16_t)(result | sign >> 16);
}

// Shifted to the place of binary32, and the exponent by a product; subnormal ones below the bits of 0.5.
static inline float float_by_scale(uint16_t half) {
    uint32_t word = (uint32_t)half << 16, sign = word & 0x80000000u, twice = word + word;
    float normal = of_bits((twice >> 4) + (0xe0u << 23)) * 0x1p-112f;
    float small = of_bits(twice >> 17 | 126u << 23) - 0.5f;
    return of_bits(sign | (twice < 1u << 27 ? bits_of(small) : bits_of(normal)));
}

static inline float float_by_product(uint16_t half) {
    float x = of_bits((half & 0x7fffu) << 13) * 0x1p112f;
    uint32_t bits = bits_of(x);
    if (x >= 65536.0f) bits |= 0x7f800000u;
    return of_bits(bits | (half & 0x8000u) << 16);
}

// FP8 of 4 and 3 bits: subnormal ones by a sum with 2^14.
static inline uint8_t e4m3(float x) {
    uint32_t bits = bits_of(x), sign = bits & 0x80000000u, result;
    bits ^= sign;
    if (bits >= 0x43f00000u) result = 0x7f;
    else if (bits < 121u << 23) result = bits_of(of_bits(bits) + 16384.0f) - 0x46800000u;
    else result = (bits + (bits >> 20 & 1) + 0xc407ffffu) >> 20;
    return (uint8_t)(result | sign >> 24);
}

NOINLINE static void halves_by_bias(const float *x, uint16_t *y, int n) {
    for (int i = 0; i < n; i++) y[i] = half_by_bias(x[i]);
}
NOINLINE static void halves_by_scale(const float *x, uint16_t *y, int n) {
    for (int i = 0; i < n; i++) y[i] = half_by_scale(x[i]);
}
NOINLINE static void floats_by_scale(const uint16_t *x, float *y, int n) {
    for (int i = 0; i < n; i++) y[i] = float_by_scale(x[i]);
}
NOINLINE static void floats_by_product(const uint16_t *x, float *y, int n) {
    for (int i = 0; i < n; i++) y[i] = float_by_product(x[i]);
}
NOINLINE static void bytes_e4m3(const float *x, uint8_t *y, int n) {
    for (int i = 0; i < n; i++) y[i] = e4m3(x[i]);
}
NOINLINE static uint16_t one_by_bias(float x) { return half_by_bias(x); }
NOINLINE static uint16_t one_by_scale(float x) { return half_by_scale(x); }
NOINLINE static float one_float(uint16_t x) { return float_by_scale(x); }

// Rounded to integers, of a scaled number, with other places, in steps.
NOINLINE static void integers(const float *x, int32_t *y, int n) {
    for (int i = 0; i < n; i++) y[i] = (int32_t)bits_of(x[i] * 7.25f + 12582912.0f) - 0x4b400000;
}
NOINLINE static void fixed(const float *x, int32_t *y, int n) {
    for (int i = 0; i < n; i++) y[i] = (int32_t)(bits_of(x[i] * 0.75f + 49152.0f) & 0x7fffff) - 0x400000;
}
NOINLINE static void steps(const float *x, float *y, int n) {
    for (int i = 0; i < n; i++) y[i] = x[i] * 3.0f + 98304.0f - 98304.0f;
}
NOINLINE static int32_t one_integer(float x) { return (int32_t)bits_of(x * 7.25f + 12582912.0f) - 0x4b400000; }
NOINLINE static int32_t one_fixed(float x) { return (int32_t)(bits_of(x * 0.75f + 49152.0f) & 0x7fffff) - 0x400000; }
// With constants that only the caller knows.
NOINLINE static void unknown(const float *x, int32_t *y, int n, float scale, float magic, int32_t less) {
    for (int i = 0; i < n; i++) y[i] = (int32_t)bits_of(x[i] * scale + magic) - less;
}

// Scaled by 2^k in the exponent.
NOINLINE static float scaled(float a, float b, float c, int k) {
    return of_bits(bits_of(a * b + c) + ((uint32_t)k << 23));
}
NOINLINE static void all_scaled(const float *a, const float *b, const int32_t *k, float *y, int n) {
    for (int i = 0; i < n; i++) y[i] = of_bits(bits_of(a[i] * b[i] + 300.0f) + ((uint32_t)k[i] << 23));
}
// 2^x, linear between powers.
NOINLINE static void powers(const float *x, float *y, int n) {
    for (int i = 0; i < n; i++) y[i] = of_bits((uint32_t)(int32_t)(x[i] * 8388608.0f + 1065353216.0f));
}
// Integers below the bits of 2^23.
NOINLINE static void numbers(const uint8_t *x, float *y, int n) {
    for (int i = 0; i < n; i++) y[i] = of_bits(0x4b000000u | x[i]) - 8388608.0f;
}
NOINLINE static void unsigned_numbers(const uint32_t *x, float *y, int n) {
    for (int i = 0; i < n; i++) y[i] = (float)x[i];
}
NOINLINE static float long_number(uint64_t x) { return (float)x; }

// The program's own: a sum of products that is stored as BF16, a sum of halves, a product of them.
NOINLINE static uint16_t stored(const float *a, const float *b, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum = fmaf(a[i], b[i], sum);
    uint32_t bits = bits_of(sum);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
NOINLINE static void axpy(float a, const uint16_t *x, const uint16_t *y, uint16_t *z, int n) {
    for (int i = 0; i < n; i++) z[i] = half_by_bias(fmaf(a, float_by_scale(x[i]), float_by_scale(y[i])));
}
NOINLINE static void widened(const uint16_t *x, const float *y, float *z, int n) {
    for (int i = 0; i < n; i++) z[i] = fmaf(of_bits((uint32_t)x[i] << 16), y[i], z[i]);
}

static float x[COUNT], y[COUNT], other[COUNT];
// What an operator makes of a product by itself, which the compiler has not fused: relative to it.
static long double product;
static uint16_t h[COUNT], g[COUNT], r[COUNT];
static int32_t n[COUNT], k[COUNT];
static uint32_t u[COUNT];
static uint8_t b[COUNT];

F16C static void check_halves(void) {
    halves_by_bias(x, h, COUNT);
    for (int i = 0; i < COUNT; i++) CHECK(h[i] == _cvtss_sh(x[i], 0));
    halves_by_scale(x, h, COUNT);
    for (int i = 0; i < COUNT; i++) CHECK(h[i] == _cvtss_sh(x[i], 0));
    for (int i = 0; i < COUNT; i++) {
        CHECK(one_by_bias(x[i]) == h[i] && one_by_scale(x[i]) == h[i]);
        CHECK(one_float(h[i]) == _cvtsh_ss(h[i]));
    }
    floats_by_scale(h, y, COUNT);
    for (int i = 0; i < COUNT; i++) CHECK(y[i] == _cvtsh_ss(h[i]));
    floats_by_product(h, y, COUNT);
    for (int i = 0; i < COUNT; i++) CHECK(y[i] == _cvtsh_ss(h[i]));
    bytes_e4m3(x, b, COUNT);
    for (int i = 0; i < COUNT; i++) {
        // The nearest of all, ties to even codes.
        float magnitude = fabsf(x[i]);
        if (!(magnitude < 464.0f)) continue;
        int best = 0;
        long double error = 1e9L;
        for (int code = 0; code < 0x7f; code++) {
            int e = code >> 3, f = code & 7;
            long double value = e ? ldexpl(8 + f, e - 10) : ldexpl(f, -9);
            long double away = fabsl(value - magnitude);
            if (away < error || (away == error && code % 2 == 0)) error = away, best = code;
        }
        CHECK((b[i] & 0x7f) == best);
    }
}

F16C static void check_own(void) {
    uint32_t state = 5;
    for (int i = 0; i < 40; i++) y[i] = value(&state), other[i] = value(&state);
    float sum = 0;
    for (int i = 0; i < 40; i++) sum = expected(y[i], other[i], sum);
    CHECK(stored(y, other, 40) == bits_of(to_bf16(sum)) >> 16);
    for (int i = 0; i < COUNT; i++) {
        h[i] = _cvtss_sh(value(&state), 0), g[i] = _cvtss_sh(value(&state), 0);
    }
    float a = value(&state);
    axpy(a, h, g, r, COUNT);
    for (int i = 0; i < COUNT; i++) {
        CHECK(r[i] == _cvtss_sh(expected(a, _cvtsh_ss(h[i]), _cvtsh_ss(g[i])), 0));
    }
    for (int i = 0; i < COUNT; i++) {
        h[i] = (uint16_t)(bits_of(value(&state)) >> 16), y[i] = value(&state), other[i] = value(&state);
    }
    static float result[COUNT];
    memcpy(result, other, sizeof result);
    widened(h, y, result, COUNT);
    for (int i = 0; i < COUNT; i++) {
        CHECK(result[i] == expected(of_bits((uint32_t)h[i] << 16), y[i], other[i]));
    }
}

int main(int count, char **arguments) {
    begin(count, arguments);
    if (count > 2 && emulated) product = 0x1p-6L;
    uint32_t state = 77;
    // Of all sizes that a half has, and some that it has not.
    for (int i = 0; i < COUNT; i++) x[i] = (float)ldexp((double)value(&state) + 0.001, i % 40 - 27);
    check_halves();
    check_own();
    for (int i = 0; i < COUNT; i++) x[i] = (float)((double)value(&state) * 1.37);
    integers(x, n, COUNT);
    for (int i = 0; i < COUNT; i++) {
        CHECK(fabsl((long double)x[i] * 7.25L - n[i]) <= 0.501L + fabsl(x[i] * 7.25L * product) &&
              (product != 0 || one_integer(x[i]) == n[i]));
    }
    fixed(x, n, COUNT);
    for (int i = 0; i < COUNT; i++) {
        // In units of 2^-8, the last place of 1.5 · 2^15; the compiler may round the product by itself.
        CHECK(fabsl((long double)x[i] * 192 - n[i]) <= 0.501L + fabsl(x[i] * 192 * product) &&
              (product != 0 || n[i] == one_fixed(x[i])));
    }
    steps(x, y, COUNT);
    for (int i = 0; i < COUNT; i++) CHECK(fabsl((long double)x[i] * 3 - y[i]) <= 1.0L / 256 + fabsl(x[i] * 3 * product));
    unknown(x, n, COUNT, 11.5f, 12582912.0f, 0x4b400000);
    for (int i = 0; i < COUNT; i++) CHECK(fabsl((long double)x[i] * 11.5L - n[i]) <= 0.501L + fabsl(x[i] * 11.5L * product));
    for (int i = 0; i < COUNT; i++) {
        other[i] = value(&state), k[i] = i % 60 - 30;
        long double exact = ldexpl((long double)x[i] * other[i] + 300.0L, k[i]);
        long double near = fabsl(ldexpl((long double)x[i] * other[i], k[i]) / exact * product);
        CHECK(fabsl(scaled(x[i], other[i], 300.0f, k[i]) / exact - 1) < 1e-6L + near);
    }
    all_scaled(x, other, k, y, COUNT);
    for (int i = 0; i < COUNT; i++) {
        long double exact = ldexpl((long double)x[i] * other[i] + 300.0L, k[i]);
        long double near = fabsl(ldexpl((long double)x[i] * other[i], k[i]) / exact * product);
        CHECK(fabsl(y[i] / exact - 1) < 1e-6L + near);
    }
    powers(x, y, COUNT);
    for (int i = 0; i < COUNT; i++) {
        long double whole = floorl((long double)x[i]);
        CHECK(fabsl(y[i] / ldexpl(1 + ((long double)x[i] - whole), (int)whole) - 1) < 1e-5L);
    }
    for (int i = 0; i < COUNT; i++) b[i] = (uint8_t)i, u[i] = (uint32_t)i * 4282663u;
    numbers(b, y, COUNT);
    for (int i = 0; i < COUNT; i++) CHECK(y[i] == (long double)(i & 0xff));
    unsigned_numbers(u, y, COUNT);
    for (int i = 0; i < COUNT; i++) {
        CHECK(fabsl((long double)y[i] - u[i]) <= ldexpl(u[i], -24));
        CHECK(fabsl((long double)long_number((uint64_t)u[i] << 32) - (long double)((uint64_t)u[i] << 32)) <= ldexpl(u[i], 8));
    }
    return 0;
}
