// Masked loads that reach into a page without access: lanes that are masked off do not fault, others do.
#include "guest.h"
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

static uint8_t *guard;
static sigjmp_buf back;
static uint8_t *fault_address;

static void leaves(int signal, siginfo_t *information, void *context) {
    (void)signal, (void)context;
    fault_address = information->si_addr;
    siglongjmp(back, 1);
}

#define MASKED(instruction) \
    __asm__ volatile("kmovw %3, %%k1\n vmovups (%0), %%zmm0\n vmovups (%1), %%zmm1\n" instruction \
                     "\n vmovups %%zmm0, (%0)\n vzeroupper\n" \
                     : : "r"(c), "r"(a), "r"(b), "r"(mask) : "xmm0", "xmm1", "k1", "memory")

__attribute__((target("avx512f"))) static void packed(float *c, const float *a, const float *b, unsigned mask) {
    MASKED("vfmadd231ps (%2), %%zmm1, %%zmm0%{%%k1%}");
}
__attribute__((target("avx512f"))) static void broadcast(float *c, const float *a, const float *b, unsigned mask) {
    MASKED("vfmadd231ps (%2)%{1to16%}, %%zmm1, %%zmm0%{%%k1%}");
}
__attribute__((target("avx512f"))) static void scalar(float *c, const float *a, const float *b, unsigned mask) {
    MASKED("vfmadd231ss (%2), %%xmm1, %%xmm0%{%%k1%}");
}

static void suppressed(void) {
    uint32_t state = 31;
    for (int lanes = 0; lanes <= 16; lanes++) {
        float *b = (float *)guard - lanes, a[16], c[16], before[16];
        for (int i = 0; i < 16; i++) a[i] = value(&state), before[i] = c[i] = value(&state);
        for (int i = 0; i < lanes; i++) b[i] = value(&state);
        packed(c, a, b, (1u << lanes) - 1);
        for (int i = 0; i < 16; i++) CHECK(c[i] == (i < lanes ? expected(a[i], b[i], before[i]) : before[i]));
        memcpy(c, before, sizeof c);
        broadcast(c, a, (float *)guard, 0);
        scalar(c, a, (float *)guard, 0);
        CHECK(memcmp(c, before, 4) == 0);
        // One lane too many.
        if (lanes < 16) {
            memcpy(c, before, sizeof c);
            fault_address = NULL;
            if (!sigsetjmp(back, 1)) {
                packed(c, a, b, (2u << lanes) - 1);
                CHECK(!"no fault");
            }
            CHECK(fault_address >= guard && fault_address < guard + 4096);
            CHECK(memcmp(c, before, sizeof c) == 0);
        }
    }
}

int main(int count, char **arguments) {
    begin(count, arguments);
    uint32_t state = 7;
    for (int i = 0; i < 100; i++) CHECK(!wrong(&state));
    if (!__builtin_cpu_supports("avx512f")) return 0;
    uint8_t *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    guard = pages + 4096;
    CHECK(mprotect(guard, 4096, PROT_NONE) == 0);
    struct sigaction action = {.sa_sigaction = leaves, .sa_flags = SA_SIGINFO};
    CHECK(sigaction(SIGSEGV, &action, NULL) == 0);
    suppressed();
    return 0;
}
