// Generated code beside other code and data: pages change hands one by one, and what the program does to them in other ways
// than by writing is seen.
#include "guest.h"
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

typedef float (*function)(float, float, float);

// vmovaps xmm3, xmm2; vfmadd231ss xmm3, xmm0, xmm1; vmovaps xmm0, xmm3; ret
static const uint8_t code[] = {0xc5, 0xf8, 0x28, 0xda, 0xc4, 0xe2, 0x79, 0xb9, 0xd9, 0xc5, 0xf8, 0x28, 0xc3, 0xc3};
static const int all = PROT_READ | PROT_WRITE | PROT_EXEC;
static volatile int stop, failures;

static uint8_t *map(size_t size) {
    uint8_t *memory = mmap(NULL, size, all, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(memory != MAP_FAILED);
    return memory;
}

static int runs(uint8_t *at) {
    static __thread uint32_t state = 29;
    float a = value(&state), b = value(&state), c = value(&state);
    return ((function)at)(a, b, c) == expected(a, b, c);
}

// What a fault costs does not depend on how much is mapped.
static clock_t changes(size_t size) {
    uint8_t *memory = map(size);
    clock_t start = clock();
    for (int i = 0; i < 2000; i++) {
        uint8_t *at = memory + (size_t)i % 50 * (size / 50) / 4096 * 4096;
        memcpy(at, code, sizeof code);
        CHECK(runs(at));
    }
    clock_t time = clock() - start;
    munmap(memory, size);
    return time;
}

static void large_mappings(void) {
    clock_t small = changes((size_t)50 * 4096), large = changes((size_t)1 << 30);
    CHECK(large < 4 * small + CLOCKS_PER_SEC / 5);
}

// A function across two pages, of which now the first, now the second is written.
static void across_pages(void) {
    uint8_t *memory = map(3 * 4096);
    uint8_t *at = memory + 4096 - 7;
    memcpy(at, code, sizeof code);
    for (int i = 0; i < 100; i++) {
        CHECK(runs(at));
        memory[i % 2 ? 100 : 4096 + 100] = (uint8_t)i;
        CHECK(memcmp(at, code, sizeof code) == 0);
    }
    munmap(memory, 3 * 4096);
}

// Pages whose bytes have gone: nothing is put back there.
static void fresh_pages(void) {
    uint8_t *memory = map(4 * 4096);
    static const uint8_t nothing[sizeof code];
    for (int i = 0; i < 20; i++) {
        uint8_t *at = memory + 4096 - 7;
        memcpy(at, code, sizeof code);
        CHECK(runs(at));
        switch (i % 4) {
        case 0: CHECK(madvise(memory, 2 * 4096, MADV_DONTNEED) == 0); break;
        // Past the C library.
        case 1: CHECK(syscall(SYS_madvise, memory, 2 * 4096, MADV_DONTNEED) == 0); break;
        case 2: CHECK(mmap(memory, 2 * 4096, all, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == memory); break;
        case 3: CHECK(mremap(memory, 2 * 4096, 2 * 4096, MREMAP_MAYMOVE | MREMAP_FIXED, memory + 2 * 4096) == memory + 2 * 4096);
            CHECK(runs(at + 2 * 4096));
            CHECK(mmap(memory, 2 * 4096, all, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == memory);
            break;
        }
        memory[0] = memory[4096] = 0;
        CHECK(memcmp(at, nothing, sizeof code) == 0);
    }
    munmap(memory, 4 * 4096);
}

// A table that code reads and that looks like a function: it stays as it is.
static void tables(void) {
    uint8_t *memory = map(4096);
    // vmovups xmm0, [rip + 56]; vmovups [rdi], xmm0; ret; at 64 the table, which starts as the code above.
    static const uint8_t reads[] = {0xc5, 0xf8, 0x10, 0x05, 56, 0, 0, 0, 0xc5, 0xf8, 0x11, 0x07, 0xc3};
    memset(memory, 0xcc, 4096);
    memcpy(memory, reads, sizeof reads);
    memcpy(memory + 64, code, sizeof code);
    memcpy(memory + 192, code, sizeof code);
    for (int i = 0; i < 3; i++) {
        uint8_t table[16];
        ((void (*)(uint8_t *))memory)(table);
        CHECK(memcmp(table, code, sizeof code) == 0);
        // What looks the same and is not read is a function.
        CHECK(runs(memory + 192));
    }
    munmap(memory, 4096);
}

// One thread counts in a page of data and code while another executes there and a third writes code beside it.
static uint8_t *shared;

static void *counts(void *argument) {
    volatile uint64_t *counter = (uint64_t *)(shared + 2048) + (uintptr_t)argument;
    for (int i = 0; i < 100000; i++) ++*counter;
    return NULL;
}

static void *executes(void *argument) {
    (void)argument;
    while (!stop)
        if (!runs(shared)) failures = 1;
    return NULL;
}

static void data_beside_code(void) {
    shared = map(4096);
    memcpy(shared, code, sizeof code);
    stop = 0;
    pthread_t threads[3];
    pthread_create(&threads[2], NULL, executes, NULL);
    for (uintptr_t i = 0; i < 2; i++) pthread_create(&threads[i], NULL, counts, (void *)i);
    for (int i = 0; i < 200; i++) {
        uint8_t *at = shared + 64 + 64 * (i % 16);
        memcpy(at, code, sizeof code);
        CHECK(runs(at));
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    stop = 1;
    pthread_join(threads[2], NULL);
    CHECK(!failures);
    for (int i = 0; i < 2; i++) CHECK(((uint64_t *)(shared + 2048))[i] == 100000);
    CHECK(memcmp(shared, code, 4) == 0);
    // Such a page stays writable: for system calls, too.
    for (int i = 0; i < 300; i++) {
        shared[3000] = (uint8_t)i;
        CHECK(runs(shared));
    }
    int zero = open("/dev/zero", O_RDONLY);
    CHECK(read(zero, shared + 3000, 100) == 100);
    close(zero);
    CHECK(runs(shared));
    munmap(shared, 4096);
}

// One thread writes a page while another changes its protection: a fault may come when its cause has gone.
static void *writes(void *argument) {
    (void)argument;
    while (!stop) ++*(volatile uint64_t *)(shared + 2048);
    return NULL;
}

static void late_faults(void) {
    shared = map(4096);
    memcpy(shared, code, sizeof code);
    stop = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, writes, NULL);
    for (int i = 0; i < 3000; i++) {
        CHECK(runs(shared));
        CHECK(mprotect(shared, 4096, PROT_READ | PROT_WRITE) == 0);
        CHECK(mprotect(shared, 4096, all) == 0);
    }
    stop = 1;
    pthread_join(thread, NULL);
    munmap(shared, 4096);
}

// Memory that threads have to open before they write it, by a protection key.
static void protection_keys(void) {
    int key = pkey_alloc(0, 0);
    if (key < 0) return;
    uint8_t *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED && pkey_mprotect(memory, 4096, all, key) == 0);
    for (int i = 0; i < 20; i++) {
        uint8_t *at = memory + 64 * i;
        CHECK(pkey_set(key, 0) == 0);
        memcpy(at, code, sizeof code);
        CHECK(pkey_set(key, i % 2 ? PKEY_DISABLE_WRITE : PKEY_DISABLE_ACCESS) == 0);
        CHECK(runs(at));
        CHECK(pkey_get(key) == (i % 2 ? PKEY_DISABLE_WRITE : PKEY_DISABLE_ACCESS));
    }
    CHECK(munmap(memory, 4096) == 0);
    CHECK(pkey_free(key) == 0);
}

int main(int count, char **arguments) {
    begin(count, arguments);
    for (int round = 0; round < 2; round++) {
        across_pages();
        fresh_pages();
        tables();
        protection_keys();
        late_faults();
        data_beside_code();
        large_mappings();
        // Once more without the descriptors that were open.
        for (int file = 3; file < 2048; file++) close(file);
    }
    return 0;
}
