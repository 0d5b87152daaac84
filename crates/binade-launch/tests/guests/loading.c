// Loads and unloads a library again and again while other threads compute.
#include "guest.h"
#include <dlfcn.h>
#include <pthread.h>

static volatile int stop, failures;

static void *work(void *argument) {
    uint32_t state = (uint32_t)(uintptr_t)argument;
    while (!stop)
        if (wrong(&state)) failures = 1;
    return NULL;
}

int main(int count, char **arguments) {
    begin(count, arguments);
    CHECK(count >= 4);
    pthread_t threads[2];
    for (uintptr_t i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    uint32_t state = 5;
    for (int i = atoi(arguments[3]); i > 0; i--) {
        void *library = dlopen(arguments[2], RTLD_NOW);
        CHECK(library);
        float (*computes)(float, float, float) = dlsym(library, "library_multiply_add");
        float (*constructed)(void) = dlsym(library, "library_constructed");
        CHECK(computes && constructed);
        float a = value(&state), b = value(&state), c = value(&state);
        CHECK(computes(a, b, c) == expected(a, b, c));
        CHECK(constructed() == expected(1.0f, 1.0f, 0.00390625f));
        dlclose(library);
    }
    stop = 1;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    CHECK(!failures);
    return 0;
}
