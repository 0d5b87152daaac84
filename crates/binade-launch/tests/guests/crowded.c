// Fills the address space around a library, as far as it can, before and after loading it.
#include "guest.h"
#include <dlfcn.h>
#include <sys/mman.h>

static void fill(uintptr_t around) {
    // Every gap within 2 GiB, found by trying ever smaller pieces.
    for (size_t size = (size_t)1 << 30; size >= 4096; size >>= 3) {
        uintptr_t low = around > 0x80000000u ? around - 0x80000000u : 0x10000;
        for (uintptr_t at = low & -size; at < around + 0x80000000u; at += size)
            mmap((void *)at, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    }
}

int main(int count, char **arguments) {
    begin(count, arguments);
    CHECK(count >= 3);
    // Sites that have not been executed yet must find their room.
    fill((uintptr_t)main);
    uint32_t state = 23;
    for (int i = 0; i < 100; i++) CHECK(!wrong(&state));
    void *library = dlopen(arguments[2], RTLD_NOW);
    CHECK(library);
    float (*computes)(float, float, float) = dlsym(library, "library_multiply_add");
    for (int i = 0; i < 10; i++) {
        float a = value(&state), b = value(&state), c = value(&state);
        float result = computes(a, b, c), emulation = expected(a, b, c);
        // Natively if there is no room, but never wrong.
        int as_native = emulated;
        emulated = 0;
        CHECK(result == emulation || result == expected(a, b, c));
        emulated = as_native;
    }
    return 0;
}
