// What the guests share: a multiply-add instruction, and what it should give under bf16:bf16, computed without one.
// A guest's first argument says what it runs under: "native" or "bf16". It returns 0 if all is as it should be.
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int emulated;

static float to_bf16(float x) {
    uint32_t bits;
    memcpy(&bits, &x, 4);
    bits += 0x7fff + (bits >> 16 & 1);
    bits &= 0xffff0000;
    memcpy(&x, &bits, 4);
    return x;
}

// For operands of moderate exponents: the product is exact in binary64, and so is the sum.
static float expected(float a, float b, float c) {
    if (!emulated) return (float)((double)a * b + c);
    return to_bf16((float)((double)to_bf16(a) * to_bf16(b) + to_bf16(c)));
}

static inline float multiply_add(float a, float b, float c) {
    __asm__ volatile("vfmadd231ss %2, %1, %0" : "+x"(c) : "x"(a), "x"(b));
    return c;
}

// Values of 8 to 12 significant bits, so that BF16 rounds some of them and native sums are exact.
static float value(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return (float)((int32_t)(*state >> 20) - 2048) / 256.0f;
}

static int wrong(uint32_t *state) {
    float a = value(state), b = value(state), c = value(state);
    return multiply_add(a, b, c) != expected(a, b, c);
}

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

static void begin(int count, char **arguments) {
    CHECK(count >= 2);
    emulated = strcmp(arguments[1], "bf16") == 0;
}
