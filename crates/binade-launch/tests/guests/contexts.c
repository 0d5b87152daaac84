// What handlers of signals see while a multiply-add is at work: its own address, the program's stack and registers, and callers.
#include "guest.h"
#include <execinfo.h>
#include <fenv.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

static uint8_t *guarded;
static volatile int faults, frames_of_main, skipping, elsewhere, ticks;
static void *volatile stack_seen;

// Registers 0 to 15 of a signal's context, 32 bytes each, as the kernel has laid them out.
static int vector_is(ucontext_t *context, int number, const uint8_t *expected) {
    const uint8_t *area = (const uint8_t *)context->uc_mcontext.fpregs;
    return !memcmp(area + 160 + 16 * number, expected, 16) && !memcmp(area + 576 + 16 * number, expected + 16, 16);
}

// Sets ymm3 to ymm15 from a table, executes `vfmadd231ps ymm1, ymm0, [rdi]`, which may fault, and stores them and what rax,
// rdx, rbx and rcx hold. Its address is that of the label.
__asm__(".text\n.globl touching\n.type touching, @function\ntouching: push %rbx\n"
        "vmovups (%rsi), %ymm3\nvmovups 32(%rsi), %ymm4\nvmovups 64(%rsi), %ymm5\nvmovups 96(%rsi), %ymm6\n"
        "vmovups 128(%rsi), %ymm7\nvmovups 160(%rsi), %ymm8\nvmovups 192(%rsi), %ymm9\nvmovups 224(%rsi), %ymm10\n"
        "vmovups 256(%rsi), %ymm11\nvmovups 288(%rsi), %ymm12\nvmovups 320(%rsi), %ymm13\nvmovups 352(%rsi), %ymm14\n"
        "vmovups 384(%rsi), %ymm15\nvxorps %xmm0, %xmm0, %xmm0\nvxorps %xmm1, %xmm1, %xmm1\n"
        "mov $11, %eax\nmov $12, %ecx\nmov $14, %ebx\nmov %rdx, %r8\nmov $13, %edx\nmov %rsp, stack_before(%rip)\n"
        "touch: vfmadd231ps (%rdi), %ymm0, %ymm1\nbehind:\n"
        "vmovups %ymm3, (%r8)\nvmovups %ymm4, 32(%r8)\nvmovups %ymm5, 64(%r8)\nvmovups %ymm6, 96(%r8)\n"
        "vmovups %ymm7, 128(%r8)\nvmovups %ymm8, 160(%r8)\nvmovups %ymm9, 192(%r8)\nvmovups %ymm10, 224(%r8)\n"
        "vmovups %ymm11, 256(%r8)\nvmovups %ymm12, 288(%r8)\nvmovups %ymm13, 320(%r8)\nvmovups %ymm14, 352(%r8)\n"
        "vmovups %ymm15, 384(%r8)\nmov %rax, 416(%r8)\nmov %rcx, 424(%r8)\nmov %rdx, 432(%r8)\nmov %rbx, 440(%r8)\n"
        "vzeroupper\npop %rbx\nret\n.size touching, .-touching\n"
        ".data\nstack_before: .quad 0\n.text\n");
extern void touching(const void *, const uint8_t *, uint8_t *);
extern const uint8_t touch[], behind[];
extern void *stack_before;
static uint8_t before[448], after[448];

static void sees(int signal, siginfo_t *information, void *argument) {
    ucontext_t *context = argument;
    greg_t *registers = context->uc_mcontext.gregs;
    CHECK(signal == SIGSEGV && information->si_addr == guarded);
    CHECK(registers[REG_RIP] == (greg_t)touch && registers[REG_RSP] == (greg_t)stack_before);
    CHECK(registers[REG_RAX] == 11 && registers[REG_RCX] == 12 && registers[REG_RDX] == 13 && registers[REG_RBX] == 14);
    for (int number = 3; number < 16; number++) CHECK(vector_is(context, number, before + 32 * (number - 3)));
    faults++;
    if (skipping)
        registers[REG_RIP] = (greg_t)behind;
    else
        CHECK(mprotect(guarded, 4096, PROT_READ | PROT_WRITE) == 0);
}

static void registers(void) {
    struct sigaction action = {.sa_sigaction = sees, .sa_flags = SA_SIGINFO}, old;
    CHECK(sigaction(SIGSEGV, &action, NULL) == 0);
    CHECK(sigaction(SIGSEGV, NULL, &old) == 0 && old.sa_sigaction == sees);
    for (size_t i = 0; i < sizeof before; i++) before[i] = (uint8_t)(i * 7 + 1);
    for (int round = 0; round < 6; round++) {
        skipping = round % 2;
        CHECK(mprotect(guarded, 4096, PROT_NONE) == 0);
        memset(after, 0, sizeof after);
        touching(guarded, before, after);
        CHECK(faults == round + 1 && memcmp(before, after, 416) == 0);
        uint64_t general[4];
        memcpy(general, after + 416, sizeof general);
        CHECK(general[0] == 11 && general[1] == 12 && general[2] == 13 && general[3] == 14);
    }
}

// The callers, by the unwinder.
static void unwinds(int signal, siginfo_t *information, void *context) {
    (void)signal, (void)information, (void)context;
    extern int main(int, char **);
    void *frames[32];
    int count = backtrace(frames, 32);
    for (int i = 0; i < count; i++)
        frames_of_main += (char *)frames[i] > (char *)main && (char *)frames[i] < (char *)main + 4096;
    CHECK(mprotect(guarded, 4096, PROT_READ | PROT_WRITE) == 0);
}

