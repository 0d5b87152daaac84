// Computes while the program ends: in a thread that goes on, and in a function that a library's destructor is the first to
// call, when the dynamic linker has ended with the program itself.
#include "guest.h"
#include <pthread.h>

void library_at_end(void (*function)(void));

static volatile int failures;

static void *work(void *unused) {
    (void)unused;
    uint32_t state = 1;
    for (;;)
        if (wrong(&state)) failures = 1;
    return NULL;
}

// A multiply-add of its own, not that of `wrong`, which the thread executes first.
static void last(void) {
    uint32_t state = 2;
    for (int i = 0; i < 1000; i++) {
        float a = value(&state), b = value(&state), c = value(&state);
        if (multiply_add(a, b, c) != expected(a, b, c)) failures = 1;
    }
    _exit(failures);
}

int main(int count, char **arguments) {
    begin(count, arguments);
    pthread_t thread;
    CHECK(!pthread_create(&thread, NULL, work, NULL));
    library_at_end(last);
    return 2;
}
