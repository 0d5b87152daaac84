// Generates code, executes and rewrites it: in one thread, in two, in both protections' orders, with data in the code.
#include "guest.h"
#include <pthread.h>
#include <sys/mman.h>

typedef float (*function)(float, float, float);

// vmovaps xmm3, xmm2; vfmadd231ss xmm3, xmm0, xmm1; vmovaps xmm0, xmm3; ret
static const uint8_t code[] = {0xc5, 0xf8, 0x28, 0xda, 0xc4, 0xe2, 0x79, 0xb9, 0xd9, 0xc5, 0xf8, 0x28, 0xc3, 0xc3};
// The same with vfmsub231ss.
static uint8_t difference[sizeof code];
// jmp over an island that looks like a multiply-add; then code.
static const uint8_t island[] = {0xeb, 0x05, 0xc4, 0xe2, 0x79, 0xb9, 0xd9};

static volatile int failures, stop;
static uint8_t *shared;

static int checks(function f, uint32_t *state, float sign) {
    float a = value(state), b = value(state), c = value(state);
    return f(a, b, c) == expected(a, b, sign * c);
}

static void protections(int first, int then) {
    uint8_t *page = mmap(NULL, 16384, first, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(page != MAP_FAILED);
    uint32_t state = 11;
    for (int round = 0; round < 50; round++) {
        if (round) CHECK(mprotect(page, 16384, first) == 0);
        // Across a page's end, too.
        size_t at = round % 2 ? 4096 - 7 : 64 * (round % 16);
        const uint8_t *which = round % 3 ? code : difference;
        memcpy(page + at, which, sizeof code);
        CHECK(mprotect(page, 16384, then) == 0);
        for (int i = 0; i < 3; i++) CHECK(checks((function)(page + at), &state, round % 3 ? 1 : -1));
        // Where the program writes beside its code, it finds its own bytes again.
        if (then & PROT_WRITE) {
            page[at + 2048] = 1;
            CHECK(memcmp(page + at, which, sizeof code) == 0);
        }
    }
    CHECK(munmap(page, 16384) == 0);
}

static void islands(void) {
    uint8_t *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(page, island, sizeof island);
    memcpy(page + sizeof island, code, sizeof code);
    uint32_t state = 13;
    CHECK(checks((function)page, &state, 1));
    CHECK(memcmp(page, island, sizeof island) == 0);
    // A function that only its address leads to, on a page that runs already.
    memset(page + 64, 0xcc, 64);
    memcpy(page + 128, code, sizeof code);
    CHECK(checks((function)page, &state, 1));
    CHECK(checks((function)(page + 128), &state, 1));
    munmap(page, 4096);
}

// A loop: vmovups ymm4, [rdi]; vmovups ymm5, [rdi + 32]; four sums of their product in ymm0 to ymm3, esi times; the first of
// them to [rdi + 64]. In it the byte at `which` is the displacement of the second load.
static const uint8_t loop[] = {
    0xc5, 0xf8, 0x57, 0xc0, 0xc5, 0xf0, 0x57, 0xc9, 0xc5, 0xe8, 0x57, 0xd2, 0xc5, 0xe0, 0x57, 0xdb,
    0xc5, 0xfc, 0x10, 0x27, 0xc5, 0xfc, 0x10, 0x6f, 0x20, 0xc4, 0xe2, 0x5d, 0xb8, 0xc5,
    0xc4, 0xe2, 0x5d, 0xb8, 0xcd, 0xc4, 0xe2, 0x5d, 0xb8, 0xd5, 0xc4, 0xe2, 0x5d, 0xb8, 0xdd,
    0xff, 0xce, 0x75, 0xdf, 0xc5, 0xfc, 0x11, 0x47, 0x40, 0xc5, 0xf8, 0x77, 0xc3,
};
static const size_t which = 24;

// A loop as a whole, and another instruction of it rewritten, again and again.
static void loops(void) {
    uint8_t *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(page != MAP_FAILED);
    memcpy(page, loop, sizeof loop);
    uint32_t state = 23;
    for (int round = 0; round < 12; round++) {
        float data[24];
        for (int i = 0; i < 16; i++) data[i] = value(&state);
        page[which] = round % 2 ? 32 : 0;
        for (int times = 1; times < 4; times++) {
            ((void (*)(float *, int))page)(data, times);
            for (int i = 0; i < 8; i++) {
                float sum = 0;
                for (int k = 0; k < times; k++) sum = expected(data[i], data[i + (round % 2 ? 8 : 0)], sum);
                CHECK(data[16 + i] == sum);
            }
        }
    }
    munmap(page, 4096);
}

// Functions that follow each other at one address and differ in what lies behind the jump only: where their operand is.
static void displacements(void) {
    // vmovaps xmm3, xmm2; vfmadd231ss xmm3, xmm0, [rip + displacement]; vmovaps xmm0, xmm3; ret
    static const uint8_t start[] = {0xc5, 0xf8, 0x28, 0xda, 0xc4, 0xe2, 0x79, 0xb9, 0x1d};
    static const uint8_t end[] = {0xc5, 0xf8, 0x28, 0xc3, 0xc3};
    uint8_t *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint32_t state = 17;
    for (int round = 0; round < 20; round++) {
        CHECK(mprotect(page, 4096, PROT_READ | PROT_WRITE) == 0);
        int32_t at = 256 + 64 * (round % 4), displacement = at - (int32_t)sizeof start - 4;
        float a = value(&state), b = value(&state), c = value(&state);
        memcpy(page, start, sizeof start);
        memcpy(page + sizeof start, &displacement, 4);
        memcpy(page + sizeof start + 4, end, sizeof end);
        memcpy(page + at, &b, 4);
        CHECK(mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0);
        CHECK(((function)page)(a, 0, c) == expected(a, b, c));
    }
    munmap(page, 4096);
}

// One thread executes a function while another writes others beside it.
static void *executes(void *argument) {
    uint32_t state = 17;
    (void)argument;
    while (!stop)
        if (!checks((function)shared, &state, 1)) failures = 1;
    return NULL;
}

int main(int count, char **arguments) {
    begin(count, arguments);
    memcpy(difference, code, sizeof code);
    difference[7] = 0xbb;
    int read = PROT_READ, write = PROT_WRITE, execute = PROT_EXEC;
    protections(read | write, read | execute);
    protections(read | write | execute, read | write | execute);
    protections(read | write, read | write | execute);
    islands();
    loops();
    displacements();
    shared = mmap(NULL, 65536, read | write | execute, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(shared != MAP_FAILED);
    memcpy(shared, code, sizeof code);
    pthread_t thread;
    pthread_create(&thread, NULL, executes, NULL);
    uint32_t state = 19;
    for (int i = 0; i < 2000; i++) {
        size_t at = 128 + (i * 64) % 60000;
        const uint8_t *which = i % 2 ? code : difference;
        memcpy(shared + at, which, sizeof code);
        CHECK(checks((function)(shared + at), &state, i % 2 ? 1 : -1));
    }
    stop = 1;
    pthread_join(thread, NULL);
    CHECK(!failures);
    return 0;
}
