// The library of the program in functions.c.
#define N 16

// The difference of two large numbers if the values are far from 0.
float variance(const float *x) {
    float squares = 0, sum = 0;
    for (int i = 0; i < N; i++) {
        squares += x[i] * x[i];
        sum += x[i];
    }
    float mean = sum * (1.0f / N);
    return squares * (1.0f / N) - mean * mean;
}
