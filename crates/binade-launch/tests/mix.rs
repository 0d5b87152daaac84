//! The sampled mix against exact counts of small programs.
#![cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use binade_launch::mix::{MixError, Stdout, trace};
use binade_profile::mix::{Mix, Sampling, Window};

/// Builds a C program, or says that this machine cannot.
fn build(name: &str, source: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (text, program) = (folder.join(format!("{name}.c")), folder.join(name));
    std::fs::write(&text, source).unwrap();
    let built = Command::new("cc")
        .args(["-O1", "-mfma", "-pthread", "-static-pie", "-o"])
        .arg(&program)
        .arg(&text)
        .status();
    match built {
        Ok(status) => {
            assert!(status.success(), "cc {}", text.display());
            Some(program)
        }
        Err(error) => {
            assert!(std::env::var_os("BINADE_REQUIRE_ALL").is_none(), "no C compiler: {error}");
            eprintln!("SKIPPED: no C compiler ({error})");
            None
        }
    }
}

/// A loop of 2 FMAs, 1 addition and 5 others, after a loop of 4 others.
const LOOPS: &str = r#"
#include <stdlib.h>
int main(int argc, char **argv) {
    long count = atol(argv[1]), idle = atol(argv[2]);
    __asm__ volatile(
        "1: nop; nop; dec %1; jnz 1b\n"
        "2: vfmadd231ps %%ymm0, %%ymm1, %%ymm2; vfnmadd213sd %%xmm3, %%xmm4, %%xmm5; vaddps %%xmm6, %%xmm6, %%xmm6\n"
        "nop; vmovaps %%ymm1, %%ymm7; vxorps %%xmm8, %%xmm8, %%xmm8; dec %0; jnz 2b\n"
        : "+r"(count), "+r"(idle) : : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "cc");
    return 7;
}
"#;

fn run(program: &Path, arguments: &[&str], sampling: Sampling) -> (Vec<Window>, i32) {
    let mut command = vec![OsString::from(program)];
    command.extend(arguments.iter().map(OsString::from));
    let outcome = trace(&command, sampling, Stdout::Inherited).unwrap();
    (outcome.windows, outcome.code)
}

/// The exact count is what the loops hold, but for the few instructions around them.
#[test]
fn exact() {
    let Some(program) = build("mix_exact", LOOPS) else { return };
    let (few, code) = run(&program, &["1000", "1"], Sampling::Exact);
    assert_eq!(code, 7);
    let (more, _) = run(&program, &["3000", "1001"], Sampling::Exact);
    let (few, more) = (few[0].counts, more[0].counts);
    assert_eq!(more.fma - few.fma, 2 * 2000);
    assert_eq!(more.other_fp - few.other_fp, 2000);
    // `atol` reads as many digits, but for one.
    let non_fp = (more.non_fp - few.non_fp) as i64 - (5 * 2000 + 4 * 1000);
    assert!((0..200).contains(&non_fp), "{non_fp}");
}

/// Both intervals contain the shares that the loops have.
#[test]
fn sampled() {
    let Some(program) = build("mix_sampled", LOOPS) else { return };
    let sampling = || Sampling::Windows { interval: Duration::from_millis(1), length: 800, seed: 1 };
    // The number of windows depends on the machine and its load, and their single steps take most of the time. So the program runs
    // longer only if there are few.
    let mut windows = vec![];
    for count in ["60000000", "500000000", "2000000000", "8000000000"] {
        let (found, code) = run(&program, &[count, "1"], sampling());
        assert_eq!(code, 7);
        windows = found;
        if windows.len() > 5 {
            break;
        }
    }
    assert!(windows.len() > 5, "{}", windows.len());
    let mix = Mix::new(vec![], false, &windows);
    for (share, expected) in [(mix.fma, 0.25), (mix.other_fp, 0.125), (mix.non_fp, 0.625)] {
        assert!((share.share - expected).abs() < 0.02, "{share:?} is not {expected}");
        let [low, high] = share.confidence_95.unwrap();
        assert!(low <= share.share && share.share <= high && high - low < 0.05, "{share:?}");
    }
}

/// Threads that start, wait and end, children, signals with handlers, and an `exec`.
#[test]
fn threads_children_and_signals() {
    const SOURCE: &str = r#"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int ticks;
static void tick(int s) { ticks++; }
static void *work(void *p) {
    volatile double x = 0;
    for (int i = 0; i < 100000000; i++) x += i;
    return 0;
}
int main(int argc, char **argv) {
    if (argc > 1) return strcmp(argv[1], "again") ? 1 : 42;
    struct sigaction sa = {.sa_handler = tick, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &sa, 0);
    struct itimerval t = {{0, 2000}, {0, 2000}};
    setitimer(ITIMER_REAL, &t, 0);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
    struct itimerval off = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &off, 0);
    if (ticks < 5) return 2;
    int status;
    pid_t child = fork();
    if (!child) _exit(9);
    if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 9) return 3;
    raise(SIGTRAP + 0 == 5 ? SIGWINCH : SIGWINCH);
    execl("/proc/self/exe", argv[0], "again", (char *)0);
    return 4;
}
"#;
    let Some(program) = build("mix_threads", SOURCE) else { return };
    let windows = Sampling::Windows { interval: Duration::from_millis(1), length: 300, seed: 2 };
    let (windows, code) = run(&program, &[], windows);
    assert_eq!(code, 42);
    let mix = Mix::new(vec![], false, &windows);
    assert!(mix.other_fp.share > 0.05 && mix.fma.share == 0.0, "{mix:?}");
}

#[test]
fn ends_of_programs() {
    let trace = |command: &[&str]| {
        trace(&command.iter().map(OsString::from).collect::<Vec<_>>(), Sampling::default(), Stdout::ToStderr)
    };
    assert_eq!(trace(&["sh", "-c", "exit 3"]).unwrap().code, 3);
    assert_eq!(trace(&["sh", "-c", "kill -KILL $$"]).unwrap().code, 128 + 9);
    assert!(matches!(trace(&["no-such-program-here"]), Err(MixError::Start { .. })));
    assert!(matches!(trace(&[]), Err(MixError::Command)));
    assert!(matches!(trace(&["a\0b"]), Err(MixError::Command)));
}
