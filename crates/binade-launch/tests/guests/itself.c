// The multiply-adds of the C library, called by code without such instructions, and its elementary functions.
#include "guest.h"

int main(int count, char **arguments) {
    begin(count, arguments);
    CHECK(count == 3);
    if (!strcmp(arguments[2], "native")) emulated = 0;
    int wide = !strcmp(arguments[2], "double");
    uint32_t state = 3;
    for (int i = 0; i < 1000; i++) {
        float a = value(&state), b = value(&state), c = value(&state);
        CHECK(fmaf(a, b, c) == expected(a, b, c));
        // Binary64 is the operator's only where it is asked for.
        double native = (double)a * b + c;
        CHECK(fma(a, b, c) == (wide ? (double)expected(a, b, c) : native));
        CHECK(fabs(exp((double)c / 4) - expl((long double)c / 4)) <= 1e-14 * exp((double)c / 4));
        CHECK(fabsf(expf(c / 4) - (float)expl((long double)c / 4)) <= 1e-6f * expf(c / 4));
    }
    return 0;
}
