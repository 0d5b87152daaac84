// A program with one unstable function: a variance by the difference of large sums. It prints three numbers, and writes an array of
// residuals, of which element 17 loses most of its digits to a sum.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define N 64
#define FUNCTION __attribute__((noinline))

static float x[N], y[N], offsets[N], residuals[N];

FUNCTION float mean(const float *a) {
    float sum = 0;
    for (int i = 0; i < N; i++) sum += a[i] * (1.0f / N);
    return sum;
}

FUNCTION float variance(const float *a) {
    float squares = 0, sum = 0;
    for (int i = 0; i < N; i++) squares += a[i] * a[i];
    for (int i = 0; i < N; i++) sum += a[i];
    return squares * (1.0f / N) - sum * (1.0f / N) * (sum * (1.0f / N));
}

FUNCTION float length(const float *a) {
    float sum = 1;
    for (int i = 0; i < N; i++) sum += a[i] * a[i];
    return sum;
}

FUNCTION void residual(const float *a, const float *b) {
    for (int i = 0; i < N; i++) {
        float sum = a[i] * b[i] + offsets[i];
        residuals[i] = sum - offsets[i];
    }
}

// The two names end alike.
FUNCTION float first(const float *a) __asm__("alike");
FUNCTION float first(const float *a) {
    float sum = 0;
    for (int i = 0; i < N; i++) sum += a[i] * 0.3f;
    return sum;
}

FUNCTION float second(const float *a) __asm__("\"not:alike\"");
FUNCTION float second(const float *a) {
    float squares = 0, sum = 0;
    for (int i = 0; i < N; i++) squares += a[i] * a[i];
    for (int i = 0; i < N; i++) sum += a[i];
    return squares - sum * sum * (1.0f / N);
}

static void write_array(const char *path) {
    char header[119];
    snprintf(header, sizeof header, "{'descr': '<f4', 'fortran_order': False, 'shape': (%d,), }", N);
    size_t length = strlen(header);
    memset(header + length, ' ', 117 - length);
    header[117] = '\n';
    FILE *file = fopen(path, "wb");
    fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, file);
    fwrite(header, 1, 118, file);
    fwrite(residuals, sizeof *residuals, N, file);
    fclose(file);
}

int main(int count, char **arguments) {
    for (int i = 0; i < N; i++) {
        x[i] = 3000 + (float)(i * 37 % N) / N;
        y[i] = 0.1f + (float)i / 3;
        offsets[i] = 0.25f;
    }
    float up[N], down[N];
    for (int i = 0; i < N; i++) {
        up[i] = i == 17 ? 3e-4f : 3.1f + (float)i / 7;
        down[i] = i == 17 ? 1.1e-3f : 0.7f + (float)i / 9;
    }
    printf("mean %.9g\nvariance %.9g\nlength %.9g\n", mean(x), variance(x), length(y));
    residual(up, down);
    if (count > 1) write_array(arguments[1]);
    if (count > 2) printf("first %.9g\nsecond %.9g\n", first(y), second(x));
    return 0;
}
