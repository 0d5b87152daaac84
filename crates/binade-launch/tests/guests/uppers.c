// Code without AVX, and a function with multiply-adds of 128 bits that it calls: upper halves of vectors are clean behind.
#include "guest.h"
#include <immintrin.h>

static unsigned in_use(void) {
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1));
    // Bits 128 to 255, and 256 to 511 of the first 16 vectors.
    return low & 0x44;
}

__attribute__((noinline, target("fma"))) static float one(float a, float b, float c) {
    return _mm_cvtss_f32(_mm_fmadd_ss(_mm_set_ss(a), _mm_set_ss(b), _mm_set_ss(c)));
}

__attribute__((noinline, target("fma"))) static __m128 four(__m128 a, __m128 b, __m128 c) {
    return _mm_fmadd_ps(a, b, c);
}

__attribute__((noinline, target("fma"))) static void loop(float *y, const float *x, int n) {
    for (int i = 0; i < n; i += 4)
        _mm_storeu_ps(y + i, _mm_fmadd_ps(_mm_set1_ps(0.5f), _mm_loadu_ps(x + i), _mm_loadu_ps(y + i)));
}

__attribute__((noinline)) static float plain(const float *x, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i + 1];
    return sum;
}

int main(int count, char **arguments) {
    begin(count, arguments);
    static float x[65];
    uint32_t state = 4;
    for (int i = 0; i < 65; i++) x[i] = value(&state);
    __asm__ volatile("vzeroupper" ::: "memory");
    CHECK(in_use() == 0);
    for (int i = 0; i < 100; i++) {
        volatile float a = one(x[i % 60], x[i % 61], x[i % 62]);
        CHECK(in_use() == 0);
        __m128 v = _mm_loadu_ps(x + i % 60);
        volatile float b = _mm_cvtss_f32(four(v, v, v));
        CHECK(in_use() == 0);
        static float y[64];
        loop(y, x, 64);
        CHECK(in_use() == 0);
        volatile float c = plain(x, 64);
        volatile float d = fmaf(a, b, c);
        (void)d;
        CHECK(in_use() == 0);
    }
    // What is in use stays as it is.
    float lanes[8];
    float half = 0.5f;
    __asm__ volatile("vbroadcastss %1, %%ymm7\nmovss %1, %%xmm0\nmovss %1, %%xmm1\nmovss %1, %%xmm2\ncall *%2\n"
                     "vmovups %%ymm7, %0\nvzeroupper"
                     : "=m"(lanes)
                     : "m"(half), "r"(one)
                     : "xmm0", "xmm1", "xmm2", "xmm7", "memory", "cc");
    for (int i = 0; i < 8; i++) CHECK(lanes[i] == 0.5f);
    return 0;
}
