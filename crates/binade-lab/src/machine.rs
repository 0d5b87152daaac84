//! Describes this machine, for figures that depend on it.

/// The processor's name, number of cores, and system.
pub(crate) fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let processor = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(": ")?.1.to_owned())
    });
    let name = processor.unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    format!("{name}, {cores} logical cores, {}", std::env::consts::OS)
}
