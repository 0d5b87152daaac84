// Multiply-adds on known lines: one on a line of its own function, one in a function that is inlined. Each runs a thousand times.
#include <math.h>
#include <stdio.h>

static inline __attribute__((always_inline)) float step(float a, float b, float c)
{
    return fmaf(a, b, c); /* inlined */
}

__attribute__((noinline)) float polynomial(float x)
{
    float y = fmaf(x, 3, 1); /* own */
    return step(y, x, 2);    /* call */
}

int main(void)
{
    volatile float sum = 0;
    for (int i = 0; i < 1000; i++)
        sum = sum + polynomial((float)i / 1024);
    return sum > 0 ? 0 : 1;
}
