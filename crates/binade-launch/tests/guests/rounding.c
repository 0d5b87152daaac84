// Sums in four threads, and the errors of inexact multiply-adds, written to the file that the second argument names.
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static float sums[4], table[61];

static void *sum(void *argument)
{
    int thread = (int)(intptr_t)argument;
    float total = 0;
    for (int i = 0; i < 20000; i++)
        total = fmaf(table[i % 61], 0.7f, total);
    sums[thread] = total;
    return NULL;
}

// a · b + 1 of 12 bits each lies between two binary32 numbers 2^-22 apart, or is one.
static void errors(FILE *file)
{
    int up = 0, down = 0;
    double total = 0;
    for (int i = 1; i < 200; i++) {
        for (int j = 1; j < 200; j++) {
            float a = 1 + (float)i / 2048, b = 1 + (float)j / 4096;
            double exact = (double)a * b + 1;
            double error = (double)fmaf(a, b, 1) - exact;
            up += error > 0;
            down += error < 0;
            total += error * 4194304;
        }
    }
    fprintf(file, "%d %d %.17g\n", up, down, total);
}

int main(int argc, char **argv)
{
    FILE *file = argc > 2 ? fopen(argv[2], "w") : NULL;
    if (!file)
        return 1;
    for (int i = 0; i < 61; i++)
        table[i] = 1 / (float)(i + 3);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, sum, (void *)(intptr_t)i);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    errors(file);
    for (int i = 0; i < 4; i++)
        fprintf(file, "%a\n", (double)sums[i]);
    return fclose(file) != 0;
}
