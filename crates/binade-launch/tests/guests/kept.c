// A program that is large enough for its analysis to be kept.
#include "guest.h"

// In the file, so that it is large.
static const uint8_t ballast[1 << 19] = {1};

int main(int count, char **arguments) {
    begin(count, arguments);
    uint32_t state = ballast[0];
    for (int i = 0; i < 100; i++) CHECK(!wrong(&state));
    return 0;
}
