// Loops of one, two and three multiply-adds as compilers make them, packed and scalar, of any length.
#include "guest.h"

#define LOOP __attribute__((noinline))

enum { LONGEST = 70 };

LOOP static void one(float *y, const float *x, float a, int n) {
    for (int i = 0; i < n; i++) y[i] = __builtin_fmaf(a, x[i], y[i]);
}

LOOP static void two(float *y, const float *x, float a, float b, int n) {
    for (int i = 0; i < n; i++) y[i] = __builtin_fmaf(__builtin_fmaf(a, x[i], b), x[i], y[i]);
}

LOOP static void three(float *y, const float *x, float a, float b, float c, int n) {
    for (int i = 0; i < n; i++)
        y[i] = __builtin_fmaf(c, x[i + 2], __builtin_fmaf(b, x[i + 1], __builtin_fmaf(a, x[i], y[i])));
}

// The next step waits for the last one, so that it stays scalar.
LOOP static float chain(const float *x, float a, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum = __builtin_fmaf(sum, a, x[i]);
    return sum;
}

int main(int count, char **arguments) {
    begin(count, arguments);
    float x[LONGEST + 2], y[LONGEST], z[LONGEST];
    uint32_t state = 7;
    for (int n = 0; n < LONGEST; n++) {
        for (int i = 0; i < LONGEST + 2; i++) x[i] = value(&state) / 16;
        for (int i = 0; i < LONGEST; i++) y[i] = value(&state);
        float a = value(&state) / 16, b = value(&state) / 16, c = value(&state) / 16;
        memcpy(z, y, sizeof z);
        one(z, x, a, n);
        for (int i = 0; i < LONGEST; i++) CHECK(z[i] == (i < n ? expected(a, x[i], y[i]) : y[i]));
        memcpy(z, y, sizeof z);
        two(z, x, a, b, n);
        for (int i = 0; i < LONGEST; i++)
            CHECK(z[i] == (i < n ? expected(expected(a, x[i], b), x[i], y[i]) : y[i]));
        memcpy(z, y, sizeof z);
        three(z, x, a, b, c, n);
        for (int i = 0; i < n; i++) {
            float last = expected(c, x[i + 2], expected(b, x[i + 1], expected(a, x[i], y[i])));
            CHECK(z[i] == last);
        }
        float sum = 0;
        for (int i = 0; i < n; i++) sum = expected(sum, 0.25f, x[i]);
        CHECK(chain(x, 0.25f, n) == sum);
    }
    return 0;
}
