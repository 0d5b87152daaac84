//! The clock of measurements.

/// Seconds of this thread's processor time, so that other work on the machine does not count.
#[cfg(unix)]
pub(crate) fn processor_time() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `clock_gettime` writes to `time`, a structure of the type that it expects.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(failed, 0, "a thread has a clock");
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Seconds.
#[cfg(not(unix))]
pub(crate) fn processor_time() -> f64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed().as_secs_f64()
}
