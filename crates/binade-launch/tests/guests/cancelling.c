// Eight functions of multiply-adds, one of which loses all its bits: the variance of numbers whose mean is large.
#include <math.h>
#include <stdio.h>

#define N 256
#define FUNCTION __attribute__((noinline)) static float

FUNCTION dot(const float *x, const float *y)
{
    float sum = 0;
    for (int i = 0; i < N; i++)
        sum = fmaf(x[i], y[i], sum);
    return sum;
}

FUNCTION scaled_sum(float *z, const float *x, const float *y, float a)
{
    for (int i = 0; i < N; i++)
        z[i] = fmaf(a, x[i], y[i]);
    return z[N - 1];
}

FUNCTION polynomial(float *z, const float *x)
{
    for (int i = 0; i < N; i++)
        z[i] = fmaf(fmaf(0.5f, x[i], 1), x[i], 1);
    return z[0];
}

FUNCTION norm(const float *x)
{
    float sum = 0;
    for (int i = 0; i < N; i++)
        sum = fmaf(x[i], x[i], sum);
    return sqrtf(sum);
}

FUNCTION smooth(float *z, const float *x)
{
    for (int i = 1; i < N - 1; i++)
        z[i] = fmaf(0.5f, x[i], fmaf(0.25f, x[i - 1], 0.25f * x[i + 1]));
    return z[1];
}

FUNCTION matrix_vector(float *z, const float *x, const float *y)
{
    for (int row = 0; row < 16; row++) {
        float sum = 0;
        for (int column = 0; column < 16; column++)
            sum = fmaf(x[16 * row + column], y[column], sum);
        z[row] = sum;
    }
    return z[0];
}

FUNCTION growth(float x)
{
    for (int i = 0; i < N; i++)
        x = fmaf(0.01f, x, x);
    return x;
}

FUNCTION variance(const float *x, int n)
{
    float sum = 0, squares = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i];
        squares = fmaf(x[i], x[i], squares);
    }
    float mean = sum / n;
    return fmaf(-mean, sum, squares) / n;
}

int main(void)
{
    static float x[N], y[N], z[N], w[4];
    for (int i = 0; i < N; i++) {
        x[i] = 1 + (float)(i % 17) / 16;
        y[i] = 1 + (float)(i % 13) / 8;
    }
    for (int i = 0; i < 4; i++)
        w[i] = 30001.25f + 0.5f * (i % 4);
    volatile float all = 0;
    for (int i = 0; i < 8; i++) {
        all = dot(x, y);
        all = all + scaled_sum(z, x, y, 0.3f);
        all = all + polynomial(z, x) + norm(x) + smooth(z, x) + matrix_vector(z, x, y) + growth(1);
    }
    all = all + variance(w, 4);
    return 0;
}
