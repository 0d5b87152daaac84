// Twelve functions with multiply-adds: ten in the program, into one of which another is inlined, one in a library, and one in
// generated code.
// The arguments name those that are given values far from 0, so that they lose all bits in a narrow format.
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define N 16
#define FUNCTION __attribute__((noinline))

float variance(const float *x);

static float near[N], far[N], weights[N], out[N];

FUNCTION float dot(const float *x, const float *y) {
    float sum = 0;
    for (int i = 0; i < N; i++) sum += x[i] * y[i];
    return sum;
}

FUNCTION float norm(const float *x) {
    float sum = 1;
    for (int i = 0; i < N; i++) sum += x[i] * x[i];
    return sum;
}

FUNCTION float axpy(float a, const float *x) {
    for (int i = 0; i < N; i++) out[i] = a * x[i] + 1;
    return out[3];
}

FUNCTION float horner(const float *coefficients, float x) {
    float value = 0;
    for (int i = 0; i < 4; i++) value = value * x + coefficients[i];
    return value;
}

FUNCTION float blend(const float *x, const float *y, float share) {
    for (int i = 0; i < N; i++) out[i] = x[i] + share * y[i];
    return out[5];
}

FUNCTION float energy(const float *x) {
    float sum = 2;
    for (int i = 0; i < N; i++) sum = 0.5f * x[i] * x[i] + sum;
    return sum;
}

FUNCTION float filter(const float *x, float a) {
    float state = 0.5f;
    for (int i = 0; i < N; i++) state = a * state + x[i];
    return state;
}

FUNCTION float trapezoid(const float *x, float h) {
    float sum = 1;
    for (int i = 0; i + 1 < N; i++) sum += h * (x[i] + x[i + 1]);
    return sum;
}

FUNCTION float weighted(const float *x) {
    float sum = 3;
    for (int i = 0; i < N; i += 2) sum += weights[i] * x[i];
    return sum;
}

static inline __attribute__((always_inline)) float spread(const float *x) {
    float squares = 0, sum = 0;
    for (int i = 0; i < N; i++) {
        squares += x[i] * x[i]; // sensitive line
        sum += x[i];
    }
    return squares - sum * sum * (1.0f / N); // sensitive end
}

FUNCTION float summary(const float *x, const float *y) {
    float first = spread(x);
    float second = 1;
    for (int i = 0; i < N; i++) second += y[i] * weights[i];
    return first + 0 * second;
}

// A sum of products in machine code: xmm0 += [rdi] * [rsi], edx times.
static const unsigned char CODE[] = {
    0xc5, 0xf8, 0x57, 0xc0,             // vxorps xmm0, xmm0, xmm0
    0xc5, 0xfa, 0x10, 0x0f,             // vmovss xmm1, [rdi]
    0xc4, 0xe2, 0x71, 0xb9, 0x06,       // vfmadd231ss xmm0, xmm1, [rsi]
    0x48, 0x83, 0xc7, 0x04,             // add rdi, 4
    0x48, 0x83, 0xc6, 0x04,             // add rsi, 4
    0xff, 0xca,                         // dec edx
    0x75, 0xeb,                         // jnz
    0xc3,                               // ret
};

static float generated(const float *x) {
    void *page = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return 0;
    memcpy(page, CODE, sizeof CODE);
    double mean = 0;
    for (int i = 0; i < N; i++) mean += x[i] / (double)N;
    float squares = ((float (*)(const float *, const float *, int))page)(x, x, N);
    return (float)(squares / N - mean * mean);
}

int main(int count, char **arguments) {
    const float *of_variance = near, *of_spread = near, *of_generated = near;
    for (int i = 1; i < count; i++) {
        if (!strcmp(arguments[i], "variance")) of_variance = far;
        if (!strcmp(arguments[i], "spread")) of_spread = far;
        if (!strcmp(arguments[i], "generated")) of_generated = far;
    }
    float step = 0, weight = 0.25f;
    for (int i = 0; i < N; i++) {
        near[i] = step - 3.65f;
        far[i] = step + 200.3f;
        weights[i] = weight;
        step += 0.5f;
        weight = weight > 0.7f ? 0.25f : weight + 0.125f;
    }
    float coefficients[4] = {0.3f, 0.7f, 1.1f, 1.9f};
    printf("dot %g\n", dot(near, near));
    printf("norm %g\n", norm(near));
    printf("axpy %g\n", axpy(0.7f, near));
    printf("horner %g\n", horner(coefficients, 0.9f));
    printf("blend %g\n", blend(weights, weights, 0.6f));
    printf("energy %g\n", energy(near));
    printf("filter %g\n", filter(weights, 0.5f));
    printf("trapezoid %g\n", trapezoid(weights, 0.5f));
    printf("weighted %g\n", weighted(weights));
    printf("summary %g\n", summary(of_spread, near));
    printf("variance %g\n", variance(of_variance));
    printf("generated %g\n", generated(of_generated));
    return 0;
}
