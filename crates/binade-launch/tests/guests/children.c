// Forks from several threads, spawns and executes itself, also with an environment made anew.
#include "guest.h"
#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>

static char **self;
static volatile int failures;

static int ends_well(pid_t child) {
    int status;
    if (waitpid(child, &status, 0) != child) return 0;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int computes(uint32_t state) {
    for (int i = 0; i < 100; i++)
        if (wrong(&state)) return 1;
    return 0;
}

static void *work(void *argument) {
    uint32_t state = (uint32_t)(uintptr_t)argument;
    char *leaf[] = {self[0], self[1], "leaf", NULL};
    char *none[] = {NULL};
    extern char **environ;
    for (int i = 0; i < 10; i++) {
        pid_t child = fork();
        if (child == 0) _exit(computes(state + i));
        if (!ends_well(child)) failures = 1;
        child = fork();
        if (child == 0) {
            execve("/proc/self/exe", leaf, none);
            _exit(9);
        }
        if (!ends_well(child)) failures = 2;
        if (posix_spawn(&child, "/proc/self/exe", NULL, NULL, leaf, i & 1 ? environ : none) || !ends_well(child))
            failures = 3;
        child = vfork();
        if (child == 0) {
            execve("/proc/self/exe", leaf, none);
            _exit(9);
        }
        if (!ends_well(child)) failures = 4;
        if (computes(state)) failures = 5;
    }
    return NULL;
}

int main(int count, char **arguments) {
    begin(count, arguments);
    if (count >= 3) return computes(3);
    self = arguments;
    pthread_t threads[3];
    for (uintptr_t i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    CHECK(failures == 0);
    char *through_env[] = {"env", "-i", "/proc/self/exe", NULL};
    (void)through_env;
    char command[4200];
    snprintf(command, sizeof command, "env -i %s %s leaf", arguments[0], arguments[1]);
    CHECK(system(command) == 0);
    return 0;
}
