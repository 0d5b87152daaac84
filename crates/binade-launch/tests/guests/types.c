// Multiply-adds of other types than binary32, which are not executed: the machine may lack them.
#include "guest.h"
#include <immintrin.h>

__attribute__((noinline)) double of_binary64(double a, double b, double c) {
    __asm__ volatile("vfmadd231sd %2, %1, %0" : "+x"(c) : "x"(a), "x"(b));
    return c;
}

__attribute__((noinline)) void of_binary16(void) {
    __asm__ volatile("vfmadd231ph %%zmm0, %%zmm1, %%zmm2; vfcmaddcph %%zmm0, %%zmm1, %%zmm2" : : : "xmm2");
}

__attribute__((noinline)) void of_bf16(void) {
    __asm__ volatile("vdpbf16ps %%zmm0, %%zmm1, %%zmm2" : : : "xmm2");
}

int main(int count, char **arguments) {
    begin(count, arguments);
    uint32_t state = 5;
    CHECK(!wrong(&state));
    CHECK(of_binary64(2, 3, 4) == 10);
    if (count > 2) {
        of_binary16();
        of_bf16();
    }
    return 0;
}
