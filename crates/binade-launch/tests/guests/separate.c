// Products and sums by themselves, whose instructions are shorter than a jump: it covers what follows, too.
#include "guest.h"
#include <stddef.h>
#include <sys/mman.h>

// In an object of its own section's symbols, and copied to memory that is made executable.
__asm__(".text\n"
        ".p2align 4\n.globl product\n.type product, @function\nproduct: vmulss %xmm1, %xmm0, %xmm0\nret\n.size product, .-product\n"
        // Without AVX, and with a load relative to the instruction behind.
        ".p2align 4\n.globl scaled\n.type scaled, @function\nscaled: mulps %xmm1, %xmm0\nmovss factor(%rip), %xmm1\n"
        "mulss %xmm1, %xmm0\nret\n.size scaled, .-scaled\n"
        // A product, a sum and a fused multiply-add that follow each other, behind them a conditional jump.
        ".p2align 4\n.globl dot\n.type dot, @function\ndot: vxorps %xmm0, %xmm0, %xmm0\n1: vmovss (%rdi), %xmm1\n"
        "vmulss (%rsi), %xmm1, %xmm1\nvaddss %xmm1, %xmm0, %xmm0\nvfmadd231ss %xmm1, %xmm1, %xmm0\n"
        "add $4, %rdi\nadd $4, %rsi\ndec %edx\nvaddss %xmm1, %xmm0, %xmm0\njne 1b\nret\n.size dot, .-dot\n"
        // Enough of them to be translated as a whole, the last of which has a jump that covers what is behind it.
        ".p2align 4\n.globl straight\n.type straight, @function\nstraight: vmovups (%rdi), %ymm0\nvmovups 32(%rdi), %ymm1\n"
        "vmovaps %ymm0, %ymm2\nvfmadd231ps %ymm0, %ymm1, %ymm2\nvfmadd231ps %ymm0, %ymm1, %ymm2\n"
        "vfmadd231ps %ymm0, %ymm1, %ymm2\nvfmadd231ps %ymm0, %ymm1, %ymm2\nvmulps %ymm1, %ymm2, %ymm2\n"
        "vmovups %ymm2, (%rsi)\nvzeroupper\nret\n.size straight, .-straight\n"
        // A branch leads behind the product, which has no room therefore; the sum has.
        ".p2align 4\n.globl entered\n.type entered, @function\nentered: test %edi, %edi\nje 1f\nvmulss %xmm1, %xmm0, %xmm0\n"
        "1: vaddss %xmm2, %xmm0, %xmm0\nret\n.size entered, .-entered\n"
        // So does one of the cold part of a function.
        ".p2align 4\n.globl outside\n.type outside, @function\noutside: test %edi, %edi\nje cold\nvmulss %xmm1, %xmm0, %xmm0\n"
        "back: vaddss %xmm2, %xmm0, %xmm0\nret\n.size outside, .-outside\n"
        ".p2align 4\n.globl cold\n.type cold, @function\ncold: vmovaps %xmm1, %xmm0\njmp back\n.size cold, .-cold\nlast:\n"
        ".section .rodata\nfactor: .float 0.5\n.text\n");
extern float product(float, float), scaled(float, float), dot(const float *, const float *, int);
extern void straight(const float *, float *);
extern float entered(int, float, float, float), outside(int, float, float, float);
extern const char last[];

// As `value`, but for a product by itself in it.
static float fine(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return (float)((double)((int32_t)(*state >> 20) - 2048) / 256);
}

// In binary64, where the compiler would narrow it again.
static float times(float a, float b) {
    volatile double x = emulated ? to_bf16(a) : a, y = emulated ? to_bf16(b) : b;
    float product = (float)(x * y);
    return emulated ? to_bf16(product) : product;
}

static float plus(float a, float b) {
    volatile double x = emulated ? to_bf16(a) : a, y = emulated ? to_bf16(b) : b;
    float sum = (float)(x + y);
    return emulated ? to_bf16(sum) : sum;
}

// `by` is from where these functions are to where the copies are.
static void check(uint32_t *state, ptrdiff_t by, int rip) {
#define THERE(f) ((__typeof__(&f))((char *)f + by))
    float a = fine(state), b = fine(state), c = fine(state);
    CHECK(THERE(product)(a, b) == times(a, b));
    if (rip) CHECK(THERE(scaled)(a, b) == times(times(a, b), 0.5f));
    float x[5], y[5], sum = 0;
    for (int i = 0; i < 5; i++) {
        x[i] = fine(state), y[i] = fine(state);
        float p = times(x[i], y[i]);
        sum = plus(sum, p);
        sum = emulated ? expected(p, p, sum) : fmaf(p, p, sum);
        sum = plus(sum, p);
    }
    CHECK(THERE(dot)(x, y, 5) == sum);
    float pairs[16], result[8];
    for (int i = 0; i < 16; i++) pairs[i] = fine(state) / 16;
    THERE(straight)(pairs, result);
    for (int i = 0; i < 8; i++) {
        float x = pairs[i], y = pairs[i + 8], z = x;
        for (int k = 0; k < 4; k++) z = emulated ? expected(x, y, z) : fmaf(x, y, z);
        CHECK(result[i] == times(z, y));
    }
    volatile double wide = a;
    float native = (float)(wide * b);
    CHECK(THERE(entered)(0, a, b, c) == plus(a, c));
    CHECK(THERE(entered)(1, a, b, c) == plus(native, c));
    CHECK(THERE(outside)(0, a, b, c) == plus(b, c));
    CHECK(THERE(outside)(1, a, b, c) == plus(native, c));
}

int main(int count, char **arguments) {
    begin(count, arguments);
    uint32_t state = 31;
    for (int i = 0; i < 200; i++) check(&state, 0, 1);
    // What is patched is not the program's bytes any more: they are read from its file.
    static char bytes[4096];
    size_t size = last - (const char *)product;
    extern const char __executable_start[];
    FILE *file = fopen("/proc/self/exe", "rb");
    CHECK(file && fseek(file, (const char *)product - __executable_start, SEEK_SET) == 0);
    CHECK(size <= sizeof bytes && fread(bytes, 1, size, file) == size);
    fclose(file);
    char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(page != MAP_FAILED);
    for (int i = 0; i < 200; i++) {
        // Across a page's end in turn.
        char *to = page + (i % 2 ? 4096 - 64 : 64);
        memcpy(to, bytes, size);
        for (int times = 0; times < 3; times++) check(&state, to - (char *)product, 0);
        // Rewritten while some of it has been patched.
        page[4000 + i % 7] = 1;
        check(&state, to - (char *)product, 0);
    }
    return 0;
}
