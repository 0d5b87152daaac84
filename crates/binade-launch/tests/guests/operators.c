// A function of three loops whose multiply-adds have several operators by rules: the lines marked as native keep f32:f32.
#include "guest.h"

enum { COUNT = 64 };

__attribute__((noinline)) static void three(float *x, float *y, float *z, float a) {
    for (int i = 0; i < COUNT; i++)
        x[i] = multiply_add(a, x[i], y[i]);
    for (int i = 0; i < COUNT; i++)
        y[i] = multiply_add(a, y[i], z[i]); /* native */
    for (int i = 0; i < COUNT; i++) {
        float once = multiply_add(a, z[i], 1);
        z[i] = multiply_add(a, once, 2); /* native */
    }
}

static float natively(float a, float b, float c) {
    return (float)((double)a * b + c);
}

int main(int count, char **arguments) {
    begin(count, arguments);
    float x[COUNT], y[COUNT], z[COUNT], before[3][COUNT];
    uint32_t state = 7;
    float a = value(&state);
    for (int i = 0; i < COUNT; i++) x[i] = value(&state), y[i] = value(&state), z[i] = value(&state);
    memcpy(before[0], x, sizeof x);
    memcpy(before[1], y, sizeof y);
    memcpy(before[2], z, sizeof z);
    three(x, y, z, a);
    for (int i = 0; i < COUNT; i++) {
        CHECK(x[i] == expected(a, before[0][i], before[1][i]));
        CHECK(y[i] == natively(a, before[1][i], before[2][i]));
        CHECK(z[i] == natively(a, expected(a, before[2][i], 1), 2));
    }
    return 0;
}