static __attribute__((noinline)) float sum_of(const float *at, float sum) {
    __asm__ volatile("vfmadd231ss %1, %2, %0" : "+x"(sum) : "m"(*at), "x"(2.0f));
    return sum;
}

// Eight multiply-adds a turn, from memory: a loop that is translated as a whole where there is AVX-512.
static __attribute__((noinline)) float loop(const float *at, long turns) {
    __asm__ volatile(".globl loop_starts\nloop_starts:\n" ::: "memory");
    float result[8];
    __asm__ volatile(
        "vxorps %%xmm0, %%xmm0, %%xmm0\nvmovaps %%ymm0, %%ymm1\nvmovaps %%ymm0, %%ymm2\nvmovaps %%ymm0, %%ymm3\n"
        "1: vmovups (%0), %%ymm4\nvmovups 32(%0), %%ymm5\n"
        "vfmadd231ps %%ymm4, %%ymm5, %%ymm0\nvfmadd231ps %%ymm4, %%ymm5, %%ymm1\n"
        "vfmadd231ps %%ymm4, %%ymm5, %%ymm2\nvfmadd231ps %%ymm4, %%ymm5, %%ymm3\n"
        "add $64, %0\ndec %1\njne 1b\nvmovups %%ymm0, %2\nvzeroupper\n.globl loop_ends\nloop_ends:\n"
        : "+r"(at), "+r"(turns), "=m"(result)::"xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "cc");
    return result[0];
}
extern const uint8_t loop_starts[], loop_ends[];
static void *loop_pointer;

static void in_the_loop(int signal, siginfo_t *information, void *argument) {
    greg_t *registers = ((ucontext_t *)argument)->uc_mcontext.gregs;
    (void)information;
    CHECK(signal == SIGSEGV);
    CHECK(registers[REG_RIP] >= (greg_t)loop_starts && registers[REG_RIP] < (greg_t)loop_ends);
    int at = 0;
    for (int i = 0; i < 16; i++) at |= registers[i] == (greg_t)loop_pointer;
    CHECK(at);
    faults++;
    CHECK(mprotect(guarded, 4096, PROT_READ | PROT_WRITE) == 0);
}

// Mapped files' code: a handler finds the program there, never in code that it does not know of.
static struct { uint64_t start, end; } code[512];
static int codes;

static void find_code(void) {
    FILE *file = fopen("/proc/self/maps", "r");
    CHECK(file);
    char line[1024];
    while (fgets(line, sizeof line, file) && codes < 512) {
        char rights[8], name[512] = "";
        unsigned long start, end;
        if (sscanf(line, "%lx-%lx %7s %*s %*s %*s %511s", &start, &end, rights, name) >= 3 && rights[2] == 'x' && name[0])
            code[codes].start = start, code[codes++].end = end;
    }
    fclose(file);
}

static void ticking(int signal, siginfo_t *information, void *argument) {
    uint64_t at = (uint64_t)((ucontext_t *)argument)->uc_mcontext.gregs[REG_RIP];
    (void)signal, (void)information;
    int known = 0;
    for (int i = 0; i < codes; i++) known |= at >= code[i].start && at < code[i].end;
    elsewhere += !known;
    ticks++;
}

static void overflowing(int signal, siginfo_t *information, void *argument) {
    (void)information;
    greg_t *registers = ((ucontext_t *)argument)->uc_mcontext.gregs;
    CHECK(signal == SIGFPE);
    stack_seen = (void *)registers[REG_RIP];
    ((ucontext_t *)argument)->uc_mcontext.fpregs->mxcsr |= 0x1f80;
}

static __attribute__((noinline)) float overflows(float large) {
    float sum = large;
    __asm__ volatile(".globl overflow\noverflow: vfmadd231ss %1, %1, %0" : "+x"(sum) : "x"(large));
    return sum;
}
extern const uint8_t overflow[];

static void handle(int signal, void (*handler)(int, siginfo_t *, void *)) {
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_RESTART};
    CHECK(sigaction(signal, &action, NULL) == 0);
}

int main(int count, char **arguments) {
    begin(count, arguments);
    uint8_t *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED);
    guarded = pages + 4096;
    registers();

    handle(SIGSEGV, unwinds);
    CHECK(mprotect(guarded, 4096, PROT_NONE) == 0);
    CHECK(sum_of((float *)guarded, 3.0f) == 3.0f && frames_of_main > 0);

    handle(SIGSEGV, in_the_loop);
    float *values = (float *)(guarded - 512);
    for (int round = 0; round < 3; round++) {
        float sum = 0;
        for (int i = 0; i < 12 * 16; i++) values[i] = (float)(i % 5);
        for (int i = 0; i < 12; i++) sum += values[16 * i] * values[16 * i + 8];
        CHECK(mprotect(guarded, 4096, PROT_NONE) == 0);
        faults = 0;
        loop_pointer = guarded;
        CHECK(loop(values, 12) == sum && faults == 1);
    }

    handle(SIGPROF, ticking);
    find_code();
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGPROF};
    timer_t timer;
    CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    struct itimerspec every = {{0, 50000}, {0, 50000}};
    CHECK(timer_settime(timer, 0, &every, NULL) == 0);
    uint32_t state = 41;
    for (int i = 0; ticks < 2000; i++) {
        CHECK(!wrong(&state));
        if (i % 16 == 0) loop(values, 12);
    }
    CHECK(timer_delete(timer) == 0);
    CHECK(elsewhere == 0);

    handle(SIGFPE, overflowing);
    feenableexcept(FE_OVERFLOW);
    CHECK(isinf(overflows(3e38f)));
    CHECK(stack_seen == overflow);
    return 0;
}
