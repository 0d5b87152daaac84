// A loop with other arithmetic beside its multiply-adds, under the default MXCSR or, with "flush", under that of -ffast-math.
#include "guest.h"

#include <immintrin.h>

enum { COUNT = 70 };

__attribute__((noinline)) static void scaled(float *y, const float *x, float a, float b, int n) {
    for (int i = 0; i < n; i++) y[i] = __builtin_fmaf(b, x[i], __builtin_fmaf(a, x[i], y[i]) * 0.5f);
}

int main(int count, char **arguments) {
    begin(count, arguments);
    float x[COUNT], y[COUNT], z[COUNT];
    uint32_t state = 7;
    for (int i = 0; i < COUNT; i++) {
        x[i] = value(&state) / 16;
        y[i] = value(&state);
    }
    memcpy(z, y, sizeof z);
    if (count > 2 && !strcmp(arguments[2], "flush")) _mm_setcsr(_mm_getcsr() | 0x8040);
    float a = value(&state) / 16, b = value(&state) / 16;
    scaled(z, x, a, b, COUNT);
    for (int i = 0; i < COUNT; i++) CHECK(z[i] == expected(b, x[i], expected(a, x[i], y[i]) * 0.5f));
    return 0;
}
