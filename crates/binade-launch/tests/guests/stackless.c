// Code whose rsp points to the start of a buffer, as that of oneDNN's products does: nothing below it may change, neither by
// its multiply-adds, one by one and in loops, nor when its page is taken away meanwhile. And the stacks for signals as the
// program sees them.
#include "guest.h"
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

// From rdi: a and b, then eight sums of 8 lanes. rsp points to rdi for esi rounds of a loop, and of single multiply-adds on the
// first lane; then the sums are stored.
__asm__(".text\n.globl stackless\n.type stackless, @function\nstackless: push %rbx\nmov %rsp, %rbx\nmov %rdi, %rsp\n"
        "vmovups 64(%rsp), %ymm2\nvmovups 96(%rsp), %ymm3\nvmovups 128(%rsp), %ymm4\nvmovups 160(%rsp), %ymm5\n"
        "vmovups 192(%rsp), %ymm6\nvmovups 224(%rsp), %ymm7\nvmovups 256(%rsp), %ymm8\nvmovss 288(%rsp), %xmm9\n"
        "1: vmovups (%rsp), %ymm0\nvmovups 32(%rsp), %ymm1\n"
        "vfmadd231ps %ymm0, %ymm1, %ymm2\nvfmadd231ps %ymm0, %ymm1, %ymm3\nvfmadd231ps %ymm0, %ymm1, %ymm4\n"
        "vfmadd231ps %ymm0, %ymm1, %ymm5\nvfmadd231ps %ymm0, %ymm1, %ymm6\nvfmadd231ps %ymm0, %ymm1, %ymm7\n"
        "vfmadd231ps 32(%rsp), %ymm0, %ymm8\ndec %esi\njne 1b\n"
        "vmovups %ymm2, 64(%rsp)\nvmovups %ymm3, 96(%rsp)\nvmovups %ymm4, 128(%rsp)\nvmovups %ymm5, 160(%rsp)\n"
        "vmovups %ymm6, 192(%rsp)\nvmovups %ymm7, 224(%rsp)\nvmovups %ymm8, 256(%rsp)\n"
        "vfmadd231ss 32(%rsp), %xmm0, %xmm9\nvmovss %xmm9, 288(%rsp)\n"
        "vzeroupper\nmov %rbx, %rsp\npop %rbx\nret\nstackless_end:\n.size stackless, .-stackless\n");
typedef void (*function)(float *, int);
extern void stackless(float *, int);
extern const uint8_t stackless_end[];

enum { BELOW = 1 << 16, ROUNDS = 4 };
static volatile int stop, failures;

// One call on a buffer with BELOW bytes of something before it.
static int right(function f, uint8_t *memory, uint32_t *state) {
    float *buffer = (float *)(memory + BELOW), sums[80];
    for (int i = 0; i < BELOW; i++) memory[i] = (uint8_t)(i * 31 + 7);
    for (int i = 0; i < 80; i++) buffer[i] = value(state);
    memcpy(sums, buffer, sizeof sums);
    for (int i = 16; i < 72; i++)
        for (int round = 0; round < ROUNDS; round++) sums[i] = expected(sums[i % 8], sums[8 + i % 8], sums[i]);
    sums[72] = expected(sums[0], sums[8], sums[72]);
    f(buffer, ROUNDS);
    for (int i = 0; i < BELOW; i++)
        if (memory[i] != (uint8_t)(i * 31 + 7)) return 0;
    return memcmp(sums + 16, buffer + 16, 57 * 4) == 0;
}

static void *calls(void *argument) {
    uint8_t *memory = malloc(BELOW + 4096);
    uint32_t state = (uint32_t)(uintptr_t)&argument;
    for (int i = 0; i < 300; i++) failures += !right((function)argument, memory, &state);
    free(memory);
    return NULL;
}

// Data beside the code: every write takes execution from the page, which faults where the other thread is.
static void *writes(void *argument) {
    for (volatile uint8_t *byte = argument; !stop;) {
        ++*byte;
        for (volatile int wait = 0; wait < 3000; wait++) {}
    }
    return NULL;
}

static void *stacks(void *unused) {
    (void)unused;
    stack_t stack = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16}, seen;
    CHECK(sigaltstack(NULL, &seen) == 0 && seen.ss_flags == SS_DISABLE && seen.ss_sp == NULL);
    CHECK(sigaltstack(&stack, &seen) == 0 && seen.ss_flags == SS_DISABLE);
    CHECK(sigaltstack(NULL, &seen) == 0 && seen.ss_sp == stack.ss_sp && seen.ss_flags == 0);
    stack_t none = {.ss_flags = SS_DISABLE};
    CHECK(sigaltstack(&none, &seen) == 0 && seen.ss_sp == stack.ss_sp);
    CHECK(sigaltstack(NULL, &seen) == 0 && seen.ss_flags == SS_DISABLE);
    free(stack.ss_sp);
    return NULL;
}

int main(int count, char **arguments) {
    begin(count, arguments);
    stacks(NULL);
    calls(stackless);
    size_t length = (size_t)(stackless_end - (const uint8_t *)stackless);
    uint8_t *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(page != MAP_FAILED && length < 2048);
    FILE *file = fopen("/proc/self/exe", "rb");
    CHECK(file);
    // Position-independent or not, the text's offset in the file is that in its mapping.
    uintptr_t first = 0, offset = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    while (fgets(line, sizeof line, maps)) {
        uintptr_t from, to, at;
        if (sscanf(line, "%lx-%lx %*s %lx", &from, &to, &at) == 3 && from <= (uintptr_t)stackless && (uintptr_t)stackless < to)
            first = from, offset = at;
    }
    fclose(maps);
    CHECK(first && fseek(file, (long)((uintptr_t)stackless - first + offset), SEEK_SET) == 0);
    CHECK(fread(page, 1, length, file) == length);
    fclose(file);
    pthread_t callers[3], writer, checked;
    CHECK(pthread_create(&writer, NULL, writes, page + 4000) == 0);
    for (int i = 0; i < 3; i++) CHECK(pthread_create(callers + i, NULL, calls, page) == 0);
    CHECK(pthread_create(&checked, NULL, stacks, NULL) == 0);
    pthread_join(checked, NULL);
    for (int i = 0; i < 3; i++) pthread_join(callers[i], NULL);
    stop = 1;
    pthread_join(writer, NULL);
    // Threads that come and go, more than there are at a time.
    for (int i = 0; i < 100; i++) {
        for (int j = 0; j < 3; j++) CHECK(pthread_create(callers + j, NULL, stacks, NULL) == 0);
        for (int j = 0; j < 3; j++) pthread_join(callers[j], NULL);
    }
    CHECK(failures == 0);
    return 0;
}
