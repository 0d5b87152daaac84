// Four threads compute, each interrupted every 50 microseconds by a timer whose handler computes too.
#include "guest.h"
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

static volatile int failures;
static volatile long handled;

static void handler(int signal) {
    static uint32_t seed = 7;
    uint32_t state = seed += signal;
    for (int i = 0; i < 4; i++)
        if (wrong(&state)) failures = 1;
    __atomic_fetch_add(&handled, 1, __ATOMIC_RELAXED);
}

// Each case is a site of its own, so that first executions happen throughout.
#define SITE(n) \
    case n: \
        c = multiply_add(a, b, c); \
        break;
#define SITES(n) SITE(n) SITE(n + 1) SITE(n + 2) SITE(n + 3) SITE(n + 4) SITE(n + 5) SITE(n + 6) SITE(n + 7)

static __attribute__((noinline)) float at_site(int site, float a, float b, float c) {
    switch (site) { SITES(0) SITES(8) SITES(16) SITES(24) SITES(32) SITES(40) SITES(48) SITES(56) }
    return c;
}

static void *work(void *argument) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1};
    event._sigev_un._tid = syscall(SYS_gettid);
    timer_t timer;
    CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    struct itimerspec every = {{0, 50000}, {0, 50000}};
    CHECK(timer_settime(timer, 0, &every, NULL) == 0);
    uint32_t state = (uint32_t)(uintptr_t)argument;
    for (long i = 0; i < 400000; i++) {
        float a = value(&state), b = value(&state), c = value(&state);
        if (at_site(i & 63, a, b, c) != expected(a, b, c)) failures = 1;
    }
    timer_delete(timer);
    return NULL;
}

int main(int count, char **arguments) {
    begin(count, arguments);
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigfillset(&action.sa_mask);
    sigaction(SIGUSR1, &action, NULL);
    pthread_t threads[4];
    for (uintptr_t i = 0; i < 4; i++) pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    CHECK(handled > 100);
    CHECK(!failures);
    return 0;
}
