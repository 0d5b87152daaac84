// Unmasked exceptions in a loop of enough multiply-adds to be translated whole.
#include "guest.h"
#include <fenv.h>
#include <immintrin.h>
#include <setjmp.h>
#include <signal.h>

#define COUNT 800

static sigjmp_buf back;
static volatile int code;

static void handle(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)context;
    code = info->si_code;
    siglongjmp(back, 1);
}

__attribute__((noinline)) static float dot(const float *a, const float *b) {
    __m256 sums[4] = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps()};
    for (int i = 0; i < COUNT; i += 32) {
        for (int k = 0; k < 4; k++) {
            sums[k] = _mm256_fmadd_ps(_mm256_loadu_ps(a + i + 8 * k), _mm256_loadu_ps(b + i + 8 * k), sums[k]);
        }
    }
    float lanes[8], sum = 0;
    _mm256_storeu_ps(lanes, _mm256_add_ps(_mm256_add_ps(sums[0], sums[1]), _mm256_add_ps(sums[2], sums[3])));
    for (int i = 0; i < 8; i++) sum += lanes[i];
    return sum;
}

static float a[COUNT], b[COUNT];

int main(int count, char **arguments) {
    begin(count, arguments);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    CHECK(sigaction(SIGFPE, &action, NULL) == 0);
    static const struct {
        int unmasked;
        float a, b;
        int code;
    } cases[] = {
        {FE_INVALID, INFINITY, 0, FPE_FLTINV},
        {FE_OVERFLOW, 1e30f, 1e30f, FPE_FLTOVF},
        {FE_UNDERFLOW, 1e-30f, 1e-30f, 0},
        {FE_INEXACT, 1.1f, 1.3f, FPE_FLTRES},
        {FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW, INFINITY, 0, FPE_FLTINV},
        {FE_INVALID, 1.1f, 1.3f, 0},
        {FE_ALL_EXCEPT, 2, 3, 0},
        {0, INFINITY, 0, 0},
    };
    for (int round = 0; round < 2; round++) {
        for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
            for (int i = 0; i < COUNT; i++) a[i] = b[i] = 1;
            a[399] = cases[k].a, b[399] = cases[k].b;
            code = 0;
            feclearexcept(FE_ALL_EXCEPT);
            if (sigsetjmp(back, 1) == 0) {
                feenableexcept(cases[k].unmasked);
                volatile float sum = dot(a, b);
                (void)sum;
            }
            fedisableexcept(FE_ALL_EXCEPT);
            CHECK(code == cases[k].code);
        }
    }
    return 0;
}
