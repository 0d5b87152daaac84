// A library with multiply-adds, one of them in its constructor.
#include "guest.h"

static float from_constructor;

__attribute__((constructor)) static void construct(void) { from_constructor = multiply_add(1.0f, 1.0f, 0.00390625f); }

float library_multiply_add(float a, float b, float c) { return multiply_add(a, b, c); }
float library_constructed(void) { return from_constructor; }
