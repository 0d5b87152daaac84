// The program's own handlers of SIGSEGV, before and after it generates code, with and without a stack of their own.
#include "guest.h"
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

static const uint8_t code[] = {0xc5, 0xf8, 0x28, 0xda, 0xc4, 0xe2, 0x79, 0xb9, 0xd9, 0xc5, 0xf8, 0x28, 0xc3, 0xc3};
static sigjmp_buf back;
static uint8_t *guarded;
static volatile int faults;

static void leaves(int signal, siginfo_t *information, void *context) {
    (void)context;
    CHECK(signal == SIGSEGV && information->si_addr == guarded);
    faults++;
    siglongjmp(back, 1);
}

static void repairs(int signal, siginfo_t *information, void *context) {
    (void)context;
    CHECK(signal == SIGSEGV && information->si_addr == guarded);
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    CHECK(sigismember(&blocked, SIGUSR2));
    faults++;
    CHECK(mprotect(guarded, 4096, PROT_READ | PROT_WRITE) == 0);
}

static void round_of_faults(int flags) {
    struct sigaction action = {.sa_sigaction = leaves, .sa_flags = SA_SIGINFO | flags}, old;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGUSR2);
    CHECK(sigaction(SIGSEGV, &action, NULL) == 0);
    CHECK(mprotect(guarded, 4096, PROT_NONE) == 0);
    int before = faults;
    for (int i = 0; i < 3; i++)
        if (!sigsetjmp(back, 1)) *(volatile uint8_t *)guarded = 1;
    action.sa_sigaction = repairs;
    CHECK(sigaction(SIGSEGV, &action, &old) == 0);
    CHECK(old.sa_sigaction == leaves);
    *(volatile uint8_t *)guarded = 1;
    CHECK(faults == before + 4);
}

static int dies_of(int signal_sent) {
    pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        if (signal_sent) raise(SIGSEGV);
        mprotect(guarded, 4096, PROT_NONE);
        *(volatile uint8_t *)guarded = 1;
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
}

int main(int count, char **arguments) {
    begin(count, arguments);
    guarded = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    round_of_faults(0);
    uint8_t *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(page, code, sizeof code);
    float (*f)(float, float, float) = (void *)page;
    CHECK(f(1.5f, 1.5f, 1.0f) == expected(1.5f, 1.5f, 1.0f));
    round_of_faults(0);
    stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
    CHECK(sigaltstack(&stack, NULL) == 0);
    round_of_faults(SA_ONSTACK);
    // With every signal blocked, generated code runs nevertheless.
    sigset_t all;
    sigfillset(&all);
    CHECK(pthread_sigmask(SIG_SETMASK, &all, NULL) == 0);
    page[2048] = 1;
    CHECK(f(1.5f, 1.5f, 1.0f) == expected(1.5f, 1.5f, 1.0f));
    sigemptyset(&all);
    CHECK(pthread_sigmask(SIG_SETMASK, &all, NULL) == 0);
    CHECK(dies_of(0));
    CHECK(dies_of(1));
    return 0;
}
