// Unmasked exceptions, a hostile MXCSR, and data among code that looks like a multiply-add.
#include "guest.h"
#include <fenv.h>
#include <xmmintrin.h>

__asm__(".text\n.globl table\n.type table, @function\ntable: jmp 1f\n"
        ".byte 0xc4, 0xe2, 0x79, 0xb9, 0xd9\n1: mov $42, %eax\nret\n.size table, .-table\n");
extern int table(void);

// The same bytes again, as data that code forms the address of: in the text, within a function, before a jump through a
// register, behind which code might be.
__asm__(".text\n.globl lookup\n.type lookup, @function\nlookup: lea 2f(%rip), %rcx\nmov (%rcx, %rdi), %eax\n"
        "lea 1f(%rip), %rdx\njmp *%rdx\n2: .byte 0xc4, 0xe2, 0x79, 0xb9, 0xd9, 0x90, 0x90, 0x90\n1: ret\n"
        ".size lookup, .-lookup\n");
extern uint32_t lookup(long);

int main(int count, char **arguments) {
    begin(count, arguments);
    static const uint8_t bytes[] = {0xc4, 0xe2, 0x79, 0xb9, 0xd9};
    CHECK(table() == 42);
    volatile int behind_the_jump = 2;
    CHECK(memcmp((const uint8_t *)table + behind_the_jump, bytes, sizeof bytes) == 0);
    CHECK(lookup(0) == 0xb979e2c4 && lookup(4) == 0x909090d9);
    uint32_t state = 29;
    feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW);
    for (int i = 0; i < 1000; i++) CHECK(!wrong(&state));
    fedisableexcept(FE_ALL_EXCEPT);
    CHECK(!fetestexcept(FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW | FE_DIVBYZERO));
    unsigned before = _mm_getcsr();
    if (emulated) {
        // Rounding up and flushing subnormals change nothing under an operator.
        for (int i = 0; i < 1000; i++) {
            float a = value(&state), b = value(&state), c = value(&state), e = expected(a, b, c);
            _mm_setcsr(before | _MM_ROUND_UP | 0x8040);
            float result = multiply_add(a, b, c);
            _mm_setcsr(before);
            CHECK(result == e);
        }
    }
    return 0;
}
