// A function whose ways that are never taken read at addresses where nothing is, some of them around the last one: whoever asks
// what constants it computes with must not read there.
#include "guest.h"

static float guarded(float a, float b, float c, int never) {
    __asm__ volatile(
        "test %3, %3\n je 1f\n"
#define READS(address) "mov $" #address ", %%rax\n vmovsd (%%rax), %%xmm7\n vmovss 4(%%rax), %%xmm8\n vaddps (%%rax), %%xmm7, %%xmm7\n"
        READS(-8) READS(-4) READS(-1) READS(-16) READS(0) READS(8) READS(0x800000000000) READS(0xffff800000000000)
        "xor %%eax, %%eax\n vbroadcastss -4(%%rax), %%ymm7\n vbroadcastsd -8(%%rax), %%ymm8\n"
        "1: vfmadd231ss %2, %1, %0"
        : "+x"(c) : "x"(a), "x"(b), "r"(never) : "rax", "xmm7", "xmm8", "cc");
    return c;
}

int main(int count, char **arguments) {
    begin(count, arguments);
    uint32_t state = 5;
    for (int i = 0; i < 100; i++) {
        float a = value(&state), b = value(&state), c = value(&state);
        CHECK(guarded(a, b, c, count == 7) == expected(a, b, c));
    }
    return 0;
}
