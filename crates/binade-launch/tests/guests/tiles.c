// Products of tiles (AMX): natively as Intel describes them, and by the operator's multiply-adds in the same order. Returns 77
// where there are no tiles.
#include "guest.h"
#include <cpuid.h>
#include <sys/syscall.h>

#define PERMISSION 0x1023
#define TILE_DATA 18

struct __attribute__((packed)) configuration {
    uint8_t palette, start, reserved[14];
    uint16_t columns[16];
    uint8_t rows[16];
};

static float half(uint32_t pair, int upper) {
    uint32_t bits = upper ? pair & 0xffff0000 : pair << 16;
    float x;
    memcpy(&x, &bits, 4);
    return x;
}

int main(int count, char **arguments) {
    begin(count, arguments);
    unsigned a, b, c, d;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(d >> 22 & 1) || syscall(SYS_arch_prctl, PERMISSION, TILE_DATA)) return 77;
    uint32_t state = 1;
    for (int repeat = 0; repeat < 40; repeat++) {
        int rows = 1 + repeat % 16, depth = 1 + repeat * 5 % 16, columns = 1 + repeat * 7 % 16;
        struct configuration shape = {.palette = 1};
        shape.rows[3] = rows, shape.columns[3] = 4 * columns;
        shape.rows[6] = rows, shape.columns[6] = 4 * depth;
        shape.rows[1] = depth, shape.columns[1] = 4 * columns;
        uint32_t left[16][16], right[16][16];
        float sums[16][16], results[16][16];
        for (int i = 0; i < 16; i++) {
            for (int k = 0; k < 16; k++) {
                // Of many exponents, so that sums round.
                float scale = (float)(1 << (state >> 28));
                float x = to_bf16(value(&state) * scale), y = to_bf16(value(&state)), z = to_bf16(value(&state)), w = to_bf16(value(&state));
                uint32_t bits[4];
                memcpy(&bits[0], &x, 4), memcpy(&bits[1], &y, 4), memcpy(&bits[2], &z, 4), memcpy(&bits[3], &w, 4);
                left[i][k] = bits[0] >> 16 | bits[1];
                right[i][k] = bits[2] >> 16 | bits[3];
                sums[i][k] = value(&state) * 1.00001f;
            }
        }
        memcpy(results, sums, sizeof sums);
        long stride = 64;
        __asm__ volatile(
            "ldtilecfg %0\n"
            "tileloadd (%1,%4), %%tmm3\n tileloadd (%2,%4), %%tmm6\n tileloadd (%3,%4), %%tmm1\n"
            "tdpbf16ps %%tmm1, %%tmm6, %%tmm3\n"
            "tilestored %%tmm3, (%1,%4)\n tilerelease\n"
            : : "m"(shape), "r"(results), "r"(left), "r"(right), "r"(stride) : "memory");
        for (int m = 0; m < 16; m++) {
            for (int n = 0; n < 16; n++) {
                float even = 0, odd = 0, sum = sums[m][n];
                if (m < rows && n < columns) {
                    for (int k = 0; k < depth; k++) {
                        even = expected(half(left[m][k], 0), half(right[k][n], 0), even);
                        odd = expected(half(left[m][k], 1), half(right[k][n], 1), odd);
                    }
                    sum = expected(expected(even, 1, odd), 1, sum);
                }
                CHECK(memcmp(&results[m][n], &sum, 4) == 0);
            }
        }
    }
    // A multiply-add of another kind, so that something has run.
    CHECK(!wrong(&state));
    return 0;
}
