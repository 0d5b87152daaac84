// A library with multiply-adds, one of them in its constructor; its destructor calls what it is given.
#include "guest.h"

static float from_constructor;

__attribute__((constructor)) static void construct(void) { from_constructor = multiply_add(1.0f, 1.0f, 0.00390625f); }

static void (*at_end)(void);

void library_at_end(void (*function)(void)) { at_end = function; }
__attribute__((destructor)) static void destruct(void) {
    if (at_end) at_end();
}

float library_multiply_add(float a, float b, float c) { return multiply_add(a, b, c); }
float library_constructed(void) { return from_constructor; }
