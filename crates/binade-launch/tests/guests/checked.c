// Loops that are translated whole: sums of products in registers, and stores within the loop.
#include "guest.h"
#include <immintrin.h>
#include <pthread.h>

#define ROUNDS 40
#define LANES 8

static void *compute(void *seed) {
    uint32_t state = (uint32_t)(uintptr_t)seed;
    for (int repeat = 0; repeat < 50; repeat++) {
        float a[ROUNDS][LANES], b[ROUNDS][4], each[ROUNDS][LANES], sums[4][LANES];
        for (int k = 0; k < ROUNDS; k++) {
            for (int lane = 0; lane < LANES; lane++) a[k][lane] = value(&state);
            for (int i = 0; i < 4; i++) b[k][i] = value(&state);
        }
        const float *from = &a[0][0], *factors = &b[0][0];
        float *to = &each[0][0];
        long rounds = ROUNDS;
        __asm__ volatile(
            "vxorps %%xmm0, %%xmm0, %%xmm0\n vxorps %%xmm1, %%xmm1, %%xmm1\n"
            "vxorps %%xmm2, %%xmm2, %%xmm2\n vxorps %%xmm3, %%xmm3, %%xmm3\n"
            "1: vmovups (%0), %%ymm4\n"
            "vbroadcastss (%1), %%ymm5\n vbroadcastss 4(%1), %%ymm6\n"
            "vbroadcastss 8(%1), %%ymm7\n vbroadcastss 12(%1), %%ymm8\n"
            "vfmadd231ps %%ymm4, %%ymm5, %%ymm0\n vfmadd231ps %%ymm4, %%ymm6, %%ymm1\n"
            "vfmadd231ps %%ymm4, %%ymm7, %%ymm2\n vfmadd231ps %%ymm4, %%ymm8, %%ymm3\n"
            "vmovups %%ymm1, (%2)\n"
            "add $32, %0\n add $16, %1\n add $32, %2\n dec %3\n jnz 1b\n"
            "vmovups %%ymm0, (%4)\n vmovups %%ymm1, 32(%4)\n vmovups %%ymm2, 64(%4)\n vmovups %%ymm3, 96(%4)\n"
            : "+r"(from), "+r"(factors), "+r"(to), "+r"(rounds)
            : "r"(sums)
            : "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8");
        for (int i = 0; i < 4; i++) {
            for (int lane = 0; lane < LANES; lane++) {
                float sum = 0;
                for (int k = 0; k < ROUNDS; k++) {
                    sum = expected(b[k][i], a[k][lane], sum);
                    if (i == 1) CHECK(each[k][lane] == sum);
                }
                CHECK(sums[i][lane] == sum);
            }
        }
    }
    return NULL;
}

int main(int count, char **arguments) {
    begin(count, arguments);
    pthread_t threads[3];
    for (uintptr_t i = 0; i < 3; i++) CHECK(!pthread_create(&threads[i], NULL, compute, (void *)(i + 1)));
    for (int i = 0; i < 3; i++) CHECK(!pthread_join(threads[i], NULL));
    return 0;
}
