// Filters of system calls, installed before the first multiply-add.
#include "guest.h"
#include <dlfcn.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static uint32_t state = 9;

static int right(void) {
    for (int i = 0; i < 100; i++) {
        if (wrong(&state)) return 0;
    }
    return 1;
}

static void *compute(void *argument) { return right() ? argument : NULL; }

static void install(const int *allowed, int count, uint32_t action, int by_number) {
    struct sock_filter filter[128];
    int n = 0;
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < count; i++) {
        filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed[i], 0, 1);
        filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
    struct sock_fprog program = {n, filter};
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    CHECK((by_number ? syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program)
                     : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) == 0);
}

#define LENGTH(list) (int)(sizeof list / sizeof *list)

int main(int count, char **arguments) {
    begin(count, arguments);
    CHECK(count >= 3);
    const char *way = arguments[2];
    static const int few[] = {SYS_write, SYS_exit, SYS_exit_group, SYS_rt_sigreturn};
    if (!strcmp(way, "strict")) {
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
        syscall(SYS_exit, !right());
    }
    if (!strcmp(way, "open")) {
        // Of what is allowed all is needed, and one call is forbidden that nobody makes.
        struct sock_filter filter[] = {
            BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_reboot, 0, 1),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        };
        struct sock_fprog program = {LENGTH(filter), filter};
        CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
        CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
        CHECK(right());
        CHECK(count >= 4 && dlopen(arguments[3], RTLD_NOW));
        return 0;
    }
    // A filter that the system refuses changes nothing.
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) != 0);
    if (!strcmp(way, "threads")) {
        // What the C library needs to start threads, and end them.
        static const int threads[] = {
            SYS_write, SYS_exit, SYS_exit_group, SYS_rt_sigreturn, SYS_mmap, SYS_munmap, SYS_mprotect, SYS_clone,
            SYS_clone3, SYS_futex, SYS_set_robust_list, SYS_rseq, SYS_madvise, SYS_rt_sigprocmask, SYS_brk,
            SYS_rt_sigaction, SYS_getrandom, SYS_prlimit64, SYS_sched_getaffinity,
        };
        install(threads, LENGTH(threads), SECCOMP_RET_KILL_PROCESS, 0);
        for (int i = 0; i < 20; i++) {
            pthread_t thread[2];
            void *result[2];
            for (int k = 0; k < 2; k++) CHECK(pthread_create(&thread[k], NULL, compute, &state) == 0);
            for (int k = 0; k < 2; k++) CHECK(pthread_join(thread[k], &result[k]) == 0 && result[k]);
        }
        _exit(!right());
    }
    if (!strcmp(way, "fork")) {
        static const int fork_too[] = {
            SYS_write, SYS_exit, SYS_exit_group, SYS_rt_sigreturn, SYS_clone, SYS_clone3, SYS_wait4,
            SYS_set_robust_list, SYS_rseq, SYS_set_tid_address, SYS_rt_sigprocmask, SYS_gettid, SYS_getpid,
        };
        install(fork_too, LENGTH(fork_too), SECCOMP_RET_KILL_PROCESS, 0);
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) _exit(!right());
        int status;
        CHECK(waitpid(child, &status, 0) == child && status == 0);
        _exit(!right());
    }
    int errno_only = !strcmp(way, "errno");
    install(few, LENGTH(few), errno_only ? SECCOMP_RET_ERRNO | 1 : SECCOMP_RET_KILL_PROCESS, !strcmp(way, "syscall"));
    // Destructors and the end of the dynamic linker's work come behind.
    if (!strcmp(way, "exit")) exit(!right());
    _exit(!right());
}
