// Functions of a namespace, and multiply-adds by std::fma, which the compiler makes in line.
#include <cmath>
#include <cstdio>

namespace shapes {
__attribute__((noinline)) float area(const float *x, int count) {
    float sum = 0;
    for (int i = 0; i < count; i++) sum = std::fma(x[i], x[i], sum); // squares
    float mean = 0;
    for (int i = 0; i < count; i++) mean = std::fma(x[i], 1.0f / count, mean); // mean
    return std::fma(-mean * count, mean, sum); // difference
}

__attribute__((noinline)) float area(const float *x) {
    float sum = 1;
    for (int i = 0; i < 8; i++) sum = std::fma(x[i], 0.1f, sum);
    return sum;
}

__attribute__((noinline)) float area_of_all(const float *x) {
    float sum = 2;
    for (int i = 0; i < 8; i++) sum = std::fma(x[i], 0.3f, sum);
    return sum;
}
}

int main() {
    float x[8];
    for (int i = 0; i < 8; i++) x[i] = 100 + i * 0.5f;
    std::printf("two %.9g\none %.9g\nall %.9g\n", shapes::area(x, 8), shapes::area(x), shapes::area_of_all(x));
}
