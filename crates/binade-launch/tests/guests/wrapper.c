// Executes another program in its place, as wrappers do: EXPECTATION MODE PROGRAM ARGUMENTS.
#include "guest.h"
#include <fcntl.h>
#include <libgen.h>
#include <sys/resource.h>

int main(int count, char **arguments) {
    begin(count, arguments);
    CHECK(count >= 4);
    const char *mode = arguments[2], *program = arguments[3];
    char **rest = arguments + 3, *empty[] = {NULL};
    uint32_t state = 3;
    CHECK(!wrong(&state));
    // A call that fails is not one.
    CHECK(execv("/no/such/program", rest) == -1);
    if (!strcmp(mode, "fexecve")) {
        fexecve(open(program, O_RDONLY), rest, empty);
    } else if (!strcmp(mode, "execveat")) {
        char *folder = dirname(strdup(program));
        execveat(open(folder, O_RDONLY | O_DIRECTORY), strrchr(program, '/') + 1, rest, empty, 0);
    } else if (!strcmp(mode, "euid")) {
        CHECK(setegid(65534) == 0 && seteuid(65534) == 0);
        execv(program, rest);
    } else if (!strcmp(mode, "user")) {
        CHECK(setgid(65534) == 0 && setuid(65534) == 0);
        execve(program, rest, empty);
    } else {
        struct rlimit limit = {atol(mode) << 20, atol(mode) << 20};
        CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
        execv(program, rest);
    }
    return 99;
}
