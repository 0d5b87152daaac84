// Sums within a register: each gives the bits of scalar products and sums under the same operator.
#include "guest.h"
#include <immintrin.h>

// A jump in place of an instruction of four bytes covers a NOP.
#define SCALAR(name, type, instruction) \
    __attribute__((noinline)) static type name(type a, type b) { \
        __asm__ volatile(instruction " %1, %0, %0\n\tnop\n\tnop" : "+x"(a) : "x"(b)); \
        return a; \
    }
SCALAR(plus, float, "vaddss")
SCALAR(minus, float, "vsubss")
SCALAR(times, float, "vmulss")
SCALAR(plus_double, double, "vaddsd")
SCALAR(minus_double, double, "vsubsd")
SCALAR(times_double, double, "vmulsd")

#define LEGACY(instruction, x, y) __asm__ volatile(instruction " %1, %0\n\tnop\n\tnop" : "+x"(x) : "x"(y))
#define VEX(instruction, d, x, y) \
    __asm__ volatile(instruction " %2, %1, %0\n\tnop\n\tnop" : "=x"(d) : "x"(x), "xm"(y))

// The dot product of one block of 128 bits, in the order of the manual's pseudocode.
static void across(const float *x, const float *y, unsigned selection, float *d) {
    float p[4];
    for (int i = 0; i < 4; i++) p[i] = selection >> (4 + i) & 1 ? times(x[i], y[i]) : 0;
    float sum = plus(plus(p[0], p[1]), plus(p[2], p[3]));
    for (int i = 0; i < 4; i++) d[i] = selection >> i & 1 ? sum : 0;
}

static void across_double(const double *x, const double *y, unsigned selection, double *d) {
    double p[2];
    for (int i = 0; i < 2; i++) p[i] = selection >> (4 + i) & 1 ? times_double(x[i], y[i]) : 0;
    double sum = plus_double(p[0], p[1]);
    for (int i = 0; i < 2; i++) d[i] = selection >> i & 1 ? sum : 0;
}

// What the instructions give for two sources, by scalar operations: `lanes` of them, in blocks of `block`.
#define BY_SCALARS(name, type, plus, minus, block) \
    static void name(const type *x, const type *y, int lanes, type *alternating, type *sums, type *differences) { \
        for (int i = 0; i < lanes; i++) { \
            int start = i / block * block, pair = i % block; \
            const type *source = pair < block / 2 ? x : y; \
            pair = start + 2 * (pair % (block / 2)); \
            alternating[i] = i % 2 ? plus(x[i], y[i]) : minus(x[i], y[i]); \
            sums[i] = plus(source[pair], source[pair + 1]); \
            differences[i] = minus(source[pair], source[pair + 1]); \
        } \
    }
BY_SCALARS(by_scalars, float, plus, minus, 4)
BY_SCALARS(by_scalars_double, double, plus_double, minus_double, 2)

// As `value`, but for a product by itself in it.
static float fine(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return ldexpf((float)((int32_t)(*state >> 20) - 2048), -8);
}

#define SAME(vector, expected) CHECK(!memcmp(&(vector), expected, sizeof(vector)))

#define THREE_OF(vector, suffix, x, y, expected) \
    do { \
        vector d; \
        VEX("vaddsub" suffix, d, x, y); \
        SAME(d, expected[0]); \
        VEX("vhadd" suffix, d, x, y); \
        SAME(d, expected[1]); \
        VEX("vhsub" suffix, d, x, y); \
        SAME(d, expected[2]); \
    } while (0)

#define THREE_LEGACY(vector, suffix, x, y, expected) \
    do { \
        vector d = x; \
        LEGACY("addsub" suffix, d, y); \
        SAME(d, expected[0]); \
        d = x; \
        LEGACY("hadd" suffix, d, y); \
        SAME(d, expected[1]); \
        d = x; \
        LEGACY("hsub" suffix, d, y); \
        SAME(d, expected[2]); \
    } while (0)

#define ACROSS(selection) \
    do { \
        float expected[8]; \
        double expected_double[2]; \
        across(x, y, selection, expected); \
        across(x + 4, y + 4, selection, expected + 4); \
        across_double(u, v, selection, expected_double); \
        __m256 wide; \
        __m128 narrow; \
        VEX("vdpps $" #selection ",", wide, x8, y8); \
        SAME(wide, expected); \
        VEX("vdpps $" #selection ",", narrow, x4, y4); \
        SAME(narrow, expected); \
        narrow = x4; \
        LEGACY("dpps $" #selection ",", narrow, y4); \
        SAME(narrow, expected); \
        __m128d pair = u2; \
        LEGACY("dppd $" #selection ",", pair, v2); \
        SAME(pair, expected_double); \
        VEX("vdppd $" #selection ",", pair, u2, v2); \
        SAME(pair, expected_double); \
    } while (0)

int main(int count, char **arguments) {
    begin(count, arguments);
    uint32_t state = 7;
    int inexact = 0;
    for (int round = 0; round < 50; round++) {
        float x[8], y[8], expected[3][8];
        double u[4], v[4], expected_double[3][4];
        for (int i = 0; i < 8; i++) x[i] = fine(&state), y[i] = fine(&state);
        for (int i = 0; i < 4; i++) u[i] = fine(&state), v[i] = fine(&state);
        by_scalars(x, y, 8, expected[0], expected[1], expected[2]);
        by_scalars_double(u, v, 4, expected_double[0], expected_double[1], expected_double[2]);
        // Numbers are multiples of 2^-8.
        for (int i = 1; i < 8; i += 2) {
            int sum = (int)ldexpf(x[i], 8) + (int)ldexpf(y[i], 8);
            inexact += (int)ldexpf(expected[0][i], 8) != sum;
        }
        __m128 x4 = _mm_loadu_ps(x), y4 = _mm_loadu_ps(y);
        __m256 x8 = _mm256_loadu_ps(x), y8 = _mm256_loadu_ps(y);
        __m128d u2 = _mm_loadu_pd(u), v2 = _mm_loadu_pd(v);
        __m256d u4 = _mm256_loadu_pd(u), v4 = _mm256_loadu_pd(v);
        THREE_OF(__m256, "ps", x8, y8, expected);
        THREE_OF(__m128, "ps", x4, y4, expected);
        THREE_LEGACY(__m128, "ps", x4, y4, expected);
        THREE_OF(__m256d, "pd", u4, v4, expected_double);
        THREE_OF(__m128d, "pd", u2, v2, expected_double);
        THREE_LEGACY(__m128d, "pd", u2, v2, expected_double);
        ACROSS(0xff);
        ACROSS(0x71);
        ACROSS(0x3a);
        ACROSS(0xc5);
        ACROSS(0x0f);
        ACROSS(0xf0);
    }
    CHECK((inexact > 20) == emulated);
    return 0;
}
