/* Reads what `binade vectors multiply --in float8_e5m2` writes, a line `X Y RESULT FLAGS` for each product, and compares with
 * a multiplier in C. Flags are letters: i invalid, d a subnormal operand, o overflow, u underflow, x inexact; - for none.
 *
 *   cc -o check check.c && binade vectors multiply --in float8_e5m2 | ./check
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* E5M2 is the upper half of binary16: subnormals apart, its exponent is 112 less than binary32's. */
static float widen(uint8_t code) {
    uint32_t magnitude = code & 0x7f, bits;
    float value;
    if (magnitude >= 0x7c)
        bits = 0x7f800000 | (magnitude & 3) << 21;
    else if (magnitude >= 4)
        bits = (magnitude << 21) + (112u << 23);
    else {
        value = (float)magnitude / 65536.0f; /* units of 2^-16 */
        memcpy(&bits, &value, 4);
    }
    bits |= (uint32_t)(code & 0x80) << 24;
    memcpy(&value, &bits, 4);
    return value;
}

/* To nearest even. */
static uint8_t narrow(float value) {
    uint32_t bits, magnitude, sign;
    memcpy(&bits, &value, 4);
    sign = bits >> 24 & 0x80;
    magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) return 0x7e;
    if (magnitude < 113u << 23) {
        /* Beside 128, a unit in the last place of binary32 is 2^-16: the addition rounds. */
        float positive, sum;
        uint32_t summed;
        memcpy(&positive, &magnitude, 4);
        sum = positive + 128.0f;
        memcpy(&summed, &sum, 4);
        return sign | (summed & 0x7f);
    }
    magnitude += 0xfffff + (magnitude >> 21 & 1); /* half a unit, less one for ties to even */
    magnitude >>= 21;
    magnitude -= 112 << 2;
    return sign | (magnitude > 0x7c ? 0x7c : magnitude);
}

int main(void) {
    unsigned x, y, expected;
    char flags[8];
    long lines = 0, wrong = 0;
    int fields;
    while ((fields = scanf("%x %x %x %7s", &x, &y, &expected, flags)) == 4) {
        /* Three bits by three: the product is exact in binary32, so it is rounded once. */
        unsigned z = narrow(widen(x) * widen(y));
        lines++;
        if (z != expected && ++wrong <= 10) printf("%02x * %02x = %02x, expected %02x\n", x, y, z, expected);
    }
    if (fields != EOF) {
        fprintf(stderr, "line %ld is no vector\n", lines + 1);
        return 2;
    }
    printf("%ld vectors, %ld wrong\n", lines, wrong);
    return lines == 0 || wrong != 0;
}
