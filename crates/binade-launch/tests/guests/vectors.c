// Calls functions of libmvec, and writes each one's name and a hash of its results.
// vectors EXPECTATION FILE LIBRARY FUNCTION…; functions are of one or two vectors. No number is computed here but by these.
#include <dlfcn.h>
#include <immintrin.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define COUNT 1024

static float singles[COUNT];
static double doubles[COUNT];
static uint64_t hash;

// NaN in whatever form counts as one.
static void add(const void *bytes, size_t size, int is_nan)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (is_nan ? 0xff : ((const unsigned char *)bytes)[i])) * 0x100000001b3u;
}

#define RUN(name, vector, element, points, lanes, load, store, isa)                                                  \
    __attribute__((target(isa), noinline)) static void name(void *function, int arguments)                           \
    {                                                                                                                \
        element result[lanes], second[lanes];                                                                        \
        for (int i = 0; i + lanes <= COUNT; i += lanes) {                                                            \
            for (int lane = 0; lane < lanes; lane++)                                                                 \
                second[lane] = points[(i + lane) * 7 % COUNT];                                                       \
            vector x = load(points + i), y = load(second);                                                           \
            store(result, arguments == 1 ? ((vector(*)(vector))function)(x)                                          \
                                         : ((vector(*)(vector, vector))function)(x, y));                             \
            for (int lane = 0; lane < lanes; lane++)                                                                 \
                add(&result[lane], sizeof result[lane], isnan(result[lane]));                                        \
        }                                                                                                            \
    }

RUN(f4, __m128, float, singles, 4, _mm_loadu_ps, _mm_storeu_ps, "sse2")
RUN(d2, __m128d, double, doubles, 2, _mm_loadu_pd, _mm_storeu_pd, "sse2")
RUN(f8, __m256, float, singles, 8, _mm256_loadu_ps, _mm256_storeu_ps, "avx")
RUN(d4, __m256d, double, doubles, 4, _mm256_loadu_pd, _mm256_storeu_pd, "avx")
RUN(f16, __m512, float, singles, 16, _mm512_loadu_ps, _mm512_storeu_ps, "avx512f")
RUN(d8, __m512d, double, doubles, 8, _mm512_loadu_pd, _mm512_storeu_pd, "avx512f")

// Numbers of both signs from 2^-8 to 2^8, by their bits.
static void fill(void)
{
    uint64_t state = 1;
    for (int i = 0; i < COUNT; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint64_t sign = state >> 63, exponent = (state >> 32) % 16, fraction = state >> 12;
        uint32_t single = (uint32_t)(sign << 31 | (127 - 8 + exponent) << 23 | fraction >> 29);
        uint64_t both = sign << 63 | (1023 - 8 + exponent) << 52 | fraction;
        memcpy(&singles[i], &single, 4);
        memcpy(&doubles[i], &both, 8);
    }
}

int main(int argc, char **argv)
{
    FILE *file = argc > 3 ? fopen(argv[2], "w") : NULL;
    void *library = file ? dlopen(argv[3], RTLD_NOW) : NULL;
    if (!library)
        return 1;
    fill();
    for (int i = 4; i < argc; i++) {
        char isa, arguments[8];
        int lanes;
        void *function = dlsym(library, argv[i]);
        if (!function || sscanf(argv[i], "_ZGV%cN%d%7[v]_", &isa, &lanes, arguments) != 3)
            return 2;
        int bytes = isa == 'e' ? 64 : isa == 'b' ? 16 : 32, count = (int)strlen(arguments);
        hash = 0xcbf29ce484222325u;
        switch (bytes / lanes * 100 + lanes) {
        case 404: f4(function, count); break;
        case 802: d2(function, count); break;
        case 408: f8(function, count); break;
        case 804: d4(function, count); break;
        case 416: f16(function, count); break;
        case 808: d8(function, count); break;
        default: return 3;
        }
        fprintf(file, "%s %016llx\n", argv[i], (unsigned long long)hash);
    }
    return fclose(file) != 0;
}
